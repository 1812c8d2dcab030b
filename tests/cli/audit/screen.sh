# SPDX-License-Identifier: Apache-2.0
# An audit fits on a screen: at most 40 lines, none wider than the window, at 80 and 100 columns; the verdict comes
# first. -v and --top 0 show all of it.
corpus=$REGILD_TOP/../shared/corpus/history
for run in {10..24}; do
	for test in {10..69}; do
		golden runs/$run/gpt/a_test_with_a_long_name_$test/golden_values_dev.json "lm loss" \
			"9.$(((run * 37 + test * 11) % 10))$((run % 10))" -- "layer_with_a_long_name_$test.norm" "$run.$(((run * test) % 7))"
	done
done
# shown COLUMNS ARGUMENTS… prints what is wrong with what a terminal of so many columns shows.
shown() {
	local columns=$1
	shift
	script -qec "stty cols $columns; regild audit --no-pager --color never $*" typescript </dev/null | tr -d '\r' >screen
	[ "$(wc -l <screen)" -le 40 ] || echo "$columns, $*: $(wc -l <screen) lines"
	python3 -c 'import sys
for line in open("screen", encoding="utf-8", newline="\n"):
    if len(line.rstrip("\n")) > int(sys.argv[1]): print("wide:", line, end="")' $columns
	head -n 1 screen | grep -q 'runs* of [0-9]* goldens*: \(needs review\|nothing to review\)\|runs* of [0-9]* goldens*: needs$' ||
		echo "$columns, $*: no verdict: $(head -n 1 screen)"
}
for columns in 80 100; do
	shown $columns --from runs/*
	for folder in "$corpus"/*/; do
		[ -d "$folder" ] || continue
		name=$(basename "$folder")
		for file in "$folder"[0-9]*.json; do
			mkdir -p "$name/$(basename "$file" .json)/g"
			cp "$file" "$name/$(basename "$file" .json)/g/golden_values_dev.json"
		done
		[ -d "$name" ] && shown $columns --from "$name"/*
	done
done
echo '# all of it'
regild audit --from runs/* -v | grep -c 'lm loss *gpt'
regild audit --from runs/* --top 0 | grep -c 'lm loss *gpt'
regild audit --from runs/* --top 3 | grep 'more: --top 0'
regild audit --from runs/* | sed '/^METRICS/,$d'
rm screen typescript
# exit: 0
