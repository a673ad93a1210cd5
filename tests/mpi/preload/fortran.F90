! All nine collectives from Fortran, by one of its three interfaces: -DINTERFACE=1 (mpif.h), 2 (use mpi), 3 (use mpi_f08).
! With MPI_IN_PLACE, MPI_BOTTOM and a communicator of its own. Prints "right", or what is wrong.
#if INTERFACE == 3
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#else
#define COMM integer
#define DATATYPE integer
#endif
program collectives
#if INTERFACE == 2
  use mpi
#elif INTERFACE == 3
  use mpi_f08
#endif
  implicit none
#if INTERFACE == 1
  include 'mpif.h'
#endif
  integer, parameter :: n = 1500
  integer :: rank, p, ierror, i, wrong
  integer, allocatable :: counts(:), sent(:), got(:)
  integer :: one(n), two(n)
  integer(kind=MPI_ADDRESS_KIND) :: place(1)
  integer :: lengths(1)
  COMM :: own
  DATATYPE :: absolute
  wrong = 0
  call MPI_Init(ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, own, ierror)
  call MPI_Comm_rank(own, rank, ierror)
  call MPI_Comm_size(own, p, ierror)
  allocate(counts(p), sent(n * p), got(n * p))
  counts = n
  sent = [(rank * 1000 + i, i = 1, n * p)]

  one = rank
  call MPI_Bcast(one, n, MPI_INTEGER, p - 1, own, ierror)
  call expect(all(one == p - 1), 'MPI_Bcast')
  one = rank
  if (rank == 0) then
    call MPI_Reduce(MPI_IN_PLACE, one, n, MPI_INTEGER, MPI_SUM, 0, own, ierror)
    call expect(all(one == p * (p - 1) / 2), 'MPI_Reduce in place')
  else
    call MPI_Reduce(one, two, n, MPI_INTEGER, MPI_SUM, 0, own, ierror)
  end if
  one = rank
  call MPI_Allreduce(one, two, n, MPI_INTEGER, MPI_MAX, own, ierror)
  call expect(all(two == p - 1), 'MPI_Allreduce')
  call MPI_Allreduce(MPI_IN_PLACE, one, n, MPI_INTEGER, MPI_SUM, own, ierror)
  call expect(all(one == p * (p - 1) / 2), 'MPI_Allreduce in place')
  call MPI_Gather(sent, n, MPI_INTEGER, got, n, MPI_INTEGER, 0, own, ierror)
  if (rank == 0) call expect(all(got == [((i - 1) / n * 1000 + mod(i - 1, n) + 1, i = 1, n * p)]), 'MPI_Gather')
  call MPI_Scatter(sent, n, MPI_INTEGER, one, n, MPI_INTEGER, 0, own, ierror)
  call expect(all(one == [(rank * n + i, i = 1, n)]), 'MPI_Scatter')
  got = -1
  got(rank * n + 1:(rank + 1) * n) = rank
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, n, MPI_INTEGER, own, ierror)
  call expect(all(got == [((i - 1) / n, i = 1, n * p)]), 'MPI_Allgather in place')
  call MPI_Alltoall(sent, n, MPI_INTEGER, got, n, MPI_INTEGER, own, ierror)
  call expect(all(got == [((i - 1) / n * 1000 + rank * n + mod(i - 1, n) + 1, i = 1, n * p)]), 'MPI_Alltoall')
  call MPI_Reduce_scatter(sent, one, counts, MPI_INTEGER, MPI_SUM, own, ierror)
  call expect(all(one == [(p * (p - 1) / 2 * 1000 + p * (rank * n + i), i = 1, n)]), 'MPI_Reduce_scatter')
  call MPI_Reduce_scatter_block(sent, one, n, MPI_INTEGER, MPI_SUM, own, ierror)
  call expect(all(one == [(p * (p - 1) / 2 * 1000 + p * (rank * n + i), i = 1, n)]), 'MPI_Reduce_scatter_block')

  call MPI_Get_address(two, place(1), ierror)
  lengths(1) = n
  call MPI_Type_create_hindexed(1, lengths, place, MPI_INTEGER, absolute, ierror)
  call MPI_Type_commit(absolute, ierror)
  two = rank
  call MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, own, ierror)
  call touch(two)
  call expect(all(two == 0), 'MPI_Bcast at MPI_BOTTOM')
  call MPI_Type_free(absolute, ierror)

  i = wrong
  call MPI_Reduce(i, wrong, 1, MPI_INTEGER, MPI_SUM, 0, own, ierror)
  if (rank == 0 .and. wrong == 0) print '(a)', 'right'
  call MPI_Comm_free(own, ierror)
  call MPI_Finalize(ierror)

contains

  subroutine expect(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    wrong = wrong + 1
    print '(a, a)', 'wrong: ', what
  end subroutine

  ! The compiler must not believe that nobody changed it.
  subroutine touch(x)
    integer, intent(inout) :: x(:)
    if (rank < 0) x = x + 1
  end subroutine
end program
