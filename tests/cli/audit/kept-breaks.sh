# SPDX-License-Identifier: Apache-2.0
# A break among runs that depend on those before them has no known chance: its p in the history is null, as in the JSON.
for id in $(seq 10 33); do
	hub_run apart "$id" main "" a=$((id < 22 ? 5 : 6)).$((id * 7 % 10))
	hub_run depend "$id" main "" a=$((id < 22 ? 5 : 6)).$(((id / 3 % 4) * 2))
done
sed -i -E 's/2026-03-0(..)T04:00:00Z/2026-03-01T04:\1:00Z/' apart/runs/* depend/runs/*
for runs in apart depend; do
	start_hub "$PWD/$runs"
	XDG_DATA_HOME=$PWD/$runs-data regild audit -q --repo NVIDIA/Megatron-LM --runs "$(seq -s, 10 33)" --csv /dev/null --json audit.json
	stop_hub
	grep -oE "\"kind\": \"[a-z ]*break\", \"run\"|\"(p_adjusted|error_rate)\": [^,}]*" audit.json | sort -u
	XDG_DATA_HOME=$PWD/$runs-data regild history ask breaks --csv - | cut -d , -f 2,4-8
done
# exit: 0
