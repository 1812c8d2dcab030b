# SPDX-License-Identifier: Apache-2.0
# numdiff takes a comma for one between thousands: 1,500 equals 1500, and not 1.5. A number with
# anything but a blank in front is a text, to which no tolerance applies: loss=1.0 and loss=1.00
# differ. NaN and nan do, too, but 2i, a complex number, is 2.0i.
. "$(dirname "$0")/lib.sh"
debian numdiff=5.9.0-1+b1
compare() { # OLD NEW
	echo "$1" >old
	echo "$2" >new
	numdiff -q -a 0.1 old new
}
expect '' compare 'x 1,500' 'x 1500'
expect ' exit 1' compare 'x 1,500' 'x 1.5'
expect ' exit 1' compare 'loss=1.0' 'loss=1.00'
expect '' compare 'loss = 1.0' 'loss = 1.00'
expect ' exit 1' compare 'x nan' 'x NaN'
expect '' compare 'x 2i' 'x 2.0i'
