! All nine collectives from Fortran, by one of its three interfaces: -DINTERFACE=1 (mpif.h), 2 (use mpi), 3 (use mpi_f08);
! nonblocking and persistent ones among messages. Open MPI 4.1 has the latter by another name: -DEXTENSION.
! With MPI_IN_PLACE, MPI_BOTTOM and a communicator of its own. Prints "right", or what is wrong.
#if INTERFACE == 3
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define REQUEST type(MPI_Request)
#else
#define COMM integer
#define DATATYPE integer
#define REQUEST integer
#endif
#ifdef EXTENSION
#define ALLREDUCE_INIT MPIX_Allreduce_init
#define BCAST_INIT MPIX_Bcast_init
#else
#define ALLREDUCE_INIT MPI_Allreduce_init
#define BCAST_INIT MPI_Bcast_init
#endif
program collectives
#if INTERFACE == 2
  use mpi
#elif INTERFACE == 3
  use mpi_f08
#endif
#if defined EXTENSION && INTERFACE == 2
  use mpi_ext
#elif defined EXTENSION && INTERFACE == 3
  use mpi_f08_ext
#endif
  implicit none
#if INTERFACE == 1
  include 'mpif.h'
#endif
#if defined EXTENSION && INTERFACE == 1
  include 'mpif-ext.h'
#endif
  integer, parameter :: n = 1500
  integer :: rank, p, ierror, i, wrong
  integer, allocatable :: counts(:), sent(:), got(:)
  integer :: one(n), two(n)
  integer(kind=MPI_ADDRESS_KIND) :: place(1)
  integer :: lengths(1)
  COMM :: own
  DATATYPE :: absolute
  REQUEST :: requests(4)
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

  call started
  call persistent

  i = wrong
  call MPI_Reduce(i, wrong, 1, MPI_INTEGER, MPI_SUM, 0, own, ierror)
  if (rank == 0 .and. wrong == 0) print '(a)', 'right'
  call MPI_Comm_free(own, ierror)
  call MPI_Finalize(ierror)

contains

  ! Two collectives under way and a message round the ring.
  subroutine started
    integer, asynchronous :: a(n), b(n), c(n), to, from
    integer :: left, which
    logical :: over
    a = rank
    c = rank
    to = rank
    call MPI_Irecv(from, 1, MPI_INTEGER, mod(rank + p - 1, p), 7, own, requests(1), ierror)
    call MPI_Iallreduce(a, b, n, MPI_INTEGER, MPI_SUM, own, requests(2), ierror)
    call MPI_Ibcast(c, n, MPI_INTEGER, p - 1, own, requests(3), ierror)
    call MPI_Isend(to, 1, MPI_INTEGER, mod(rank + 1, p), 7, own, requests(4), ierror)
    do left = 1, 3
      call MPI_Waitany(4, requests, which, MPI_STATUS_IGNORE, ierror)
    end do
    over = .false.
    do while (.not. over)
      call MPI_Testall(4, requests, over, MPI_STATUSES_IGNORE, ierror)
    end do
    call expect(all(b == p * (p - 1) / 2), 'MPI_Iallreduce')
    call expect(all(c == p - 1), 'MPI_Ibcast')
    call expect(from == mod(rank + p - 1, p), 'a message beside')
  end subroutine

  ! Three times each, with other data.
  subroutine persistent
    integer, asynchronous :: a(n), b(n), c(n)
    integer :: turn
    call ALLREDUCE_INIT(a, b, n, MPI_INTEGER, MPI_SUM, own, MPI_INFO_NULL, requests(1), ierror)
    call BCAST_INIT(c, n, MPI_INTEGER, 0, own, MPI_INFO_NULL, requests(2), ierror)
    do turn = 1, 3
      a = rank + turn
      c = rank + turn
      if (turn == 1) then
        call MPI_Start(requests(2), ierror)
        call MPI_Start(requests(1), ierror)
      else
        call MPI_Startall(2, requests, ierror)
      end if
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      call expect(all(b == p * (p - 1) / 2 + p * turn), 'MPI_Allreduce_init')
      call expect(all(c == turn), 'MPI_Bcast_init')
    end do
    call MPI_Request_free(requests(1), ierror)
    call MPI_Request_free(requests(2), ierror)
  end subroutine

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
