# SPDX-License-Identifier: Apache-2.0
# What --write-policy writes can be read again, whatever the metrics are called and however many they are.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json "" 101
commit

# many FOLDER COUNT: five runs of so many metrics
many() {
	local i
	for i in 1 2 3 4 5; do
		mkdir -p $1/$i
		seq -f "%05g" $2 | awk -v i=$i 'BEGIN { printf "{" } { printf "%s\"m%s\": {\"start_step\": 1, \
			\"end_step\": 1, \"step_interval\": 1, \"values\": {\"1\": 10%d}}", sep, $1, i; sep = ", " } \
			END { print "}" }' >$1/$i/golden_values_dev.json
	done
}

echo "== names"
long=$(printf '%01000d' 0)
for i in 1 2 3 4 5; do
	golden odd/$i/golden_values_dev.json "a" 10$i -- "b\\n[regild]\\nc" 10$i -- "$long" 10$i -- "" 10$i
done
regild audit -q --write-policy --from odd/*
sed "s/$long/LONG/; /deviation/d" .regild
golden $ROOT/gpt/a/golden_values_dev.json "" 10000
try regild compare -q --csv - --columns metric,level
rm .regild
echo "== as many metrics as there is room for"
many fits 6333
regild audit -q --write-policy --from fits/*
grep -c '^\[metric' .regild
regild compare -q
echo "== one more"
printf '[regild]\n\troot = x\n' >.regild
many more 6334
try regild audit -q --write-policy --from more/*
cat .regild
# exit: 0
