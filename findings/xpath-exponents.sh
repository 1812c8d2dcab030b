# SPDX-License-Identifier: Apache-2.0
# XPath 1.0 has no exponents. libxml2 reads them, and writes large numbers with them, which are NaN
# to a reader that follows the standard. It writes 15 digits, of whole numbers too. One time of a
# JUnit report that has a comma makes the sum of all of them NaN, with exit code 0.
. "$(dirname "$0")/lib.sh"
debian xmlstarlet=1.6.1-3
echo '<suite><case time="1,234.5"/><case time="2"/></suite>' >report.xml
say() { xmlstarlet sel -t -v "$1" report.xml; }
expect '100000' say 'number("1e5")'
expect '1e+12' say '1000000 * 1000000'
expect '9.00719925474099e+15' say '9007199254740993'
expect 'NaN' say 'sum(//case/@time)'
