# SPDX-License-Identifier: Apache-2.0
# VTR's tables have dozens of columns with times and memory: the bottom line tells each unit once, by the worst column.
new_repository
cat >.regild <<'EOF'
[regild]
	root = .
	files = golden_results.txt
EOF
printf 'circuit\tplace_time\troute_time\tpack_mem\troute_mem\tnum_clb\nfir\t1\t2\t100\t200\t7\nstereo\t1\t2\t100\t200\t7\n' >golden_results.txt
commit
printf 'circuit\tplace_time\troute_time\tpack_mem\troute_mem\tnum_clb\nfir\t1.5\t2.2\t90\t190\t8\nstereo\t1.5\t2.2\t90\t190\t7\n' >golden_results.txt
regild compare
regild compare -q --csv ../rows.csv --markdown - | grep '^| `\*'
# A golden that is no table keeps each name.
mkdir a
echo '{"pack_time": {"1": 1}, "route_time": {"1": 1}}' >a/golden_values.json
echo '{"pack_time": {"1": 2}, "route_time": {"1": 2}}' >b.json
regild compare -q --old a/golden_values.json --new b.json
