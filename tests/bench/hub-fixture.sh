#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Writes a fixture for the hub: run 9001 with N failing jobs, each with an artifact of SIZE bytes of
# logs around two goldens. All artifacts share one body, so that the hub needs memory for one.
# usage: tests/bench/hub-fixture.sh DIR [N [SIZE]]      default: 60 of 20 MiB
# Then: hub --fault api:latency,seconds=0.03 --fault store:latency,seconds=0.03 … DIR
set -eu
dir=$1 n=${2:-60} size=${3:-20971520}
goldens=$(cd "$(dirname "$0")/../.." && pwd)/fixtures/demo/artifacts
mkdir -p "$dir/artifacts/shared"
cp "$goldens"/logs-moe_mcore_tp2_pp2_ep4-*/golden_values_*.json "$dir/artifacts/shared/"
{
	echo '{"repository": "NVIDIA/Megatron-LM", "run": {"id": 9001, "created_at": "2026-03-04T05:00:00Z"},'
	echo '"jobs": ['
	for i in $(seq 1 "$n"); do
		printf '{"name": "gpt/test_%03d - latest", "conclusion": "failure"}' "$i"
		[ "$i" = "$n" ] || echo ,
	done
	printf '],\n"artifacts": [\n'
	for i in $(seq 1 "$n"); do
		printf '{"name": "logs-test_%03d-9001-%04x", "contents": "shared", ' "$i" "$i"
		printf '"filler": {"name": "logs/stdout.log", "size": %d}}' "$size"
		[ "$i" = "$n" ] || echo ,
	done
	echo ']}'
} >"$dir/run.json"
