"""All nine collectives from Python, in the form of pickled objects and of buffers. Prints "right"."""
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

comm.Free()
if MPI.COMM_WORLD.rank == 0:
    print("right")
