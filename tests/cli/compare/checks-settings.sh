# SPDX-License-Identifier: Apache-2.0
# [check "NAME"] comes with a clone, and so do the files that it asks: what is wrong in them is named, leads out of no
# folder, and takes no time.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10.5
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10.6
config=$ROOT/gpt/a/model_config.yaml
hold() {
	echo "== $1"
	try regild compare --columns checks --fail-on check:approximate
}
echo 'METRICS: [lm loss, logprobs, "iteration-time"]' >$config
hold 'metrics that neither side has'
echo 'METRICS: lm loss' >$config
hold 'no list'
printf 'a: [\n' >$config
hold 'not YAML'
echo '- a' >$config
hold 'no mapping'
: >$config
hold 'empty'
{ printf 'a: &a [x]\n'; for i in {1..1001}; do echo "k$i: *a"; done; } >$config
hold 'aliases'
printf 'a: %s\n' "$(printf '[%.0s' {1..70})" >$config
hold 'depth'
head -c 1100000 /dev/zero | tr '\0' '#' >$config
hold 'size'
rm $config
ln -s /dev/zero $config
hold 'a link'
rm $config
mkdir $config
hold 'a folder'
rmdir $config
# set KEY VALUE: in a check of its own.
set_key() {
	printf '[check "own"]\n\tmetric = *\n\t%s = %s\n' "$1" "$2" >.regild
	echo "== $1 = $2"
	try regild compare
}
set_key unless 'X in ../secret.yaml'
set_key unless 'X in /etc/passwd'
set_key listed 'METRICS'
set_key decimals 16
set_key rtol -1
set_key rtol x
set_key outliers '101%'
set_key outliers '1% until 3'
set_key steps 9..3
set_key steps '5..20 if last > 3'
set_key fallback 4
set_key aggregate mode
set_key tolerance 1
printf '[check "own:lm loss"]\n\trtol = 1\n' >.regild
try regild compare
printf '[check "own one"]\n\tmetric = *\n' >.regild
try regild compare
printf '[check "own:x"]\n\tmetric = *\n' >.regild
try regild compare
