! SPDX-License-Identifier: BSD-3-Clause
! Marks for the trace that `weir run` records, for Fortran 2003: see weir/mark.h.
!
! Compile this file with the program; there is nothing to link with (but the
! library dl, with a glibc before 2.34). In a program that is not recorded a
! mark costs a test, and the first one a look for the recorder.
!
!     use weir_mark
!     call weir_mark_begin('assemble')
!     ...
!     call weir_mark_end('assemble')
!
! Blanks at the end of a name are left out.
module weir_mark
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_procpointer, &
    c_funptr, c_int, c_long_long, c_null_char, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int32, int64
  implicit none
  private
  public :: weir_mark_begin, weir_mark_end, weir_mark_phase, weir_mark_step
  public :: weir_mark_pause, weir_mark_resume

  ! The numbers of enum weir_mark.
  integer(c_int), parameter :: mark_begin = 1, mark_end = 2, mark_phase = 3, &
    mark_step = 4, mark_pause = 5, mark_resume = 6

  abstract interface
    subroutine put_function(what, name, number) bind(c)
      import :: c_char, c_int, c_long_long
      integer(c_int), value :: what
      character(kind=c_char), intent(in) :: name(*)
      integer(c_long_long), value :: number
    end subroutine put_function
  end interface

  interface
    function find_symbol(library, name) bind(c, name='dlsym') result(found)
      import :: c_char, c_funptr, c_ptr
      type(c_ptr), value :: library
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: found
    end function find_symbol
  end interface

  interface weir_mark_step
    module procedure step_int32, step_int64
  end interface weir_mark_step

  ! Set once; threads that come at the same time set the same.
  procedure(put_function), pointer, save :: put => null()
  logical, save, volatile :: has_looked = .false.

contains

  subroutine tell(what, name, number)
    integer(c_int), intent(in) :: what
    character(len=*), intent(in) :: name
    integer(c_long_long), intent(in) :: number

    if (.not. has_looked) call look
    if (associated(put)) call put(what, trim(name)//c_null_char, number)
  end subroutine tell

  ! The null pointer is RTLD_DEFAULT.
  subroutine look
    type(c_funptr) :: found

    found = find_symbol(c_null_ptr, 'weir_mark_put'//c_null_char)
    if (c_associated(found)) call c_f_procpointer(found, put)
    has_looked = .true.
  end subroutine look

  subroutine weir_mark_begin(name)
    character(len=*), intent(in) :: name

    call tell(mark_begin, name, 0_c_long_long)
  end subroutine weir_mark_begin

  subroutine weir_mark_end(name)
    character(len=*), intent(in) :: name

    call tell(mark_end, name, 0_c_long_long)
  end subroutine weir_mark_end

  subroutine weir_mark_phase(name)
    character(len=*), intent(in) :: name

    call tell(mark_phase, name, 0_c_long_long)
  end subroutine weir_mark_phase

  subroutine step_int32(number)
    integer(int32), intent(in) :: number

    call tell(mark_step, '', int(number, c_long_long))
  end subroutine step_int32

  subroutine step_int64(number)
    integer(int64), intent(in) :: number

    call tell(mark_step, '', int(number, c_long_long))
  end subroutine step_int64

  subroutine weir_mark_pause()
    call tell(mark_pause, '', 0_c_long_long)
  end subroutine weir_mark_pause

  subroutine weir_mark_resume()
    call tell(mark_resume, '', 0_c_long_long)
  end subroutine weir_mark_resume

end module weir_mark
