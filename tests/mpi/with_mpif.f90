! SPDX-License-Identifier: BSD-3-Clause
! A program with mpif.h: what it does is in run-fortran.py.
program with_mpif
  implicit none
  include 'mpif.h'
  integer :: fh, ierr, rank, request, filetype
  integer :: status(MPI_STATUS_SIZE), block(25)
  integer(kind=MPI_OFFSET_KIND) :: off
  character(len=4096) :: folder

  call get_command_argument(1, folder)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  block = rank + 1
  off = rank * 1000
  call MPI_File_open(MPI_COMM_WORLD, trim(folder) // '/data', &
       ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, fh, ierr)
  call MPI_File_write_at(fh, off, block, 25, MPI_INTEGER, &
       MPI_STATUS_IGNORE, ierr)
  call MPI_File_write_at_all(fh, off, block, 25, MPI_INTEGER, status, ierr)
  call MPI_File_iwrite_at(fh, off, block, 25, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_File_seek(fh, off, MPI_SEEK_SET, ierr)
  call MPI_File_read_all(fh, block, 25, MPI_INTEGER, status, ierr)
  print '(a,i0,a,i0)', 'rank ', rank, ' sum ', sum(block)
  call MPI_Type_vector(3, 2, 4, MPI_INTEGER, filetype, ierr)
  call MPI_Type_commit(filetype, ierr)
  off = 4096
  call MPI_File_set_view(fh, off, MPI_INTEGER, filetype, 'native', &
       MPI_INFO_NULL, ierr)
  call MPI_File_write_all(fh, block, 6, MPI_INTEGER, status, ierr)
  call MPI_Type_free(filetype, ierr)
  call MPI_File_close(fh, ierr)
  call MPI_Finalize(ierr)
end program
