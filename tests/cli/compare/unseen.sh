# SPDX-License-Identifier: Apache-2.0
# A gate on relative differences passes nothing that has no such figure: values near zero, what cancels, unrelated
# records of a table, texts, and files that no reader takes.
mkdir old new
# What `cmd` prints of a file on both sides, and its exit code.
gate() {
	local file=$1
	shift
	echo "== $file $*"
	regild compare -q old/$file new/$file --csv - --fail-above "$@" || echo "exit code $?"
}
write() { # FILE OLD NEW
	printf "$2" >old/$1
	printf "$3" >new/$1
}
{
	echo '# near zero'
	write series.json '{"m": {"1": 2e-16, "2": 1e-15}}' '{"m": {"1": 4e-16, "2": 1e-15}}'
	gate series.json '*=1e-3'
	gate series.json '*=1'
	write scalar.json '{"m": 3e-16}' '{"m": 3.3e-16}'
	gate scalar.json 1e-3
	gate scalar.json 0.11
	write residual.log 'residual norm 3.1e-16\n' 'residual norm 0.5\n'
	gate residual.log 1e-3
	gate residual.log from-zero=1e-9
	gate residual.log 1e-3 --fail-above from-zero=0.5
	echo '# one step near zero among others'
	write mixed.json '{"m": {"1": 1e-13, "2": 4}}' '{"m": {"1": 3e-13, "2": 4}}'
	gate mixed.json '*=1e-3'
	echo '# from zero'
	write zero.json '{"m": {"1": 0, "2": 4}}' '{"m": {"1": 1e-300, "2": 4}}'
	gate zero.json '*=1e9'
	gate zero.json '*=1e9' --fail-above from-zero=1e-12
	echo '# steps that cancel'
	write cancel.json '{"m": {"1": 1, "2": 1}}' '{"m": {"1": 1.5, "2": 0.5}}'
	gate cancel.json '*=0.4'
	echo '# no number on one side'
	write finite.json '{"m": {"1": NaN, "2": 4}}' '{"m": {"1": 3, "2": 4}}'
	gate finite.json '*=1e-3'
	gate finite.json '*=1e-3' --allow no-figure
	echo '# more digits than a double has'
	write digits.json '{"m": 9007199254740993, "n": 1.5}' '{"m": 9007199254740992, "n": 1.5}'
	gate digits.json 0
	echo '# texts, tokens, files'
	write cell.csv 'name,state,v\na,ok,1\nb,ok,2\n' 'name,state,v\na,ok,1\nb,bad,2\n'
	gate cell.csv 1e-3
	gate cell.csv 'v=1e-3'
	gate cell.csv 'state=1e-3'
	gate cell.csv 1e-3 --allow no-figure
	write tokens.json '{"0": {"generated_tokens": [1, 2]}}' '{"0": {"generated_tokens": [1, 3]}}'
	gate tokens.json '*=1'
	write file.dat '\0one' '\0two'
	regild compare -v old/file.dat new/file.dat --csv - --fail-above '*=1e-3' || echo "exit code $?"
	gate file.dat '*=1e-3' --allow no-figure
	echo '# all of them'
	regild compare -q old new --csv /dev/null --fail-above 1e300 || echo "exit code $?"
	regild compare old new --csv /dev/null --fail-above 1e300 --allow no-figure --fail-above from-zero=1 || echo "exit code $?"
	regild compare -q old new --csv /dev/null --json - --fail-above 1e300 | checked_json | grep -A2 '"condition": "no-figure"' || true
	echo '# a level of the settings'
	git init -q
	printf '[metric "*"]\n\tfail = 1e-3\n' >.regild
	for file in series.json scalar.json residual.log mixed.json zero.json finite.json; do
		regild compare -q path:old/$file path:new/$file --csv /dev/null || echo "exit code $?"
	done
	echo '# what is ignored is not held'
	printf '[metric "state"]\n\tkind = ignore\n[metric "(file)"]\n\tkind = ignore\n' >.regild
	gate cell.csv 1e-3
	gate file.dat 1e-3
} >shown 2>&1
cat shown
