! SPDX-License-Identifier: BSD-3-Clause
! Marks of several threads, a large number, and switching.
program wide
  use weir_mark
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  integer :: i
  character(len=16) :: name

  !$omp parallel do private(name) num_threads(4)
  do i = 1, 8
    write (name, '(a, i0)') 'part ', i
    call weir_mark_begin(name)
    call weir_mark_end(name)
  end do
  !$omp end parallel do
  call weir_mark_step(9000000000000_int64)
  call weir_mark_pause
  call weir_mark_resume
end program wide
