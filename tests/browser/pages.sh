# SPDX-License-Identifier: Apache-2.0
# Makes the pages that are opened, in $BROWSER_PAGES: each function in an empty folder of its own. Loaded after
# tests/cli/lib.sh.

. "$REGILD_TOP/tests/formats/opdiff.sh"

# compare_page NAME OLD NEW: of two files or folders.
compare_page() {
	regild compare -q --html "$BROWSER_PAGES/$1" --old "$2" --new "$3" >/dev/null
}

# write_goldens FOLDER SEED GOLDENS METRICS STEPS: goldens as training leaves them, five decimals a value,
# of which another seed moves the last ones and, in some metrics, more.
write_goldens() {
	local i
	for ((i = 0; i < $3; i++)); do mkdir -p "$1/stage$((i % 5))/test$i"; done
	awk -v folder="$1" -v seed="$2" -v goldens="$3" -v metrics="$4" -v steps="$5" '
		function noise() {
			state = (state * 16807) % 2147483647
			return state / 2147483647 - 0.5
		}
		BEGIN {
			state = 42 + seed
			for (g = 0; g < goldens; g++) {
				file = folder "/stage" g % 5 "/test" g "/golden_values_dev.json"
				for (m = 0; m < metrics; m++) {
					printf("%s\"metric %d\": {\"start_step\": 1, \"end_step\": %d, \"step_interval\": 1, \"values\": {",
						m ? ",\n" : "{", m, steps) >file
					shift = seed && m % 4 == 3 ? 1 + 1e-3 * (g % 7) : 1
					for (s = 1; s <= steps; s++)
						printf("%s\"%d\": %.5f", s == 1 ? "" : ", ", s,
							shift * (11 - 6 * s / (s + 20) + (m % 3 ? 1e-2 : 1e-4) * noise())) >file
					printf "}}" >file
				}
				print "}" >file
				close(file)
			}
		}'
}

# The demo's repository, and its run on the hub.
demo_repository() {
	cp -r "$REGILD_TOP/fixtures/demo/repository/." .
	hub_repository
	commit
	start_hub "$REGILD_TOP/fixtures/demo"
}

# What a reviewer of Megatron-LM sees of the demo's refresh.
demo() {
	demo_repository
	regild refresh -q --run 22651183945 --only-failing --html "$BROWSER_PAGES/report.html" || [ $? = 4 ]
}

# What the terminal shows of it, 116 columns wide.
demo_terminal() {
	local refresh='regild refresh -q --run 22651183945 --only-failing --top 10'
	demo_repository
	{
		printf '$ %s\n' "$refresh"
		TERM=xterm script -qec "stty cols 116 rows 60; $refresh" /dev/null </dev/null || [ $? = 4 ]
	} >"$BROWSER_PAGES/terminal.txt"
}

# Curves of which every value is known, two tests and variants, and a noise model of 24 runs for one of them.
curves() {
	local i
	new_repository
	for ((i = 0; i < 24; i++)); do
		golden runs/$i/gpt/a/golden_values_dev.json 'lm loss' 10.$((i * 7 % 24 + 10)) 9 8.5 8
	done
	golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10.2 9 8.5 8 -- 'num-zeros' 1000 2000 0 4000 5000 6000
	golden $ROOT/moe/b/golden_values_lts.json 'lm loss' 7.123456789012345 6 5 -- 'iteration-time' 0.5 0.5
	commit
	regild audit -q --model noise.db --from runs/* >/dev/null
	golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10.25 12.5 8.25 8 -- 'num-zeros' 1001 1990 3 NaN 5000
	golden $ROOT/moe/b/golden_values_lts.json 'lm loss' 7.2 6 4.95 -- 'iteration-time' 0.5 0.51
	regild compare -q --noise noise.db --html "$BROWSER_PAGES/curves.html"
}

# Names and values out of files that would be markup, code or an address if anything let them.
hostile() {
	local close='</td></script></style></textarea></title><!--' bidi=$'\xe2\x80\xae'
	local script='<script>window.broken = 1</script>' image='<img src=x onerror=window.broken=2>'
	local handler='" onmouseover="window.broken=3' link='javascript:window.broken=4' json='\u2028]}\"</script>'
	local side test result
	new_repository
	for side in 1 2; do
		for test in 'a{{{b}}}' "$image" "${close//\//-}" "x$bidi y" "q' x=\"1"; do
			golden "$ROOT/gpt/$test/golden_values_dev.json" "$script" $((side * 2)) 1 -- "$image" "$side" 3 -- \
				"${handler//\"/\\\"}" 1 "$side" -- "$link" 5 "$side" -- "$close" "$side" 1 -- "$json" "$side" 2
		done
		mkdir -p "g/$script"
		# Records of long names, too, of which one in the middle changes most.
		{
			printf 'name,value,words\n'
			printf 'x_gaussian_y_uniform.xml-stereovision%d.v-common,%d,same\n' 1 1 2 "$((side ** 4 * 1000))" 3 3
			printf '%s,%d,%s\n%s,1,new\n' "$script" "$side" "$image$side" "$close$side"
			printf 'x_gaussian_y_uniform.xml-stereovision%d.v-common,%d,same\n' 4 4 5 5
		} >"g/$script/table.csv"
		printf 'line\n%s %d\n%s\n' "$close$script$bidi" "$side" "$image" >"g/$image.txt"
		{
			opdiff_meta
			opdiff_item "$script" 2 "$image" OK "$side" 0 "$close" OK 1 0
			opdiff_item "${handler//\"/\\\"}$bidi" 2 "$image" OK 1 0 "$close" "$([ $side = 1 ] && echo OK || echo ERROR)" 1 -
		} >"g/results.jsonl"
		result=$([ $side = 1 ] && echo Pass || echo Fail)
		printf 'Test ID,Test Case,Subtest,Flow,Params,Result,Result Detail,Error\n"%s",a,,"%s","%s",%s,"%s","%s"\n' \
			"$script$bidi" "$image" "$link" "$result" "${close//\"/\"\"}" "$script" >"g/cases.csv"
		[ "$side" = 2 ] || commit
	done
	git config regild.files '*.json *.jsonl *.csv *.txt'
	git config regild.root .
	regild compare -q --html "$BROWSER_PAGES/hostile.html" >/dev/null
}

large() {
	write_goldens old 0 79 17 100
	write_goldens new 1 79 17 100
	compare_page large.html old new
}

many() {
	write_goldens old 0 400 50 5
	write_goldens new 1 400 50 5
	compare_page many.html old new
}

# As many rows as a page has in its text.
few() {
	write_goldens old 0 10 50 5
	write_goldens new 1 10 50 5
	compare_page few.html old new
}

# Two commits of a repository whose host is known, with a name that an address has to escape; and the page once more,
# when there are other rows and another order.
links() {
	local test
	new_repository
	git remote add origin git@gitlab.com:group/sub/project.git
	for test in a b 'c #?%"|`'; do
		golden "$ROOT/gpt/$test/golden_values_dev.json" 'lm loss' 10 9 8 -- 'iteration-time' 1 1 1 -- zeros 7 8 9
	done
	commit
	golden "$ROOT/gpt/a/golden_values_dev.json" 'lm loss' 10 9.5 8 -- 'iteration-time' 1 1.1 1 -- zeros 7 8 9
	golden "$ROOT/gpt/c #?%\"|\`/golden_values_dev.json" 'lm loss' 10 9.9 8 -- 'iteration-time' 1 1 1 -- zeros 7 8 10
	commit
	regild compare -q HEAD~1..HEAD --html "$BROWSER_PAGES/links.html" >/dev/null
	golden "$ROOT/gpt/b/golden_values_dev.json" 'lm loss' 10 9000 8 -- 'iteration-time' 1 2 1 -- zeros 7 8 90
	commit
	regild compare -q HEAD~2..HEAD --html "$BROWSER_PAGES/relinked.html" >/dev/null
}

# Goldens with views of their own: a table, tensors, a text, pictures of two sizes.
views() {
	new_repository
	printf '[regild]\n\troot = .\n\tfiles = *.csv *.txt *.png *.npy\n' >.regild
	printf 'name,accuracy,speedup\nalexnet,pass,1.25\ndcgan,pass,2\nresnet,pass,4\n' >table.csv
	seq 30 >text.txt
	# 200x100, red
	base64 -d >shot.png <<<iVBORw0KGgoAAAANSUhEUgAAAMgAAABkCAIAAABM5OhcAAAAx0lEQVR42u3SMQ0AAAjAsPk3DSY4OJpUwbKm4JwEGAtjYSwwFsbCWGAsjIWxwFgYC2OBsTAWxgJjYSyMBcbCWBgLjIWxMBYYC2NhLDAWxsJYYCyMhbHAWBgLY4GxMBbGAmNhLIwFxsJYGAuMhbEwFhgLY2EsMBbGwlhgLIyFscBYGAtjgbEwFsYCY2EsjAXGwlgYC4yFsTAWGAtjYSwwFsbCWGAsjIWxwFgYC2OBBBgLY2EsMBbGwlhgLIyFscBYGAtjgbF4bgHU+dZkS4I3jwAAAABJRU5ErkJggg==
	{
		printf "\\223NUMPY\\001\\000\\166\\000%-117s\\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"
		printf '\000\000\200\077\000\000\000\100'
	} >tensor.npy
	commit
	printf 'name,accuracy,speedup\nalexnet,fail,1.5\ndcgan,pass,1\nvit,pass,4\n' >table.csv
	seq 2 2 60 >text.txt
	# 100x100, blue
	base64 -d >shot.png <<<iVBORw0KGgoAAAANSUhEUgAAAGQAAABkCAIAAAD/gAIDAAAAkElEQVR42u3QMQ0AAAjAsPk3DRb4eJpUQavhTIEsWbJkyUKBLFmyZMlCgSxZsmTJQoEsWbJkyUKBLFmyZMlCgSxZsmTJQoEsWbJkyUKBLFmyZMlCgSxZsmTJQoEsWbJkyUKBLFmyZMlCgSxZsmTJQoEsWbJkyUKBLFmyZMlCgSxZsmTJQoEsWbJkyUKBLFnPFse76yukbN6SAAAAAElFTkSuQmCC
	{
		head -c 128 tensor.npy
		printf '\000\000\000\100\000\000\200\177'
	} >new.npy && mv new.npy tensor.npy
	regild compare -q --html "$BROWSER_PAGES/views.html" >/dev/null
}

# Two files of opdiff results, whose second one has its own filter.
opdiff() {
	local side
	mkdir old new
	for side in old new; do
		{
			opdiff_meta
			opdiff_item add 2.0 ort OK 1.0 0 tflite OK 4.0 1e-7
			opdiff_item mul 2.0 ort OK 2.0 1e-5 tflite "$([ $side = old ] && echo OK || echo ERROR)" 3.0 0.5
			opdiff_item nan 1.0 ort "$([ $side = old ] && echo SKIPPED || echo OK)" 1.5 0 tflite SKIPPED null -
		} | tee $side/one.jsonl >$side/two.jsonl
	done
	compare_page opdiff.html old new
}

# Backend tests.
cases() {
	printf '%s\n' 'Test ID,Test Case,Subtest,Flow,Params,Result,Result Detail,Output 0 SNR,Error' \
		'add,add,0,xnnpack,,Pass,,40,' 'mul,mul,0,xnnpack,,Fail,Lowering Failed,,boom' 'sub,sub,0,qnn,,Pass,,50,' >old.csv
	printf '%s\n' 'Test ID,Test Case,Subtest,Flow,Params,Result,Result Detail,Output 0 SNR,Error' \
		'add,add,0,xnnpack,,Fail,Output Mismatch,,"first line' 'second line"' 'mul,mul,0,xnnpack,,Pass,,40,' \
		'sub,sub,0,qnn,,Pass,,20,' >new.csv
	compare_page cases.html old.csv new.csv
}

# Runs of which one is bad and from one on a metric is another, with names that would be markup.
audit() {
	local script='<script>window.broken = 1</script>' image='<img src=x onerror=window.broken=2>'
	local run level noise folder
	for run in $(seq 10 27); do
		noise=$((run * 5 % 18 + 10)) level=10
		[ "$run" -lt 20 ] || level=12
		[ "$run" != 13 ] || level=90
		for folder in a "$image"; do
			golden "runs/$run/gpt/$folder/golden_values_dev.json" 'lm loss' "$level.$noise" 9 -- \
				"$script" "$((level / 9)).$noise" -- zeros 1 2
		done
	done
	regild audit -q --html "$BROWSER_PAGES/audit.html" --from runs/*
}

# A large audit, of runs with long names: 90 goldens of 40 metrics of all sizes, of which some break and one drifts,
# and four with an answer's tokens.
audit_large() {
	local run i
	for ((run = 101; run < 121; run++)); do
		for ((i = 0; i < 90; i++)); do mkdir -p "runs/nightly-of-2026-03-$run/stage$((i % 5))/test$i"; done
	done
	awk '
		function noise() {
			state = (state * 16807) % 2147483647
			return state / 2147483647 - 0.5
		}
		function metric(name, level, wide,   s) {
			printf("%s\"%s\": {\"start_step\": 1, \"end_step\": 3, \"step_interval\": 1, \"values\": {", comma, name) >file
			for (s = 1; s <= 3; s++)
				printf("%s\"%d\": %.7g", s == 1 ? "" : ", ", s, level * (1 + wide * noise())) >file
			printf "}}" >file
			comma = ",\n"
		}
		BEGIN {
			state = 42
			split("East West North South Up Down Left Right In Out", token, " ")
			for (run = 0; run < 20; run++) for (g = 0; g < 90; g++) {
				file = "runs/nightly-of-2026-03-" 101 + run "/stage" g % 5 "/test" g "/golden_values_dev.json"
				printf "{" >file
				comma = ""
				for (m = 0; m < 38; m++)
					metric("metric-" m, m % 3 == 2 ? -1.234567e-5 : m % 3 ? 1.234567e10 : 10, m % 4 ? 10 ^ -(m % 6) : 0)
				metric("lm loss", run > 9 && g < 9 ? 2.5 : 2.4, 1e-7)
				metric("iteration-time", run > 15 && g < 9 ? 12 : 9 + run / 4 * (g == 20), 1e-2)
				if (g < 4) {
					printf(",\n\"0\": {\"latency\": %.4f, \"prompt_top_n_logprobs\": [", 1 + noise() / 50) >file
					for (place = 0; place < 6; place++) {
						printf("%s{", place ? ", " : "") >file
						for (t = 1; t <= 10; t++)
							printf("%s\" %s\": %.5f", t > 1 ? ", " : "", token[t], -t + noise() / 1e3) >file
						printf "}" >file
					}
					printf "]}" >file
				}
				print "}" >file
				close(file)
			}
		}'
	regild audit -q --html "$BROWSER_PAGES/audit-large.html" --from runs/*
}
