"""All nine collectives from Python, in the form of pickled objects and of buffers, and all nonblocking ones. Prints
"right"."""
import mpi4py

mpi4py.rc.thread_level = "funneled"  # with several threads, nonblocking calls are MPICH's own

from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD.Split(0, MPI.COMM_WORLD.rank)
rank, p = comm.rank, comm.size
root = p - 1

# Pickled: any object. (There is no reduce_scatter of objects.)
for n in (1, 1000):
    thing = {"rank": rank, "data": list(range(n))}
    assert comm.bcast(thing, root)["rank"] == root
    assert comm.scatter([(i, n) for i in range(p)] if rank == root else None, root) == (rank, n)
    got = comm.gather(thing, root)
    assert got is None if rank != root else [x["rank"] for x in got] == list(range(p))
    assert [x["rank"] for x in comm.allgather(thing)] == list(range(p))
    assert comm.alltoall([(rank, i) for i in range(p)]) == [(i, rank) for i in range(p)]
    assert comm.allreduce(rank + n) == p * (p - 1) // 2 + p * n
    total = comm.reduce([rank] * n, MPI.SUM, root)
    assert total is None if rank != root else len(total) == p * n

# Buffers.
for n in (1, 10, 3000, 60000):
    a = np.arange(n * p, dtype="d") + rank
    out = np.zeros(n * p)
    one = np.zeros(n)
    b = a.copy()
    comm.Bcast(b, root)
    assert (b == np.arange(n * p) + root).all()
    comm.Reduce(a, out, MPI.SUM, root)
    assert rank != root or (out == p * np.arange(n * p) + p * (p - 1) / 2).all()
    comm.Allreduce(a, out, MPI.MAX)
    assert (out == np.arange(n * p) + p - 1).all()
    comm.Allreduce(MPI.IN_PLACE, b, MPI.SUM)
    assert (b == p * (np.arange(n * p) + root)).all()
    comm.Gather(a[:n].copy(), out, root)
    assert rank != root or (out == np.concatenate([np.arange(n) + i for i in range(p)])).all()
    comm.Scatter(a, one, root)
    assert (one == np.arange(rank * n, rank * n + n) + root).all()
    comm.Allgather(a[:n].copy(), out)
    assert (out == np.concatenate([np.arange(n) + i for i in range(p)])).all()
    comm.Alltoall(a, out)
    assert (out == np.concatenate([np.arange(rank * n, rank * n + n) + i for i in range(p)])).all()
    expected = p * np.arange(rank * n, rank * n + n) + p * (p - 1) / 2
    comm.Reduce_scatter(a, one, [n] * p)
    assert (one == expected).all()
    comm.Reduce_scatter_block(a, one)
    assert (one == expected).all()

# All nonblocking ones under way together, twice over; and a message round the ring among them.
for n in (1, 500):
    i = np.arange(n * p, dtype="d")
    a = i + rank
    total = p * i + p * (p - 1) / 2
    mine = slice(rank * n, rank * n + n)
    blocks = np.concatenate([i[:n] + k for k in range(p)])
    counts = [n] * p
    b = [a.copy() if k == 0 else np.full(n * p, -1.0) for k in range(16)]
    ring = np.array([-1.0])
    requests = [
        comm.Irecv(ring, (rank - 1) % p),
        comm.Ibcast(b[0], root),
        comm.Ireduce(a, b[1], MPI.SUM, root),
        comm.Iallreduce(a, b[2], MPI.SUM),
        comm.Iallgather(a[:n].copy(), b[3]),
        comm.Iallgatherv(a[:n].copy(), [b[4], counts]),
        comm.Igather(a[:n].copy(), b[5], root),
        comm.Igatherv(a[:n].copy(), [b[6], counts], root),
        comm.Iscatter(a, b[7][:n], root),
        comm.Iscatterv([a, counts], b[8][:n], root),
        comm.Ialltoall(a, b[9]),
        comm.Ialltoallv([a, counts], [b[10], counts]),
        comm.Ireduce_scatter(a, b[11][:n], counts),
        comm.Ireduce_scatter_block(a, b[12][:n]),
        comm.Iscan(a, b[13]),
        comm.Iexscan(a, b[14]),
        comm.Ibarrier(),
        comm.Isend(np.array([float(rank)]), (rank + 1) % p),
    ]
    MPI.Request.Waitall(requests)
    assert ring[0] == (rank - 1) % p
    assert (b[0] == i + root).all()
    assert rank != root or (b[1] == total).all()
    assert (b[2] == total).all()
    assert (b[3] == blocks).all() and (b[4] == blocks).all()
    assert rank != root or ((b[5] == blocks).all() and (b[6] == blocks).all())
    assert (b[7][:n] == i[mine] + root).all() and (b[8][:n] == i[mine] + root).all()
    exchanged = np.concatenate([i[mine] + k for k in range(p)])
    assert (b[9] == exchanged).all() and (b[10] == exchanged).all()
    assert (b[11][:n] == total[mine]).all() and (b[12][:n] == total[mine]).all()
    assert (b[13] == (rank + 1) * i + rank * (rank + 1) / 2).all()
    assert rank == 0 or (b[14] == rank * i + rank * (rank - 1) / 2).all()

comm.Free()
if MPI.COMM_WORLD.rank == 0:
    print("right")
