# SPDX-License-Identifier: Apache-2.0
# --fail-on: each condition by its name, without a limit, and whatever the policy or a noise model says
# of the metric.
new_repository
for i in {1..4}; do
	golden runs/$i/gpt/a/golden_values_dev.json 'lm loss' 4.$i 4 4
done
for test in a b c; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 4 4 4 -- ignored 1 2 -- gone 1
done
commit
regild audit -q --model noise.db --from runs/* >/dev/null
cat >.regild <<'END'
[metric "lm loss"]
	noise = 1
	flag = 2
	steps = 1..1
[metric "ignored"]
	kind = ignore
END
# The table is left out: all but the gate goes to a file.
said=-q
hold() {
	local status=0
	echo "== $*"
	regild compare $said --noise noise.db --json - "$@" >all.json || status=$?
	echo "exit code $status"
}
gate_in_json() {
	sed -n '/"gate"/,/^ }/p' all.json
}
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4.1 NaN 4 -- ignored NaN 2 -- gone 1
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 4.1 4 -- ignored 1 2
golden $ROOT/gpt/c/golden_values_dev.json 'lm loss' 4.1 4 4 -- ignored 1 -- gone 1
{
	hold
	hold --fail-on lost
	hold --fail-on lost --allow shrink
	hold --fail-on nonfinite
	hold --fail-on nonfinite,lost --fail-on lost
	hold --fail-on changed
	hold --fail-on removed,unreadable
	hold --fail-on new
	hold --fail-on lost --fail-above 'lm*=0.01'
	said=-v hold --filter metric=ignored --fail-on lost
	hold --fail-on nonfinite,removed --fail-above 1e-2
	gate_in_json
	echo "== goldens as a whole"
	rm $ROOT/gpt/a/golden_values_dev.json
	hold --fail-on removed
	echo '{' >$ROOT/gpt/b/golden_values_dev.json
	hold --fail-on nonfinite
	hold --fail-on removed
	hold --fail-on unreadable
	regild compare -v --json - --fail-on removed,unreadable >all.json || gate_in_json
	echo "== a gate that passes, and none"
	git checkout -q $ROOT
	golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4.1 4 4 -- ignored 1 2 -- gone 1
	hold --fail-on lost,nonfinite,removed,unreadable
	regild compare --json - --fail-on lost,nonfinite,removed,unreadable >all.json
	gate_in_json
	regild compare --json - >all.json
	grep '"gate"' all.json
	echo "== wrong calls"
	hold --fail-on losst
	hold --fail-on lost,
	hold --fail-on elsewhere
	hold --fail-on lost:gone
	echo "== a hostile name"
	golden old.json 'a\u001b[2J\u202e\nb%s' 1 2
	golden new.json 'a\u001b[2J\u202e\nb%s' 1 3
	try regild compare -v --csv /dev/null --old old.json --new new.json --fail-above 0.1
	echo "== more reasons than anybody reads"
	mkdir $ROOT/gpt/d
	metrics() {
		seq -f "\"m%02g\": [$1]" -s ', ' 25 | sed 's/.*/{&}/' >$ROOT/gpt/d/golden_values_dev.json
	}
	metrics 1
	commit
	metrics NaN
	hold --fail-on nonfinite
	said=-v hold --filter 'metric=m2[345]' --fail-on nonfinite
} >shown 2>&1
sed '/more reasons than/,/m19/{/m0[2-9]\|m1[0-9]/d}' shown
