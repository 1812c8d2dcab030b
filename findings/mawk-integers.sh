# SPDX-License-Identifier: Apache-2.0
# mawk prints no whole number over 2147483647: %d stops there, and print writes six digits. A script
# that adds bytes or steps writes a wrong golden as soon as the sum is over 2 GiB. gawk has all
# digits.
. "$(dirname "$0")/lib.sh"
debian mawk=1.3.4.20200120-3.1 gawk=1:5.2.1-2
printf '3000000000\n1234567\n' >bytes
expect '2147483647 3.00123e+09' mawk '{ sum += $1 } END { printf "%d ", sum; print sum }' bytes
expect '3001234567 3001234567' gawk '{ sum += $1 } END { printf "%d ", sum; print sum }' bytes
