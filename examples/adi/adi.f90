! SPDX-License-Identifier: GPL-3.0-or-later
! adi.f90 - an ADI solver with MPI, for plugin.tpl, whose functions are those of the kernel SP of the NAS
! Parallel Benchmarks: adi calls copy_faces, txinvr, x_solve, y_solve, z_solve and add in each step.
!
! Heat in a cube: u_t = u_xx + u_yy + u_zz, in steps of the method of Douglas, that is one tridiagonal
! system a line and direction. The cube is cut along z; x and y are solved where they lie, z in
! a pipeline from rank to rank. The faces go to the neighbours before each step.
!   mpirun -np 4 adi [STEPS [N]]

module cube
  use mpi
  implicit none
  integer :: n, nz, me, ranks, below, above, steps
  double precision, allocatable :: u(:,:,:), rhs(:,:,:)
  double precision :: r
end module

program main
  use cube
  implicit none
  integer :: i, j, k, step, first, ierr
  double precision :: sum, all
  character(32) :: word
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  steps = 20
  n = 48
  call get_command_argument(1, word)
  if (word /= '') read (word, *) steps
  call get_command_argument(2, word)
  if (word /= '') read (word, *) n
  first = me * n / ranks
  nz = (me + 1) * n / ranks - first
  below = merge(MPI_PROC_NULL, me - 1, me == 0)
  above = merge(MPI_PROC_NULL, me + 1, me == ranks - 1)
  allocate (u(0:n+1, 0:n+1, 0:nz+1), rhs(n, n, nz))
  u = 0
  r = 0.25d0
  do k = 1, nz
    do j = 1, n
      do i = 1, n
        u(i, j, k) = dble(mod(i * 7 + j * 3 + (first + k) * 5, 11))
      end do
    end do
  end do
  do step = 1, steps
    call adi()
  end do
  sum = 0
  do k = 1, nz
    do j = 1, n
      do i = 1, n
        sum = sum + u(i, j, k)
      end do
    end do
  end do
  call MPI_Reduce(sum, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) write (*, '(a, f14.6)') 'heat ', all
  call MPI_Finalize(ierr)
end program

subroutine adi()
  implicit none
  call copy_faces()
  call txinvr()
  call x_solve()
  call y_solve()
  call z_solve()
  call add()
end subroutine

! The lowest and the highest layer of the neighbours.
subroutine copy_faces()
  use cube
  implicit none
  integer :: ierr, m
  m = (n + 2) * (n + 2)
  call MPI_Sendrecv(u(0, 0, nz), m, MPI_DOUBLE_PRECISION, above, 1, u(0, 0, 0), m, &
                    MPI_DOUBLE_PRECISION, below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Sendrecv(u(0, 0, 1), m, MPI_DOUBLE_PRECISION, below, 2, u(0, 0, nz+1), m, &
                    MPI_DOUBLE_PRECISION, above, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
end subroutine

! What changes in a step, without the solves.
subroutine txinvr()
  use cube
  implicit none
  integer :: i, j, k
  do k = 1, nz
    do j = 1, n
      do i = 1, n
        rhs(i, j, k) = r * (u(i-1, j, k) + u(i+1, j, k) + u(i, j-1, k) + u(i, j+1, k) &
                            + u(i, j, k-1) + u(i, j, k+1) - 6 * u(i, j, k))
      end do
    end do
  end do
end subroutine

! One line: (1 + r) x(i) - r/2 (x(i-1) + x(i+1)) = x(i)
subroutine line(x, m, r)
  implicit none
  integer, intent(in) :: m
  double precision, intent(inout) :: x(m)
  double precision, intent(in) :: r
  double precision :: c(m), d
  integer :: i
  c(1) = -r / 2 / (1 + r)
  x(1) = x(1) / (1 + r)
  do i = 2, m
    d = 1 + r + r / 2 * c(i-1)
    c(i) = -r / 2 / d
    x(i) = (x(i) + r / 2 * x(i-1)) / d
  end do
  do i = m - 1, 1, -1
    x(i) = x(i) - c(i) * x(i+1)
  end do
end subroutine

subroutine x_solve()
  use cube
  implicit none
  integer :: j, k
  do k = 1, nz
    do j = 1, n
      call line(rhs(:, j, k), n, r)
    end do
  end do
end subroutine

subroutine y_solve()
  use cube
  implicit none
  integer :: i, k
  do k = 1, nz
    do i = 1, n
      call line(rhs(i, :, k), n, r)
    end do
  end do
end subroutine

! Up the ranks with the elimination, down with the results: one message each way and rank.
subroutine z_solve()
  use cube
  implicit none
  double precision :: c(n, n, 0:nz), edge(n, n, 2), d(n, n)
  integer :: k, ierr
  edge = 0
  call MPI_Recv(edge, 2 * n * n, MPI_DOUBLE_PRECISION, below, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  c(:, :, 0) = edge(:, :, 1)
  do k = 1, nz
    d = 1 + r + r / 2 * c(:, :, k-1)
    c(:, :, k) = -r / 2 / d
    if (k == 1) then
      rhs(:, :, k) = (rhs(:, :, k) + r / 2 * edge(:, :, 2)) / d
    else
      rhs(:, :, k) = (rhs(:, :, k) + r / 2 * rhs(:, :, k-1)) / d
    end if
  end do
  edge(:, :, 1) = c(:, :, nz)
  edge(:, :, 2) = rhs(:, :, nz)
  call MPI_Send(edge, 2 * n * n, MPI_DOUBLE_PRECISION, above, 3, MPI_COMM_WORLD, ierr)
  edge = 0
  call MPI_Recv(edge, n * n, MPI_DOUBLE_PRECISION, above, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  if (above /= MPI_PROC_NULL) rhs(:, :, nz) = rhs(:, :, nz) - c(:, :, nz) * edge(:, :, 1)
  do k = nz - 1, 1, -1
    rhs(:, :, k) = rhs(:, :, k) - c(:, :, k) * rhs(:, :, k+1)
  end do
  call MPI_Send(rhs(1, 1, 1), n * n, MPI_DOUBLE_PRECISION, below, 4, MPI_COMM_WORLD, ierr)
end subroutine

subroutine add()
  use cube
  implicit none
  integer :: k
  do k = 1, nz
    u(1:n, 1:n, k) = u(1:n, 1:n, k) + rhs(:, :, k)
  end do
end subroutine
