# SPDX-License-Identifier: Apache-2.0
# A metric that several groups have: the model takes the one that most runs measure, of equal ones the last.
# run ID BRANCH VALUE… makes a staging folder, runs/ID.
run() {
	golden runs/$1/files/gpt/a/golden_values_dev.json 'lm loss' "${@:3}"
	staging_manifest runs/$1 "$1"
	sed -i "s|\"run\": {|\"run\": {\"branch\": \"$2\", \"created_at\": \"2026-03-0$1T00:00:00Z\", |" \
		runs/$1/manifest.json
}
run 1 few 10
run 2 few 20
run 3 many 100
run 4 many 110
run 5 many 120
regild audit --by branch --model model.db --from runs/*
sqlite3 model.db 'SELECT runs_of, n_steps, runs FROM series'
echo '# as many of each'
run 6 few 15
regild audit -q --by branch --model model.db --from runs/*
sqlite3 model.db 'SELECT runs_of, n_steps, runs FROM series'
