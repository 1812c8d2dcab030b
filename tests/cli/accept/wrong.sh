# SPDX-License-Identifier: Apache-2.0
# What cannot be accepted: hostile names, what is no golden or no other value, and a pattern that makes no sense.
hub_repository
a=$ROOT/gpt/a/golden_values_dev.json
golden $a 'lm loss' 8
echo text >notes
commit
try regild accept --variant x $a
golden $a 'lm loss' 9
for name in '' . .. a/b ../x a.b -x _x 'a b' $'a\nb' $'\033[2J' "$(printf 'x%.0s' {1..65})" é; do
	try regild accept --variant "$name" $a
done
try regild accept $a
try regild accept --variant x notes
try regild accept --variant x /etc/passwd
try regild accept --variant x $ROOT/gpt/c/golden_values_dev.json
mkdir $ROOT/gpt/n && golden $ROOT/gpt/n/golden_values_dev.json 'lm loss' 1
try regild accept --variant x $ROOT/gpt/n/golden_values_dev.json
ln -s /etc/passwd ${a%.json}.variant-x.json
try regild accept --variant x $a
rm ${a%.json}.variant-x.json
for pattern in '' '{name}{variant}' '{variant}.{name}' '{name}_x_{variant}' '{name}/../.x{variant}' '{name}.*{variant}' '{name}. x{variant}' '../{name}.v{variant}'; do
	printf '[regild]\n\tvariants = "%s"\n' "$pattern" >.regild
	try regild compare
done
printf '[regild]\n\tvariants = {name}~as~{variant}\n' >.regild
regild accept --variant x $a
git status --short
