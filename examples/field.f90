! A Fortran program as it is: linked with the drop-in library, its collectives may be Bine's.
program field
    use mpi
    implicit none
    integer :: rank, ranks, ierr
    double precision :: mine(100000), total(100000)
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    mine = rank
    call MPI_Allreduce(mine, total, size(mine), MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (any(total /= ranks * (ranks - 1) / 2)) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    if (rank == 0) print '(I0, A)', ranks, ' ranks, 0 wrong'
    call MPI_Finalize(ierr)
end program field
