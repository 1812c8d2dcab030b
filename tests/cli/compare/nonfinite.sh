# SPDX-License-Identifier: Apache-2.0
# A value that is not finite is news wherever the old one was another, whatever the metric is called: under each kind of
# level, in each format. Where the old value was the same, it is not.
new_repository
git config regild.layout plain
git config regild.root goldens
mkdir -p goldens
# turned FILE OLD NEW [TITLE]: what a condition and a gate say, and what is to review.
turned() {
	local way
	printf "$2" >"goldens/$1"
	git add goldens
	git commit -q -m "$1"
	printf "$3" >"goldens/$1"
	echo "== $1: ${4-$(printf "$2" | tail -n 1) -> $(printf "$3" | tail -n 1)}"
	for way in '--fail-on nonfinite' '--fail-above *=1e-3'; do
		try regild compare -q $way 2>&1 >/dev/null | grep '^regild: gate' || echo "passes $way"
	done
	regild compare | tail -n 3 | head -n 1
	git checkout -q goldens
}
echo '# names say nothing'
for name in carrier_lifetime elementAvgTimeDerivative t iteration-time; do
	turned "$name.json" "{\"$name\":{\"1\":1.5,\"2\":1.6,\"3\":1.7}}" "{\"$name\":{\"1\":NaN,\"2\":NaN,\"3\":1.7}}"
done
turned periodic.json '{"lifetime":{"1":1,"2":1,"3":1,"4":1}}' '{"lifetime":{"1":NaN,"2":1,"3":NaN,"4":1}}'
turned table.csv 'name,run_time\na,1\nb,2\nc,3\n' 'name,run_time\na,nan\nb,nan\nc,3\n'
turned line.txt 'time = 0.1 L2 error = 0.5\ntime = 0.2 L2 error = 0.25\n' 'time = 0.1 L2 error = nan\ntime = 0.2 L2 error = 0.25\n'
turned new-step.json '{"time":{"2":1,"3":1}}' '{"time":{"1":NaN,"2":1,"3":1}}'
turned new-record.csv 'name,run_time\na,1\nb,2\n' 'name,run_time\na,1\nb,2\nc,nan\n'
turned new-metric.json '{"loss":{"1":1}}' '{"loss":{"1":1},"time":{"1":NaN,"2":1}}'
echo '# one for another'
for pair in '-Infinity Infinity' 'NaN Infinity' 'Infinity NaN' 'NaN -Infinity'; do
	turned pair.json "{\"x\":{\"1\":1,\"2\":${pair% *}}}" "{\"x\":{\"1\":1,\"2\":${pair#* }}}"
done
turned alone.json '{"x":-Infinity}' '{"x":Infinity}'
turned cell.csv 'name,x\na,nan\nb,2\n' 'name,x\na,inf\nb,2\n'
turned cells.csv 'name,x\na,nan\nb,nan\n' 'name,x\na,inf\nb,-inf\n'
turned line.txt 'error = nan at 3\n' 'error = inf at 3\n'
turned text.json '{"x":"nan","y":1}' '{"x":"inf","y":1}'
turned reshaped.json '{"x":{"1":1}}' '{"x":[[NaN,1],[1,1]]}'
turned text.json '{"x":"0.25","y":1}' '{"x":"nan","y":1}'
echo '# tensors'
# npy COUNT BYTES: of float32, for printf.
npy() {
	printf '%s' '\223NUMPY\001\000v\000'
	printf '%-117s' "{'descr': '<f4', 'fortran_order': False, 'shape': ($1,), }"
	printf '%s' "\\n$2"
}
one='\0\0\200\77' nan='\0\0\300\177' inf='\0\0\200\177' less='\0\0\200\377'
tensor() {
	turned "$1.npy" "$(npy 2 "$one$2")" "$(npy 2 "$one$3")" "$1"
}
tensor '-inf to inf' "$less" "$inf"
tensor 'nan to inf' "$nan" "$inf"
tensor 'inf to nan' "$inf" "$nan"
tensor '1 to nan' "$one" "$nan"
tensor 'the bits of a NaN' "$nan" '\1\0\300\377'
tensor 'inf to 1' "$inf" "$one"
echo '# each kind of level'
for kind in relative absolute combined ulp exact; do
	printf '[metric "*"]\n\tkind = %s\n\tfail = 1e9\n' $kind >.regild
	printf '{"x":{"1":1,"2":-Infinity}}' >old.json
	printf '{"x":{"1":1,"2":Infinity}}' >new.json
	regild compare -q --old old.json --new new.json 2>&1 >/dev/null | grep '^regild: gate' || echo "passes $kind"
done
echo '# what was so before, or is finite again'
rm .regild
turned same.json '{"x":{"1":NaN,"2":Infinity,"3":1}}' '{"x":{"1":NaN,"2":Infinity,"3":1.0}}'
turned repaired.json '{"x":{"1":NaN,"2":Infinity,"3":1}}' '{"x":{"1":1,"2":2,"3":1}}'
echo '# a golden alone: only a project that says so has usual ones, and only where no value was'
printf '{"run_time":{"1":NaN,"2":1,"3":1},"iteration-time":{"1":NaN,"2":1,"3":1}}' >alone.json
try regild check alone.json
git config regild.layout megatron
try regild check alone.json
printf '[metric "*time"]\n\tnan = placeholder\n' >.regild
try regild check alone.json
printf '[metric "*time"]\n\tnan = sometimes\n' >.regild
try regild check alone.json
