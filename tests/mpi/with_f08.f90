! SPDX-License-Identifier: BSD-3-Clause
! A program with `use mpi_f08`: what it does is in run-fortran.py.
program with_f08
  use mpi_f08
  implicit none
  type(MPI_File) :: fh
  type(MPI_Request) :: request
  type(MPI_Datatype) :: filetype
  type(MPI_Status) :: status
  integer :: rank, block(25)
  integer(kind=MPI_OFFSET_KIND) :: off
  character(len=4096) :: folder

  call get_command_argument(1, folder)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  block = rank + 1
  off = rank * 1000
  call MPI_File_open(MPI_COMM_WORLD, trim(folder) // '/data', &
       ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, fh)
  call MPI_File_write_at(fh, off, block, 25, MPI_INTEGER, &
       MPI_STATUS_IGNORE)
  call MPI_File_write_at_all(fh, off, block, 25, MPI_INTEGER, status)
  call MPI_File_iwrite_at(fh, off, block, 25, MPI_INTEGER, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_File_seek(fh, off, MPI_SEEK_SET)
  call MPI_File_read_all(fh, block, 25, MPI_INTEGER, status)
  print '(a,i0,a,i0)', 'rank ', rank, ' sum ', sum(block)
  call MPI_Type_vector(3, 2, 4, MPI_INTEGER, filetype)
  call MPI_Type_commit(filetype)
  off = 4096
  call MPI_File_set_view(fh, off, MPI_INTEGER, filetype, 'native', &
       MPI_INFO_NULL)
  call MPI_File_write_all(fh, block, 6, MPI_INTEGER, status)
  call MPI_Type_free(filetype)
  call MPI_File_close(fh)
  call MPI_Finalize()
end program
