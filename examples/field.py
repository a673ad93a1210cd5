"""mpi4py as it is: with LD_PRELOAD=$(bine preload), its collectives may be Bine's."""
import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
mine = numpy.full(100000, float(world.rank))
total = numpy.empty_like(mine)
world.Allreduce(mine, total, op=MPI.SUM)
wrong = int((total != world.size * (world.size - 1) // 2).sum())
if world.rank == 0:
    print(f"{world.size} ranks, {wrong} wrong")
raise SystemExit(wrong > 0)
