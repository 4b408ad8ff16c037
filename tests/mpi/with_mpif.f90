! SPDX-License-Identifier: BSD-3-Clause
! A program with mpif.h.
program with_mpif
  implicit none
  include 'mpif.h'
  include 'with_mpi.inc'
end program
