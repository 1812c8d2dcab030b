# SPDX-License-Identifier: Apache-2.0
# Run against run, against a revision, the working tree or what was downloaded: by where the goldens
# belong. Nothing of it is put anywhere, and the next comparison moves nothing.
compared() {
	local status=0
	echo "# compare $*"
	echo "# compare $*" >&2
	regild compare --html ../sides --html-template ../sides.html --csv ../rows "$@" >/dev/null || status=$?
	[ $status = 0 ] || echo "exit code $status"
	[ ! -e ../rows ] || sed 's/^/  /' ../sides
	[ ! -e ../rows ] || sed -e 1d -e "s|^$ROOT/|  |" ../rows
	rm -f ../rows
}

echo '{{old_side}} -> {{new_side}}' >../sides.html
hub_run ../fixture 1 main '' a=8 b=4 gone=1
hub_run ../fixture 2 main '' a=10 b=4 new=1
hub_run ../fixture 3 main '"head_repository": "somebody/Megatron-LM",' a=12
hub_run ../fixture 4 other '' a=16
hub_run ../fixture 5 main '"status": "in_progress",' a=20
hub_run ../fixture 6 bare ''
hub_run ../fixture 9 bare '"path": ".github/workflows/nightly.yml",' a=32
hub_run ../fixture 8 expired '' a=24 b=25
sed -i '0,/"files"/s//"expired": true, &/' ../fixture/runs/8.json
start_hub ../fixture
hub_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 2
golden $ROOT/gpt/other/golden_values_dev.json 'lm loss' 2
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4
compared run:1 run:2
compared HEAD run:1
compared run:1
compared run:https://github.com/NVIDIA/Megatron-LM/actions/runs/1/attempts/1 rev:HEAD -- $ROOT/gpt/a
regild download -q --run 4 --all -o ../staged
compared path:../staged run:2
compared latest:main run:latest
compared latest:main latest:other
compared run:5 run:1
compared run:6 run:1
compared run:7 run:1
compared run:8 HEAD
compared latest:none
compared latest:bare
compared --workflow nightly.yml latest:bare HEAD
git status --short
find "$HOME/.cache/regild/tmp" -mindepth 1
stored() {
	grep -c /store/ "$HUB_LOG" || true
}
before=$(stored)
compared run:1 run:2
[ "$before" -gt 0 ] && [ "$(stored)" = "$before" ]
echo '# several runs: a golden that one has not is not the baseline there'
regild compare -q --new run:1 --new run:2 --new run:8 --json - |
	checked_json | grep -o '"file": "[^"]*", "metric": "[^"]*", "old_mean".*"means": [^]]*]'
echo '# outside of a repository'
mkdir ../elsewhere
(cd ../elsewhere && compared --repo NVIDIA/Megatron-LM run:1 run:2)
echo '# in the reports'
regild compare -q run:1 latest:other --json - | checked_json | grep '"about"'
regild compare -q run:1 run:2 --markdown - | head -n 4
