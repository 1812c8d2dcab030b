# SPDX-License-Identifier: Apache-2.0
# Which way a change goes is the sign of the sum of (new - old) / |old|, whatever signs the old values have.
mkdir old new
echo '{"a": {"1": -1, "2": 1, "3": 3}, "b": {"1": -1, "2": 2}, "c": {"1": -8, "2": 4}}' >old/golden.json
echo '{"a": {"1": -1.5, "2": 0.5, "3": 3}, "b": {"1": 2, "2": 1}, "c": {"1": -4, "2": 5}}' >new/golden.json
regild compare --old old --new new
regild compare -q --old old --new new --csv - --columns metric,avg_rel_diff,change
regild compare -q --old new --new old --csv - --columns metric,avg_rel_diff,change
echo '# records that moved both ways'
rm old/* new/*
printf 'name,delay,wires\na,4,4\nb,5,5\nc,6,6\nd,7,7\n' >old/golden.csv
printf 'name,delay,wires\na,3.132,5\nb,4.9,5.5\nc,5.9,6\nd,10.087,7\n' >new/golden.csv
regild compare --old old --new new
