# SPDX-License-Identifier: Apache-2.0
# Fortran reads 1500 as 1.5 in a field F8.3: digits without a point get the format's three decimals.
# Blanks between digits do not count, so that I3 reads "1 2" as 12. A namelist is written with
# repeat counts, 3*1.5, which other readers take for a text. All three are the standard's;
# gfortran 12 does them without a warning.
. "$(dirname "$0")/lib.sh"
v=12.2.0-14+deb12u1
debian gfortran-12=$v libgfortran-12-dev=$v libgfortran5=$v gcc-12=$v libgcc-12-dev=$v cpp-12=$v
cat >fields.f90 <<'F90'
program fields
  character(8) :: digits = '    1500', blank = '1 2     '
  real :: x, a(3) = 1.5
  integer :: i
  namelist /run/ a
  read (digits, '(F8.3)') x
  read (blank, '(I3)') i
  write (*, '(F0.2, 1X, I0)') x, i
  write (*, nml=run)
end program
F90
LIBRARY_PATH=unpacked/usr/lib/x86_64-linux-gnu gfortran-12 -o fields fields.f90
expect '1.50 12
&RUN
 A= 3*1.50000000      ,
 /' ./fields
