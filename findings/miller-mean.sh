# SPDX-License-Identifier: Apache-2.0
# Miller's stats1: a text in a column counts, and is the maximum, but is in neither sum nor mean.
# The sum is 8, the count 3 and the mean 4. NaN is such a text.
. "$(dirname "$0")/lib.sh"
debian miller=6.6.0-2+b3
printf 'x=3\nx=failed\nx=5\n' >column
expect 'x_sum=8,x_count=3,x_mean=4,x_max=failed' mlr stats1 -a sum,count,mean,max -f x column
printf 'x=3\nx=NaN\nx=5\n' >column
expect 'x_sum=8,x_count=3,x_mean=4,x_max=NaN' mlr stats1 -a sum,count,mean,max -f x column
