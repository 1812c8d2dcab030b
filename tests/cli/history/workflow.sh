# SPDX-License-Identifier: Apache-2.0
# The workflow of regild-history(7), night after night: its steps as the page has them, with GitHub's own
# client. A night begins in an empty workspace with what the last one that went well has left, and one that
# fails takes nothing away.
command -v gh >/dev/null || skip "needs gh"
today=$(date -u +%FT%TZ)
# The client takes no address with a port; the fake GitHub is its proxy.
mkdir bin
cat >bin/gh <<-END
	#!/bin/sh
	http_proxy=\$GITHUB_API_URL exec $(command -v gh) "\$@"
END
chmod +x bin/gh
export PATH=$PWD/bin:$PATH GH_NO_UPDATE_NOTIFIER=1 GH_TOKEN=test-token
export GH_HOST=github.localhost GH_REPO=github.localhost/NVIDIA/Megatron-LM GITHUB_REPOSITORY=NVIDIA/Megatron-LM

# block N: the page's Nth literal block.
block() {
	awk -v wanted="$1" '/^\.Ed/ { inside = 0 } inside { print }
		/^\.Bd -literal/ { inside = ++n == wanted }' "$REGILD_TOP/man/regild-history.7" | sed 's/\\e/\\/g'
}

# What the workflow sets KEY to, at last.
setting() {
	block 1 | sed -n "s/^ *$1: //p" | tail -n 1
}

# The commands that it runs: step.1, step.2, …
steps() {
	block 1 | awk '!/^          / { inside = 0 }
		inside { print substr($0, 11) >("step." n) }
		/^ +(- )?run: / { inside = /\|$/; n++; sub(/.*run: \|?/, ""); print >("step." n) }'
}

# run_steps FOLDER: in the folder, up to one that fails.
run_steps() {
	local step top=$PWD
	for step in step.?; do
		(cd "$1" && bash -e "$top/$step" >"$SCRATCH/said" 2>&1) && continue
		echo "$step fails"
		tail -n 1 "$SCRATCH/said" | grep '^regild:' || true
		return 1
	done
}

# The run that a night is: history_run ID FIELDS ARTIFACTS.
history_run() {
	echo "{\"repository\": \"NVIDIA/Megatron-LM\", \"jobs\": [], \"artifacts\": [$3], \"run\":
		{\"id\": $1, $2, \"path\": \".github/workflows/history.yml\", \"created_at\": \"$today\"}}" \
		>"fixture/runs/$1.json"
}

# night ID [HUB OPTIONS…]: there is one more run of CI, and the artifacts of those before have expired.
night() {
	local id=$1 kept=
	shift
	echo "== night $id"
	sed -i 's/"name": "logs-/"expired": true, &/' fixture/runs/?.json 2>/dev/null || true
	hub_run fixture "${id#1}" main '"path": ".github/workflows/ci.yml",' "a=$id.5" "b=$id.25"
	sed -i "s/2026-03-0.T04:00:00Z/$today/" "fixture/runs/${id#1}.json"
	history_run "$id" '"status": "in_progress"' ''
	start_hub "$PWD/fixture" "$@"
	unset GITHUB_TOKEN
	mkdir "$id"
	XDG_DATA_HOME=$(setting XDG_DATA_HOME | sed "s|\${{ github.workspace }}|$PWD/$id|")
	export XDG_DATA_HOME
	if run_steps "$id"; then
		regild history | cut -d ' ' -f 1,13-
		mkdir -p "fixture/artifacts/$id"
		cp "$id/$(setting path)" "fixture/artifacts/$id"
		history_run "$id" '"conclusion": "success"' "{\"name\": \"$(setting name)\", \"contents\": \"$id\"}"
	else
		history_run "$id" '"conclusion": "failure"' ''
	fi
	stop_hub
}

mkdir -p fixture/runs
steps
wc -l step.*
night 11
night 12
night 13 --fault store:status,value=404,match=/artifact
night 14 --fault api:status,value=404,match=/workflows/ci.yml
night 15
night 16 --fault api:html,match=/workflows/history.yml
night 17
echo "== on a laptop, two days running"
start_hub "$PWD/fixture"
unset GITHUB_TOKEN
export XDG_DATA_HOME=$PWD/laptop
block 2 >laptop.1
mkdir clone
for day in 1 2; do
	(cd clone && bash -e ../laptop.1 && ls -A)
done
