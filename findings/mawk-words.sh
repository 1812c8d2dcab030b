# SPDX-License-Identifier: Apache-2.0
# mawk, the awk of Debian and Ubuntu: a word that begins with "inf" or "nan" is a number, and so is
# 0x10. A header "info" makes the sum of its column infinite, and a column of names that has
# "nanometre" has no mean. gawk takes them for 0.
. "$(dirname "$0")/lib.sh"
debian mawk=1.3.4.20200120-3.1 gawk=1:5.2.1-2
printf 'info\n5\n6\n' >column
expect 'inf' mawk '{ sum += $1 } END { print sum }' column
expect '11' gawk '{ sum += $1 } END { print sum }' column
echo 'nanometre infrared 0x10' >words
expect 'nan inf 16' mawk '{ print $1 + 0, $2 + 0, $3 + 0 }' words
expect '0 0 0' gawk '{ print $1 + 0, $2 + 0, $3 + 0 }' words
