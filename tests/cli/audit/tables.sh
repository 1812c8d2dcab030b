# SPDX-License-Identifier: Apache-2.0
# Runs that write a table's records in any order are the same runs: a record is found by its key.
for run in 1 2 3 4; do mkdir -p run$run/g; done
printf 'name,s,time\na,pass,1\nb,pass,200\n' | tee run1/g/x.csv >run3/g/x.csv
printf 'name,s,time\nb,pass,200\na,pass,1\n' >run2/g/x.csv
printf 'name,s,time\nc,fail,9\nb,pass,220\na,pass,1\n' >run4/g/x.csv
git config --global regild.files '*.csv'
regild audit --from run1 run2 run3 run4 --export -
regild audit --from run1 run2 run3 run4 --csv -
# A model knows records by name: they are within, outside or missing, wherever they are.
new_repository
printf '[regild]\n\troot = g\n\tfiles = *.csv\n' >.regild
mkdir g
printf 'name,s,time\na,pass,1\nb,pass,200\n' >g/x.csv
commit
cp run1/g/x.csv run4/g/x.csv
sed -i s/200/210/ run4/g/x.csv
mkdir -p run5/g
printf 'name,s,time\nb,pass,205\na,pass,1\n' >run5/g/x.csv
regild audit --from run1 run2 run3 run4 run5 --model model.db --json audit.json -v | grep 'time.*x.csv' | sed 's/ *$//'
sqlite3 model.db 'SELECT file, metric, runs_of, runs, n_steps, first_step, steps, records FROM series JOIN contents USING (series)'
sed -n '/"statistics"/,/^   }/p' audit.json
grep -o '"widest_step": [^,}]*' audit.json
verdict() {
	printf 'name,s,time\n%b' "$1" >g/x.csv
	regild compare --noise model.db --noise-level 0.5 --csv - --columns metric,n_steps,verdict,verdict_text | grep time
}
verdict 'new,pass,7\nb,pass,203\nmiddle,pass,8\na,pass,1\n'
verdict 'b,pass,300\nmiddle,pass,8\na,pass,1\n'
verdict 'a,pass,1\nmiddle,pass,8\nb,pass,nan\n'
verdict 'a,pass,1.5\nmiddle,pass,8\n'
