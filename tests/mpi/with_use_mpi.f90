! SPDX-License-Identifier: BSD-3-Clause
! A program with `use mpi`.
program with_use_mpi
  use mpi
  implicit none
  include 'with_mpi.inc'
end program
