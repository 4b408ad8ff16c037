! SPDX-License-Identifier: BSD-3-Clause
! Files as Fortran programs use them: by units.
program units
   implicit none
   call formatted()
   call direct()
   call bytes()
   call appended()
contains
   subroutine formatted()
      integer :: i, got, total
      open (10, file='formatted', status='replace')
      do i = 1, 2000
         write (10, '(i8,f12.3)') i, i*0.25
      end do
      endfile (10)
      rewind (10)
      total = 0
      do i = 1, 1000
         read (10, '(i8)') got
         total = total + got
      end do
      backspace (10)
      read (10, '(i8)') got
      print *, 'formatted', total, got
      close (10)
   end subroutine

   subroutine direct()
      real(8) :: row(64)
      integer :: i
      open (11, file='direct', access='direct', recl=512, status='replace')
      do i = 100, 1, -1
         row = i
         write (11, rec=i) row
      end do
      read (11, rec=37) row
      row(1) = -1
      write (11, rec=38) row
      read (11, rec=38) row
      print *, 'direct', row(1), row(64)
      close (11)
   end subroutine

   subroutine bytes()
      integer(8) :: at, length
      character(8) :: text
      open (12, file='bytes', access='stream', form='unformatted', &
            status='replace')
      write (12) 'abcdefghijklmnop'
      write (12, pos=5) 'XYZ'
      inquire (12, pos=at)
      read (12, pos=3) text
      flush (12)
      inquire (file='bytes', size=length)
      print *, 'bytes ', text, at, length
      close (12)
   end subroutine

   subroutine appended()
      integer :: i, status
      character(20) :: line
      do i = 1, 3
         open (13, file='appended', position='append')
         write (13, *) 'line', i
         close (13)
      end do
      open (13, file='appended', status='old', action='read')
      do
         read (13, '(a)', iostat=status) line
         if (status /= 0) exit
         print *, trim(line)
      end do
      close (13, status='delete')
      open (14, file='none/at/all', iostat=status)
      print *, status /= 0
      open (15, status='scratch', form='unformatted')
      write (15) (i, i=1, 5000)
      rewind (15)
      read (15) i
      print *, i
      close (15)
   end subroutine
end program
