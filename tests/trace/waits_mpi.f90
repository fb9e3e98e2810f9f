! SPDX-License-Identifier: GPL-3.0-or-later
! waits_mpi.f90 - four ranks in Fortran that wait for each other, and note when they call MPI (stamps_f.c). For
! analyze.sh. It has some of the phases of waits_mpi.c.
module stamps
  use iso_c_binding
  implicit none
  interface
    function now() bind(c, name='stamp_time') result(t)
      import
      integer(c_long_long) :: t
    end function
    subroutine note(before, after, words, length) bind(c, name='stamp_words')
      import
      integer(c_long_long), value :: before, after
      character(kind=c_char) :: words(*)
      integer(c_int), value :: length
    end subroutine
    subroutine begin(phase) bind(c, name='stamp_begin')
      import
      integer(c_int), value :: phase
    end subroutine
    subroutine written(rank) bind(c, name='stamp_written')
      import
      integer(c_int), value :: rank
    end subroutine
    subroutine sleep(ms) bind(c, name='stamp_sleep')
      import
      integer(c_int), value :: ms
    end subroutine
  end interface
  integer(c_long_long) :: before
contains
  subroutine stamp(words)
    character(*), intent(in) :: words
    integer(c_long_long) :: after
    after = now()
    call note(before, after, words, len_trim(words))
  end subroutine
end module

subroutine work_late()
  use stamps
  call sleep(30)
end subroutine

subroutine barrier()
  use stamps
  use mpi
  integer :: ierr
  before = now()
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call stamp('MPI_Barrier coll=barrier comm=world')
end subroutine

subroutine late(me, rank)
  use stamps
  integer, intent(in) :: me, rank
  if (me /= rank) return
  before = now()
  call work_late()
  call stamp('work name=late nominal=30')
end subroutine

subroutine phase_late_sender(me)
  use stamps
  use mpi
  integer, intent(in) :: me
  integer :: x, ierr
  x = me
  call late(me, 0)
  before = now()
  if (me == 0) then
    call MPI_Send(x, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierr)
    call stamp('MPI_Send to=1 tag=5 comm=world bytes=4')
  else if (me == 1) then
    call MPI_Recv(x, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call stamp('MPI_Recv from=0 tag=5 comm=world')
  end if
end subroutine

subroutine phase_late_receiver(me)
  use stamps
  use mpi
  integer, intent(in) :: me
  integer, save :: x(262144)
  integer :: ierr
  call late(me, 3)
  before = now()
  if (me == 2) then
    call MPI_Ssend(x, 262144, MPI_INTEGER, 3, 5, MPI_COMM_WORLD, ierr)
    call stamp('MPI_Ssend to=3 tag=5 comm=world bytes=1048576')
  else if (me == 3) then
    call MPI_Recv(x, 262144, MPI_INTEGER, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call stamp('MPI_Recv from=2 tag=5 comm=world')
  end if
end subroutine

subroutine phase_broadcast(me)
  use stamps
  use mpi
  integer, intent(in) :: me
  integer :: x, ierr
  x = me
  call late(me, 2)
  before = now()
  call MPI_Bcast(x, 1, MPI_INTEGER, 2, MPI_COMM_WORLD, ierr)
  call stamp('MPI_Bcast coll=from_root root=2 comm=world')
end subroutine

subroutine phase_allreduce(me)
  use stamps
  use mpi
  integer, intent(in) :: me
  integer :: x, total, ierr
  x = me
  call late(me, 1)
  before = now()
  call MPI_Allreduce(x, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call stamp('MPI_Allreduce coll=nxn comm=world')
end subroutine

program waits
  use stamps
  use mpi
  implicit none
  integer :: me, ierr, i
  call begin(0)
  before = now()
  call MPI_Init(ierr)
  call stamp('MPI_Init')
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  do i = 0, 7
    call begin(0)
    call barrier()
    call begin(1 + i / 2)
    select case (i / 2)
    case (0)
      call phase_late_sender(me)
    case (1)
      call phase_late_receiver(me)
    case (2)
      call phase_broadcast(me)
    case (3)
      call phase_allreduce(me)
    end select
  end do
  call begin(0)
  before = now()
  call MPI_Finalize(ierr)
  call stamp('MPI_Finalize')
  call written(me)
end program
