#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A GitLab pipeline of 60 jobs of 20 MB with two goldens each, every answer 30 ms late, against
# python-gitlab, which fetches each job's whole archive, one after the other: with artifacts/tree, and
# with ranges of the archives alone. And 1,000 extracted artifacts in a folder, against reading the
# goldens in them.
#
# usage: tests/bench/gitlab.bench.sh BUILD_DIR
set -eu
clients=$(cd "$(dirname "$0")/../clients" && pwd)
. "$(dirname "$0")/lib.sh"
python=/usr/bin/python3

jobs=60
goldens=$(cd "$(dirname "$0")/../.." && pwd)/fixtures/demo/artifacts

# One body for all jobs, so that the hub needs memory for one.
make_pipelines() {
	local dir=$1 i folder
	mkdir -p "$dir/pipelines"
	cat >"$dir/pipelines/1.json" <<-'END'
		{"project": "adlr/megatron-lm", "project_id": 19378,
		 "pipeline": {"id": 100, "created_at": "2026-03-01T04:00:00Z", "status": "failed"},
		 "bridges": [{"name": "functional:run_dev", "downstream": 101}]}
	END
	{
		echo '{"project": "adlr/megatron-lm", "project_id": 19378, "pipeline": {"id": 101,'
		echo '"created_at": "2026-03-01T04:05:00Z", "status": "failed", "source": "parent_pipeline"}, "jobs": ['
		for i in $(seq 1 "$jobs"); do
			printf '{"name": "test_%03d", "stage": "gpt", "status": "failed", "artifacts": {"contents": "job-%s", ' "$i" "$i"
			printf '"filler": {"name": "results/iteration=0/a/logs/stdout.log", "size": 20971520}}}'
			[ "$i" = "$jobs" ] || echo ,
		done
		echo ']}'
	} >"$dir/pipelines/2.json"
	for i in $(seq 1 "$jobs"); do
		folder=$dir/artifacts/job-$i/results/iteration=0/a/assets/basic/$(printf 'test-%03d' "$i")
		mkdir -p "$folder"
		cp "$goldens"/logs-moe_mcore_tp2_pp2_ep4-*/golden_values_*.json "$folder/"
	done
}

hub=
start() {
	rm -f "$scratch/ready"
	: >"$scratch/log"
	hub --log "$scratch/log" --ready "$scratch/ready" --fault api:latency,seconds=0.03 \
		--fault store:latency,seconds=0.03 "$@" "$scratch/fixture" >"$scratch/hub.out" 2>&1 &
	hub=$!
	for _ in $(seq 1 2400); do
		[ ! -s "$scratch/ready" ] || break
		sleep 0.05
	done
	read -r url <"$scratch/ready"
}
stop() {
	[ -z "$hub" ] || { kill "$hub" && wait "$hub"; } 2>/dev/null || true
	hub=
}
trap 'stop; rm -rf "$scratch"' EXIT

make_pipelines "$scratch/fixture"
mkdir "$scratch/repository"
cd "$scratch/repository"
touch README
commit_all
export GITLAB_TOKEN=test-token
whole=$((jobs * 20971520))

pipeline=adlr/megatron-lm/-/pipelines/100
theirs=
if "$python" -c 'import gitlab' 2>/dev/null; then
	# It sends its token to wherever it is redirected, which a store refuses.
	start --stream
	measure 1 "$python $clients/gitlab_goldens.py $url test-token adlr/megatron-lm 100 $scratch/theirs" \
		>"$scratch/measured"
	read -r theirs _ <"$scratch/measured"
	stop
else
	echo "       python-gitlab (python3-gitlab) is not installed: nothing to hold the times against"
fi

for way in 'artifacts/tree' 'ranges alone'; do
	start $([ "$way" = 'artifacts/tree' ] || echo --no-tree)
	download="regild download --quiet --all --no-cache --run $url/$pipeline"
	$download -o "$scratch/once" >"$scratch/printed"
	grep -q "^$jobs tests with goldens, $((2 * jobs)) goldens" "$scratch/printed"
	[ -z "$theirs" ] || diff -r "$scratch/once/files" "$scratch/theirs"
	bytes=$(awk '{ bytes += $5 } END { print bytes }' "$scratch/log")
	printf '       %s, %s jobs of 20 MB: %s bytes moved of %s\n' "$way" "$jobs" "$bytes" "$whole"
	bar "$way: bytes moved, share of all" \
		"$(awk "BEGIN { printf \"%.2f\", 100 * $bytes / $whole }")" 1 %
	measure 3 "rm -rf $scratch/ours; $download -o $scratch/ours" >"$scratch/measured"
	read -r ours _ <"$scratch/measured"
	printf '       regild %s s, python-gitlab %s s\n' "$ours" "${theirs:--}"
	[ -z "$theirs" ] || bar "$way: time over python-gitlab's" "$(ratio "$ours" "$theirs")" 0.2 x
	rm -rf "$scratch/ours" "$scratch/once"
	stop
done

exit "$missed"
