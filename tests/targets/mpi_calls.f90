! SPDX-License-Identifier: GPL-3.0-or-later
! mpi_calls.f90 - calls MPI from Fortran, by `use mpi`, or (with -DF08) `use mpi_f08`; as mpi_calls.c,
! with numbers that are known here: `mpi_calls FILE` writes FILE.RANK. Built by mpi.sh.
program mpi_calls
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
#ifdef F08
#define COMM type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define STATUS type(MPI_Status)
#define SOURCE s%MPI_SOURCE
#else
#define COMM integer
#define REQUEST integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define SOURCE s(MPI_SOURCE)
#endif
  integer, parameter :: rounds = 10
  integer :: rank, ranks, i, e, next, before, out, in, sum, got(2), wrong
  COMM :: half
  REQUEST :: r(3)
  STATUS :: s
  character(len=256) :: name
  wrong = 0
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, e)
  next = mod(rank + 1, ranks)
  before = mod(rank + ranks - 1, ranks)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, e)
  do i = 1, rounds
    out = rank + i
    call MPI_Sendrecv(out, 1, MPI_INTEGER, next, 1, in, 1, MPI_INTEGER, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)
    if (in /= before + i) wrong = wrong + 1
    call MPI_Irecv(got(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, r(1), e)
    call MPI_Irecv(got(2), 1, MPI_INTEGER, MPI_PROC_NULL, 3, MPI_COMM_WORLD, r(2), e)
    call MPI_Isend(out, 1, MPI_INTEGER, next, 2, MPI_COMM_WORLD, r(3), e)
    call MPI_Waitall(3, r, MPI_STATUSES_IGNORE, e)
    if (got(1) /= before + i) wrong = wrong + 1
    call MPI_Send(out, 1, MPI_INTEGER, next, 4, MPI_COMM_WORLD, e)
    call MPI_Recv(in, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, s, e)
    if (SOURCE /= before) wrong = wrong + 1
    sum = 1
    call MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, half, e)
    call MPI_Bcast(out, 1, MPI_INTEGER, 0, half, e)
    call MPI_Barrier(MPI_COMM_WORLD, e)
  end do
  call MPI_Comm_free(half, e)
  call MPI_Finalize(e)
  call get_command_argument(1, name)
  write (name, '(a,a,i0)') trim(name), '.', rank
  open (10, file=trim(name))
  do i = 1, 13
    write (10, '(a,a,1x,i0)') 'call MPI_', trim(function(i)), times(i)
  end do
  write (10, '(a,i0,1x,i0,1x,i0,1x,i0)') 'message ', rank, next, 3 * rounds, 12 * rounds
  write (10, '(a,i0)') 'result ', sum
  if (wrong == 0) write (10, '(a)') 'right'
  close (10)
contains
  function function(i) result(text)
    integer, intent(in) :: i
    character(len=12) :: text
    character(len=12), parameter :: names(13) = [ character(len=12) :: 'Init', 'Comm_split', 'Sendrecv', &
      'Irecv', 'Isend', 'Waitall', 'Send', 'Recv', 'Allreduce', 'Bcast', 'Barrier', 'Comm_free', 'Finalize' ]
    text = names(i)
  end function
  integer function times(i)
    integer, intent(in) :: i
    times = rounds
    if (i <= 2 .or. i >= 12) times = 1
    if (i == 4) times = 2 * rounds
  end function
end program
