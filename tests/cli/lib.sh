# SPDX-License-Identifier: Apache-2.0
# What every command test can use. The current folder is empty and the test's own ($SCRATCH/work);
# $REGILD_TOP is the project's checkout, for fixtures.

export PATH=$REGILD_BUILD:$PATH
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.com GIT_AUTHOR_DATE='2026-01-01T00:00:00Z'
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.com
export GIT_COMMITTER_DATE='2026-01-01T00:00:00Z'
# A commit starts no process that looks for garbage.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=maintenance.auto GIT_CONFIG_VALUE_0=false
ROOT=tests/functional_tests/test_cases
# Modes are printed and compared.
umask 022

# Marks the test as skipped: skip "needs X".
skip() {
	echo "$*" >&2
	exit 77
}

# Marks it as skipped where no program can be given a terminal of its own.
needs_terminal() {
	script -qec true /dev/null </dev/null >/dev/null 2>&1 ||
		skip "needs script(1) of util-linux, and pseudo-terminals"
}

# … where this build has none of ExecuTorch's formats (make WITH_EXECUTORCH=0).
needs_executorch() {
	regild executorch --help >/dev/null 2>&1 || skip "needs ExecuTorch's formats"
}

# … where this build has no reader of HDF5, NetCDF or FITS: needs_binary HDF5.
needs_binary() {
	regild version -v | grep -q "^$1: read" || skip "needs the library of $1 (make setup)"
}

# Runs a command that may fail and goes on: its exit code is printed.
try() {
	local status=0
	"$@" || status=$?
	echo "exit code $status"
}

# made_at DATABASE TIME: when what a history's audits found was found, to the second. Of two audits in one second neither
# is the later one.
made_at() {
	sqlite3 "$1" "UPDATE verdicts SET made = '$2'; UPDATE breaks SET made = '$2'"
}

# Passes JSON that regild printed on. It has to fit its schema: tests/worker.sh looks, after some tests, at what is kept here.
checked_json() {
	local kept=${checked:-}/$BASHPID.${EPOCHREALTIME/[.,]/}
	if [ -z "${checked:-}" ]; then
		schema-check "$REGILD_BUILD/schema" -
	else
		mkdir -p "$checked"
		cat >"$kept"
		# A reader that has seen enough, as head, closes the pipe.
		cat "$kept" 2>/dev/null || true
	fi
}

# answer COMMAND KEYS… runs it on a terminal, types the Nth KEYS (\004: the end of the input) once the
# Nth question is there, and prints what was to be seen. A control character is not: the terminal
# echoes it after it has acted on it.
answer() {
	local status=0 keys asked=0
	mkfifo "$SCRATCH/keys"
	: >"$SCRATCH/typescript"
	timeout 300 script -qefc "stty -echoctl; $1" "$SCRATCH/typescript" <"$SCRATCH/keys" >/dev/null &
	exec 3>"$SCRATCH/keys"
	for keys in "${@:2}"; do
		asked=$((asked + 1))
		eventually questions_are "$asked"
		printf "$keys" >&3
	done
	wait $! || status=$?
	exec 3>&-
	rm "$SCRATCH/keys"
	tr -d '\r\003' <"$SCRATCH/typescript" | grep -v -e '^Script' -e '^$'
	echo "exit code $status"
}

questions_are() {
	[ "$(grep -o -e '\[y/N\]' -e ',?\]?' "$SCRATCH/typescript" | wc -l)" -ge "$1" ]
}

# Runs regild as somebody whom modes stop: to root nothing is closed. Skips where root cannot be another.
unprivileged() {
	if [ "$(id -u)" != 0 ]; then
		regild "$@"
		return
	fi
	cp "$REGILD_BUILD/regild" "$SCRATCH/regild"
	chmod 755 "$SCRATCH"
	set -- setpriv --reuid 65534 --regid 65534 --clear-groups "$SCRATCH/regild" "$@"
	"${@:1:6}" --version >/dev/null 2>&1 ||
		skip "needs setpriv(1) and a place that others may go to, or not to be root"
	chown -R 65534:65534 "$SCRATCH/work" "$HOME"
	local status=0
	"$@" || status=$?
	chown -R 0:0 "$SCRATCH/work" "$HOME"
	return $status
}

# An empty repository in the current folder, on branch main: a copy of the one that tests/queue.sh makes.
new_repository() {
	if [ -e .git ] || [ ! -d "${results:-}/repository" ]; then
		git init -q -b main .
	else
		cp -r "$results/repository/.git" .git
	fi
}

# Commits everything.
commit() {
	git add -A && git commit -q -m "${1:-goldens}"
}

# golden FILE METRIC VALUE… writes a golden with one series from step 1; further "-- METRIC VALUE…"
# add more.
golden() {
	local file=$1 text={ comma= series step
	shift
	while [ $# -gt 0 ]; do
		series=$1 step=0
		shift
		text+="$comma\"$series\": {\"start_step\": 1, \"end_step\": "
		comma=', ' series=
		while [ $# -gt 0 ] && [ "$1" != -- ]; do
			step=$((step + 1))
			series+="${series:+, }\"$step\": $1"
			shift
		done
		text+="$step, \"step_interval\": 1, \"values\": {$series}}"
		[ $# -eq 0 ] || shift
	done
	[[ $file != */* || -d ${file%/*} ]] || mkdir -p "${file%/*}"
	printf '%s}\n' "$text" >"$file"
}

# start_hub FIXTURE [HUB OPTIONS…] starts the fake GitHub on loopback and points regild at it; it ends
# with the test. $HUB_LOG is its log of requests.
start_hub() {
	run_hub "$@"
	export GITHUB_API_URL=$HUB_URL GITHUB_TOKEN=test-token
}

# start_gitlab FIXTURE [HUB OPTIONS…] starts the fake GitLab: its pipelines are at
# $GITLAB_URL/GROUP/PROJECT/-/pipelines/N. Nothing but its URL points regild at it.
start_gitlab() {
	run_hub "$@"
	unset "${!GITHUB_@}"
	export GITLAB_URL=$HUB_URL GITLAB_TOKEN=test-token
}

run_hub() {
	local fixture=$1
	shift
	HUB_LOG=$SCRATCH/hub.log
	"$REGILD_BUILD/hub" --log "$HUB_LOG" --ready "$SCRATCH/hub.ready" "$@" "$fixture" \
		>"$SCRATCH/hub.out" 2>&1 &
	HUB_PID=$!
	trap 'kill $HUB_PID 2>/dev/null || true' EXIT
	eventually [ -s "$SCRATCH/hub.ready" ]
	# One line: the API's base URL.
	read -r HUB_URL <"$SCRATCH/hub.ready"
}

# Ends it, so that another one can start. What it was in the middle of is in its log then, not in the
# other's.
stop_hub() {
	kill $HUB_PID && wait $HUB_PID || true
	rm "$SCRATCH/hub.ready"
}

# hub_runs FIXTURE ID… makes a fixture of runs with a golden each, "lm loss" of ID.5.
hub_runs() {
	local fixture=$1 id
	shift
	mkdir -p "$fixture/runs"
	for id in "$@"; do
		cat >"$fixture/runs/$id.json" <<-JSON
			{"repository": "NVIDIA/Megatron-LM",
			 "run": {"id": $id, "created_at": "2026-03-0${id}T04:00:00Z", "conclusion": "success"},
			 "jobs": [{"name": "gpt/a - latest"}],
			 "artifacts": [{"name": "logs-a-$id-x", "files":
			    {"golden_values_dev.json": {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1,
			                                "values": {"1": $id.5}}}}}]}
		JSON
	done
}

# hub_run FIXTURE ID BRANCH RUN_FIELDS TEST=VALUE… adds a run with a golden a test, "lm loss" of VALUE;
# RUN_FIELDS is more of the run's JSON, '"event": "push",'.
hub_run() {
	local fixture=$1 id=$2 branch=$3 fields=$4 entry jobs= artifacts= comma=
	shift 4
	mkdir -p "$fixture/runs"
	for entry; do
		jobs+="$comma{\"name\": \"gpt/${entry%=*} - latest\"}"
		artifacts+="$comma{\"name\": \"logs-${entry%=*}-$id-x\", \"files\": {\"golden_values_dev.json\":
			{\"lm loss\": {\"start_step\": 1, \"end_step\": 1, \"step_interval\": 1, \"values\": {\"1\": ${entry#*=}}}}}}"
		comma=,
	done
	echo "{\"repository\": \"NVIDIA/Megatron-LM\", \"run\": {\"id\": $id, \"created_at\": \"2026-03-0${id}T04:00:00Z\",
		\"head_branch\": \"$branch\", $fields \"conclusion\": \"success\"}, \"jobs\": [$jobs], \"artifacts\": [$artifacts]}" \
		>"$fixture/runs/$id.json"
}

# staging_manifest DIR [RUN] writes DIR/manifest.json for all that lies in DIR/files/STAGE/TEST/FILE, as
# a download would have.
staging_manifest() {
	local dir=$1 run=${2:-7} i file stage test comma= found files=() sizes=() sums=() tests=0
	mapfile -t found < <(cd "$dir/files" && find . -type d -printf '%P\n' -o -type f -printf '%P\t%s\n' | LC_ALL=C sort)
	for file in "${found[@]}"; do
		if [[ $file == *$'\t'* ]]; then
			files+=("${file%$'\t'*}") sizes+=("${file##*$'\t'}")
		elif [[ $file == */* && $file != */*/* ]]; then
			tests=$((tests + 1))
		fi
	done
	[ ${#files[@]} = 0 ] || mapfile -t sums < <(cd "$dir/files" && sha256sum -- "${files[@]}")
	{
		printf '{"schema": "regild-manifest", "version": 1, "source": "github", "host": "github.com", "repository": "o/n",\n'
		printf '"run": {"id": %d, "attempt": 1}, "scope": "all", "root": "%s",\n' "$run" "$ROOT"
		printf '"bytes_moved": 0, "bytes_total": 0, "jobs": [], "artifacts": [], "goldens": ['
		for i in "${!files[@]}"; do
			file=${files[i]} stage=${files[i]%%/*} test=${files[i]#*/}
			printf '%s\n{"stage": "%s", "test": "%s", "file": "%s", "target": "%s", "size": %d, "sha256": "%.64s", "artifact_id": 1}' \
				"$comma" "$stage" "${test%/*}" "${file##*/}" "$ROOT/$file" "${sizes[i]}" "${sums[i]#\\}"
			comma=,
		done
		printf '\n], "counts": {"tests with goldens": %d, "goldens": %d}}\n' "$tests" "${#files[@]}"
	} >"$dir/manifest.json"
}

# An empty repository whose origin is the one that the fixtures' runs belong to.
hub_repository() {
	new_repository
	git remote add origin https://github.com/NVIDIA/Megatron-LM.git
	git commit -q --allow-empty -m empty
	mkdir -p $ROOT
}

# staged DIR: what lies in a staging folder, small files with their contents.
staged() {
	local file text files
	[ -d "$1/files" ] || return 0
	mapfile -t files < <(cd "$1/files" && find . -type f -printf '%P\n' | LC_ALL=C sort)
	for file in "${files[@]}"; do
		text=
		IFS= read -r -n 100 text <"$1/files/$file" || true
		echo "$file: $text"
	done
}

# Goldens that Megatron-LM's checks say all there is to say of: same, rounded, close, far, loose, full, lost.
checked_goldens() {
	new_repository
	steps() {
		local i
		for ((i = 0; i < $1; i++)); do echo "${2:-1.5}"; done
	}
	golden $ROOT/gpt/same/golden_values_dev.json 'lm loss' 10.5 10.25 -- num-zeros 4 4
	golden $ROOT/gpt/rounded/golden_values_dev.json 'lm loss' 10.123451 10.25 -- num-zeros 4 4
	golden $ROOT/gpt/close/golden_values_dev.json 'lm loss' 10.5 10.25 10 -- num-zeros 100 100 100 -- iteration-time 1 2
	golden $ROOT/gpt/far/golden_values_dev.json 'lm loss' $(steps 300) -- num-zeros 100 100 100
	golden $ROOT/gpt/loose/golden_values_dev.json 'lm loss' 10.5 10.25 -- iteration-time $(steps 24 2)
	golden $ROOT/gpt/full/golden_values_dev.json 'lm loss' 10.123451
	sed -i 's/"step_interval": 1/&, "value_precision": "full"/' $ROOT/gpt/full/golden_values_dev.json
	golden $ROOT/gpt/lost/golden_values_dev.json 'lm loss' 10.5 -- num-zeros 4
	commit
	golden $ROOT/gpt/same/golden_values_dev.json 'lm loss' 10.5 10.25 10 -- num-zeros 4 4
	golden $ROOT/gpt/rounded/golden_values_dev.json 'lm loss' 10.123449 10.25 -- num-zeros 4 4
	golden $ROOT/gpt/close/golden_values_dev.json 'lm loss' 10.6 10.25 9 -- num-zeros 85 115 50 -- iteration-time 9 9
	golden $ROOT/gpt/far/golden_values_dev.json 'lm loss' 9 9 9 9 $(steps 296) -- num-zeros 100 79 79
	golden $ROOT/gpt/loose/golden_values_dev.json 'lm loss' 10.6 10.25 -- iteration-time 99 99 99 99 $(steps 20 2.09)
	golden $ROOT/gpt/full/golden_values_dev.json 'lm loss' 10.123449
	golden $ROOT/gpt/lost/golden_values_dev.json 'lm loss' 10.5
	printf 'ENV_VARS:\n  NON_DETERMINSTIC_RESULTS: "1"\nMETRICS:\n  - iteration-time\n  - "lm loss"\n' \
		>$ROOT/gpt/loose/model_config.yaml
}

# A golden whose loss moved, and one that did not: ../moved.json and ../same.json say so. `git remote add` is the caller's.
reported_changes() {
	new_repository
	golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9
	echo fixture >.git/info/exclude
	commit
	golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 12 9
	regild compare -q --json ../moved.json >/dev/null
	regild compare -q --filter 'metric=elsewhere' --json ../filtered.json >/dev/null
	git checkout -q .
	regild compare -q --json ../same.json >/dev/null
}

# Goldens STAGE/TEST/golden.json of a layout of their own, and what a comparison says of them below its table, under a
# title, after which they are as they were.
staged_repository() {
	new_repository
	printf '[regild]\n\tlayout = plain\n\troot = .\n\tfiles = */*/golden.json\n[names]\n\ttest = {stage}/{test}/{file}\n' >.regild
}
tell() {
	echo "== $1"
	regild compare -q --top 1 | sed -n '/compared,/,$p' | grep -v '^NOISE   not measured'
	git checkout -q .
	git clean -qfd
}
