# SPDX-License-Identifier: Apache-2.0
# An archive that has one name twice, which readers take differently: the golden is held back by name, on either side and in
# downloads. So is one that cannot be taken for another reason, such as a link: it is neither new nor removed.
command -v zip >/dev/null || skip "needs zip"
new_repository
# twice ARCHIVE FOLDER NAME: the files of FOLDER, of which NAME~, in that many letters, becomes NAME.
twice() {
	local other=${3%?}~
	rm -f "$1"
	case $1 in
	*.zip) (cd "$2" && zip -qr "$OLDPWD/$1" . && LC_ALL=C sed -i "s|$other|$3|g" "$OLDPWD/$1") ;;
	*) tar -cf "$1" -C "$2" --transform "s|$other|$3|" . ;;
	esac
}
csv() { printf 'step,loss\n1,2\n2,%s\n' "$2" >"$1"; }
mkdir one two
csv one/a.csv 3
csv one/b.csv 3
cp one/*.csv two/
csv two/a.cs~ 4
twice one.zip one a.csv
twice two.zip two a.csv
twice two.tar two a.csv
for two in two.zip zip:two.tar; do
	for sides in "$two one.zip" "one.zip $two" "$two $two" "$two one" "one $two"; do
		echo "# $sides"
		try regild compare --columns file,metric,n_steps $sides 2>&1 | grep -v '^noise\|^$'
	done
done
try regild compare one.zip two.zip --fail-on lost -q
echo '# one golden alone, and one that the other side lacks'
mkdir alone
cp two/a.* alone/
twice alone.zip alone a.csv
try regild compare alone.zip one.zip 2>&1 | head -n 3
rm one/a.csv
twice less.zip one a.csv
try regild compare two.zip less.zip 2>&1 | head -n 3

echo '# in the repository'
golden $ROOT/gpt/x/golden_values_dev.json 'lm loss' 8 8
golden $ROOT/gpt/y/golden_values_dev.json 'lm loss' 8 8
commit
golden run/$ROOT/gpt/x/golden_values_dev.json 'lm loss' 8 9
golden run/$ROOT/gpt/x/golden_values_dev.jso~ 'lm loss' 8 7
golden run/$ROOT/gpt/y/golden_values_dev.json 'lm loss' 8 9
twice run.zip run golden_values_dev.json
for sides in "HEAD run.zip" "run.zip HEAD"; do
	echo "# $sides"
	try regild compare --columns file,metric,n_steps $sides 2>&1 | grep -v '^noise\|^$'
done
echo '# a link'
ln -s golden_values_dev.json run/$ROOT/gpt/x/link
rm run/$ROOT/gpt/x/golden*
ln -s ../y/golden_values_dev.json run/$ROOT/gpt/x/golden_values_dev.json
rm run.zip
(cd run && zip -qry ../run.zip .)
try regild compare --columns file,metric,n_steps HEAD run.zip 2>&1 | grep -v '^noise\|^$'

echo '# downloads'
mkdir logs jobs
for file in x/golden_values_dev.json y/golden_values_dev.json; do golden "logs-${file%%/*}-1-z/golden_values_dev.json" 'lm loss' 8 9; done
golden logs-x-1-z/golden_values_dev.jso~ 'lm loss' 8 7
twice jobs/logs-x-1-z.zip logs-x-1-z golden_values_dev.json
twice jobs/logs-y-1-z.zip logs-y-1-z golden_values_dev.json
try regild download --from jobs -o staged
find staged -name 'golden*' | sort

echo '# a run'
mkdir -p hub/runs
cat >hub/runs/1.json <<-'JSON'
	{"repository": "NVIDIA/Megatron-LM", "run": {"id": 1, "created_at": "2026-03-01T04:00:00Z", "conclusion": "success"},
	 "jobs": [{"name": "gpt/x - latest"}, {"name": "gpt/y - latest"}],
	 "artifacts": [
	  {"name": "logs-x-1-z", "files": {"golden_values_dev.json": {"lm loss": {"values": {"1": 9, "2": 8}}},
	   "golden_values_dev.json": {"lm loss": {"values": {"1": 9, "2": 7}}}}},
	  {"name": "logs-y-1-z", "files": {"golden_values_dev.json": {"lm loss": {"start_step": 1, "end_step": 2,
	   "step_interval": 1, "values": {"1": 8, "2": 9}}}}}]}
JSON
start_hub "$PWD/hub"
try regild refresh --repo NVIDIA/Megatron-LM --run 1 --all --dry-run 2>&1 | grep -v '^regild: moved'
