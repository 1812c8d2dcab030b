#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The steps of action.yml and of the workflows in examples/, run against the hub as GitHub's runner runs them
# (tests/actions/steps.py), and GitLab's component as its runner does; without TEST_LONG the action's comparison alone.
# Needs python3 with yaml, and jq.
#
# usage: tests/parts/action.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
top=$PWD
passed=0 failed=0 skipped=0
if ! python3 -c 'import yaml' 2>/dev/null || ! command -v jq >/dev/null; then
	echo "skip action: needs python3 with yaml, and jq"
	echo "0 passed, 0 failed, 1 skipped"
	exit
fi
export REGILD_TOP=$top REGILD_BUILD=$top/$1 LC_ALL=C TZ=UTC TERM=dumb SCRATCH
SCRATCH=$(mktemp -d)
export HOME=$SCRATCH/home RUNNER_TEMP=$SCRATCH/temp
mkdir "$HOME" "$RUNNER_TEMP"
. tests/cli/lib.sh
HUB_PID=
trap 'kill $HUB_PID 2>/dev/null; rm -rf "$SCRATCH"' EXIT

check() { # check WHAT COMMAND…
	local what=$1
	shift
	if "$@" >/dev/null 2>&1; then
		passed=$((passed + 1))
	else
		echo "FAIL action: $what: $*"
		cat "$SCRATCH/printed"
		failed=$((failed + 1))
	fi
}

# The program that was built stands for the one that is installed: make does nothing in a checkout of its own.
checkout=$SCRATCH/checkout
mkdir -p "$checkout/release" "$checkout/build"
cp -r scripts "$checkout/" && cp release/pinned.sha256 "$checkout/release/" && cp "$REGILD_BUILD/regild" "$checkout/build/regild"
printf 'all:\nsetup:\n' >"$checkout/Makefile"
export GITHUB_ACTION_PATH=$checkout GITHUB_ACTIONS=true

mkdir -p "$SCRATCH/fixture/runs" "$SCRATCH/repository"
cd "$SCRATCH/repository" || exit 1
new_repository
git remote add origin https://github.com/o/n.git
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 8 8
commit
base=$(git rev-parse HEAD)
git update-ref refs/remotes/origin/main HEAD
# A fork's run whose golden moved, whose test is named like a command of the runner's.
head=1111111111111111111111111111111111111111
cat >"$SCRATCH/fixture/runs/1.json" <<-JSON
	{"repository": "o/n", "merge_base": "$base",
	 "run": {"id": 1, "created_at": "2026-03-01T04:00:00Z", "conclusion": "failure", "event": "pull_request",
	         "head_repository": "fork/n", "head_branch": "fix", "head_sha": "$head", "path": ".github/workflows/tests.yml"},
	 "jobs": [{"name": "gpt/a - latest", "conclusion": "failure"}, {"name": "gpt/::error::x - latest", "conclusion": "failure"}],
	 "artifacts": [{"name": "logs-a-1-x", "files": {"golden_values_dev.json": {"::set-output name=x::y": {"start_step": 1,
	    "end_step": 1, "step_interval": 1, "values": {"1": 1}}, "lm loss": {"start_step": 1, "end_step": 2, "step_interval": 1,
	    "values": {"1": 12, "2": 12}}}}}],
	 "pulls": [{"number": 5, "head_repository": "fork/n", "head_ref": "fix", "head_sha": "$head"}]}
JSON
echo '[]' >"$SCRATCH/comments.json"
start_hub "$SCRATCH/fixture" --comments "$SCRATCH/comments.json"

run() { # run FILE WORDS…: prints into $SCRATCH/printed; its exit code is in $status
	status=0
	rm -rf "$RUNNER_TEMP" && mkdir "$RUNNER_TEMP"
	python3 "$top/tests/actions/steps.py" "$@" >"$SCRATCH/printed" 2>&1 || status=$?
}
printed() { grep -qF -- "$1" "$SCRATCH/printed"; }
not_printed() { ! grep -q -- "$1" "$SCRATCH/printed"; }
comments() { [ "$(jq length "$SCRATCH/comments.json")" = "$1" ]; }
is() { [ "$1" = "$2" ]; }

# ---- the action ----
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 9 8
commit
GITHUB_BASE_REF=main run "$top/action.yml" command=compare page=true comment=on-look github.event.pull_request.number=5
check compare is "$status" 0
check 'outputs' printed 'exit-code=0'
check 'outputs' printed 'rows-to-review=1'
check 'outputs' printed 'outcome=done'
check 'the page is uploaded' printed 'uploads goldens-job.html'
check 'the summary' grep -q 'headline numbers' "$RUNNER_TEMP/summary.md"
check 'one comment' comments 1
check 'the page is linked' grep -q 'actions/runs/1/artifacts/2' "$SCRATCH/comments.json"
if [ -z "${TEST_LONG:-}" ]; then
	echo "$passed passed, $failed failed, 0 skipped"
	[ $failed = 0 ]
	exit
fi
# Jobs of a run, matrices and calls: each page has a name of its own.
pages() {
	for job in a b a.1; do
		GITHUB_BASE_REF=main GITHUB_JOB=${job%.*} run "$top/action.yml" command=compare page=true strategy.job-total=2 strategy.job-index="${job##*[a-z.]}"
		grep uploads "$SCRATCH/printed"
	done | sort -u | wc -l
}
check 'pages of jobs' is "$(pages)" 3
call() { # call NAME=VALUE…: a call of the job whose files are there; its outputs are in $SCRATCH/printed
	: >"$SCRATCH/printed"
	env GITHUB_OUTPUT="$SCRATCH/printed" GITHUB_STEP_SUMMARY=/dev/null COMMAND=compare RUN= SCOPE= FAIL_ON= FOLDER=. GITHUB_BASE_REF=main \
		"$@" bash "$checkout/scripts/action.sh" run >"$SCRATCH/said" 2>&1 || true
}
rm -rf "$RUNNER_TEMP" && mkdir -p "$RUNNER_TEMP/regild/bin" && ln -s "$REGILD_BUILD/regild" "$RUNNER_TEMP/regild/bin/regild"
call
check 'the first call' printed 'rows-to-review=1'
first=$(grep page= "$SCRATCH/printed")
call GITHUB_BASE_REF=nothing
check 'a call that fails after one that did not' printed 'exit-code=3'
check 'it has no page, no JSON and no rows of the first' not_printed '^page=\|^json=\|^rows-to-review=[^0]'
call
check 'the third call' printed 'rows-to-review=1'
check 'its page has another name' not_printed "^$first\$"
# A newer commit of the request: an older run leaves its comment alone.
comment() { # comment NAME=VALUE…
	(env JSON="$RUNNER_TEMP/regild/rows.json" FOLDER=. COMMENT=always GITHUB_TOKEN=test-token RUN= PULL= "$@" bash "$checkout/scripts/action.sh" comment) \
		>"$SCRATCH/printed" 2>&1
}
jq -c 'map(.body)' "$SCRATCH/comments.json" >"$SCRATCH/before"
check 'a commit that is not the head' is "$(comment PULL=5 HEAD=2222222222222222222222222222222222222222; echo $?)" 3
check 'it writes nothing' cmp <(jq -c 'map(.body)' "$SCRATCH/comments.json") "$SCRATCH/before"
check 'the head' comment PULL=5 HEAD=$head
check 'a merge queue' comment GITHUB_EVENT_NAME=merge_group GITHUB_REF=refs/heads/gh-readonly-queue/main/pr-5-$head
check 'a branch of that name, of another event' is "$(comment GITHUB_EVENT_NAME=push GITHUB_REF=refs/heads/gh-readonly-queue/main/pr-5-$head; echo $?)" 2
GITHUB_BASE_REF=main run "$top/action.yml" command=compare fail-on=changed
check 'a gate' is "$status" 1
check 'a gate' printed 'outcome=gate'
run "$top/action.yml" command=refresh run=1
check 'the scope is not guessed' printed 'is never guessed'
run "$top/action.yml" command=refresh run=1 scope=only-failing
check 'a fork is held back' printed 'exit-code=4'
run "$top/action.yml" command=check
check 'check' is "$status" 0
run "$top/action.yml" 'command=$(touch evil)'
check 'a command is no text of a script' is "$status" 2
check 'a command is no text of a script' test ! -e evil
run "$top/action.yml" version=9.9.9
check 'a version that is not pinned' printed 'has no version 9.9.9'
# A release, as its workflow pins it; curl brings what is there.
mkdir "$SCRATCH/bin" && printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\ncp "%s" "$2"\n' "$SCRATCH/released" >"$SCRATCH/bin/curl"
chmod 755 "$SCRATCH/bin/curl" && cp "$REGILD_BUILD/regild" "$SCRATCH/released" && cp "$top/release/pin.sh" "$checkout/release/"
echo "$(sha256sum <"$SCRATCH/released" | cut -d ' ' -f 1)  regild-1.2.3-linux-$(uname -m)" >"$SCRATCH/sums"
bash "$checkout/release/pin.sh" 1.2.3 https://example.com/v1.2.3 "$SCRATCH/sums"
PATH=$SCRATCH/bin:$PATH run "$top/action.yml" command=check version=1.2.3
check 'a release that is pinned' is "$status" 0
echo changed >>"$SCRATCH/released"
PATH=$SCRATCH/bin:$PATH run "$top/action.yml" command=check version=1.2.3
check 'a release that was changed' printed 'is not what was pinned'
cp "$top/release/pinned.sha256" "$checkout/release/"

# ---- examples/github ----
git checkout -q --detach "$base"
GITHUB_BASE_REF=main run "$top/examples/github/pr.yml" compare
check pr.yml is "$status" 0
run "$top/examples/github/comment.yml" comment github.event.workflow_run.event=pull_request github.event.workflow_run.id=1 \
	github.event.workflow_run.head_sha=$head
check comment.yml is "$status" 0
check 'comment.yml: the same comment' comments 1
check 'comment.yml: of the run' grep -q 'lm loss' "$SCRATCH/comments.json"
check 'nothing of the fork is obeyed' not_printed '^::set-output\|^::error::x'
run "$top/examples/github/comment.yml" comment github.event.workflow_run.event=pull_request github.event.workflow_run.id=1 \
	github.event.workflow_run.head_sha=2222222222222222222222222222222222222222
check 'comment.yml: the request has moved on' is "$status" 3
run "$top/examples/github/comment.yml" comment github.event.workflow_run.event=push github.event.workflow_run.id=1
check 'comment.yml: another event' printed 'not for this event'
run "$top/examples/github/history.yml" audit
check 'history.yml: the workflow is not there' printed 'nightly.yml'
# Nightly runs, and a shared history, which here is a file.
hub_runs "$SCRATCH/nightly" 1 2 3
sed -i 's|"repository": "[^"]*"|"repository": "o/n"|; s|"run": {|&"path": ".github/workflows/nightly.yml", "head_branch": "main", |' \
	"$SCRATCH"/nightly/runs/*.json
stop_hub
start_hub "$SCRATCH/nightly"
shared() { regild history list --json - | jq -c '[.runs[].id]'; }
run "$top/examples/github/history.yml" audit github.workspace="$SCRATCH/job"
check 'history.yml: without a shared history' is "$status" 0
check 'history.yml: nothing is shared' not_printed 'share the runs'
run "$top/examples/github/history.yml" audit github.workspace="$SCRATCH/job" secrets.REGILD_HISTORY="$SCRATCH/shared.db"
check 'history.yml: with one' is "$status" 0
check 'history.yml: the runs are in it' is "$(REGILD_HISTORY=$SCRATCH/shared.db shared)" '[1,2,3]'
run "$top/examples/github/history.yml" audit github.workspace="$SCRATCH/job" secrets.REGILD_HISTORY=clickhouse://127.0.0.1:1/regild
check 'history.yml: a server that is not there' is "$status" 3
stop_hub
start_hub "$SCRATCH/fixture" --comments "$SCRATCH/comments.json"

# refresh-pr.yml with a gh that notes what it is asked for, and a remote to push to.
git init -q --bare "$SCRATCH/remote.git" && git config remote.origin.pushurl "$SCRATCH/remote.git"
mkdir "$SCRATCH/gh"
printf '#!/bin/sh\necho "gh $*" >>"%s/gh.log"\n[ "$2" != edit ]\n' "$SCRATCH" >"$SCRATCH/gh/gh" && chmod +x "$SCRATCH/gh/gh"
sed 's/"head_repository": "fork\/n", "head_branch"/"head_branch"/; s/"event": "pull_request",/"event": "schedule",/' \
	"$SCRATCH/fixture/runs/1.json" >"$SCRATCH/fixture/runs/1" && mv "$SCRATCH/fixture/runs/1" "$SCRATCH/fixture/runs/1.json"
stop_hub
start_hub "$SCRATCH/fixture"
PATH=$SCRATCH/gh:$PATH run "$top/examples/github/refresh-pr.yml" refresh inputs.run=1 inputs.scope=only-failing
check refresh-pr.yml is "$status" 0
check 'refresh-pr.yml: a branch a scope' git --git-dir="$SCRATCH/remote.git" rev-parse -q --verify regild/only-failing
check 'refresh-pr.yml: a request' grep -q 'gh pr create --head regild/only-failing --title Refresh 1 golden' "$SCRATCH/gh.log"
check 'refresh-pr.yml: the message names the run' sh -c "git log -1 --format=%B | grep -q Regild-Run"
check 'refresh-pr.yml: goldens alone' is "$(git show --name-only --format= | grep -cv golden_values)" 0
stop_hub

# ---- examples/gitlab ----
mkdir -p "$SCRATCH/gitlab/pipelines"
echo '{"project": "group/p", "project_id": 42, "pipeline": {"id": 9, "created_at": "2026-03-01T04:00:00Z"}, "merge_request": 5, "jobs": []}' \
	>"$SCRATCH/gitlab/pipelines/9.json"
echo '[]' >"$SCRATCH/comments.json"
unset GITHUB_ACTIONS
start_gitlab "$SCRATCH/gitlab" --comments "$SCRATCH/comments.json"
python3 - "$top/examples/gitlab/goldens.yml" >"$SCRATCH/script" <<'END'
import sys, yaml
spec, jobs = yaml.safe_load_all(open(sys.argv[1]))
assert set(spec["spec"]["inputs"]) == {"image", "stage", "fail-on"}
print("\n".join(jobs["goldens"]["script"]))
END
(
	export CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main CI_MERGE_REQUEST_IID=5 CI_PROJECT_URL=$GITLAB_URL/group/p \
		CI_JOB_URL=https://gitlab.example/group/p/-/jobs/1 FAIL_ON=nonfinite PATH=$REGILD_BUILD:$PATH
	bash -e "$SCRATCH/script"
) >"$SCRATCH/printed" 2>&1
check goldens.yml is $? 0
check 'goldens.yml: a note' comments 1
check 'goldens.yml: the page' grep -q 'jobs/1/artifacts/file/goldens.html' "$SCRATCH/comments.json"

# ---- actionlint, over the workflows and, as a workflow of its inputs and steps, the action ----
if sh "$top/scripts/setup.sh" --actions >"$SCRATCH/printed" 2>&1; then
	python3 - "$top/action.yml" >"$SCRATCH/action.yml" <<'END'
import json, sys, yaml
action = yaml.safe_load(open(sys.argv[1]))
inputs = {name: {"type": "string", **{key: value for key, value in of.items() if key in ("description", "required", "default")}}
          for name, of in action["inputs"].items()}
print(json.dumps({"on": {"workflow_call": {"inputs": inputs}},
                  "jobs": {"action": {"runs-on": "ubuntu-latest", "steps": action["runs"]["steps"]}}}, indent=1))
END
	sed 's/inputs\.command/inputs.comand/' "$SCRATCH/action.yml" >"$SCRATCH/wrong.yml"
	lint() { node "$top/tests/actions/lint.mjs" "$top/build/actions" "$@" >"$SCRATCH/printed" 2>&1; }
	finds() { ! lint "$1" && grep -q "$2" "$SCRATCH/printed"; }
	for file in "$top"/examples/github/*.yml "$SCRATCH/action.yml"; do
		lint "$file"
		check "actionlint: ${file##*/}" is $? 0
	done
	check 'actionlint finds what is wrong' finds "$SCRATCH/wrong.yml" comand
else
	echo "skip actionlint: cannot be installed"
	skipped=1
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
