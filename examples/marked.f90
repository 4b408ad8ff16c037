! SPDX-License-Identifier: BSD-3-Clause
! The same in Fortran; the module is installed beside the header:
!
!     gfortran .../include/weir/weir_mark.f90 marked.f90 -o marked
program marked
  use weir_mark
  implicit none
  integer :: step, unit

  call weir_mark_phase('compute')
  do step = 0, 2
    call weir_mark_step(step)
    call weir_mark_begin('write state')
    open (newunit=unit, file='state.txt', position='append')
    write (unit, '(a, i0)') 'step ', step
    close (unit)
    call weir_mark_end('write state')
  end do
  call weir_mark_phase('tidy up')
  open (newunit=unit, file='state.txt')
  close (unit, status='delete')
end program marked
