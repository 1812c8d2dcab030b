# SPDX-License-Identifier: Apache-2.0
# What is beside the figures: PyTorch's tolerances, widened in the golden itself, and values whose mean is
# the same. No figure differs, but the golden does.
new_repository
cat >.regild <<'END'
[regild]
	root = .
	files = *.csv *.json
[table "expected_results.csv"]
	header = no
	names = name,metric,value,noise
	key = name
	metric = metric
	value = value
	tolerance = noise
END
hud='[{"benchmark": {"name": "b"}, "model": {"name": "m"}, "metric": {"name": "x", "benchmark_values": [%s]}}]'
printf 'add,instructions,300,0.015\nsum,instructions,200,0.1\n' >expected_results.csv
printf "$hud" '1, 3' >hud.json
commit
printf 'add,instructions,300,5\nsum,instructions,200,0.1\n' >expected_results.csv
printf "$hud" '2, 2' >hud.json
try regild compare --fail-on changed
