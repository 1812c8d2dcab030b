# SPDX-License-Identifier: Apache-2.0
# Runs that write a table's records in any order are the same runs: a record is found by its key.
for run in 1 2 3 4; do mkdir -p run$run/g; done
printf 'name,s,time\na,pass,1\nb,pass,200\n' | tee run1/g/x.csv >run3/g/x.csv
printf 'name,s,time\nb,pass,200\na,pass,1\n' >run2/g/x.csv
printf 'name,s,time\nc,fail,9\nb,pass,220\na,pass,1\n' >run4/g/x.csv
git config --global regild.files '*.csv'
regild audit --from run1 run2 run3 run4 --export -
regild audit --from run1 run2 run3 run4 --csv -
