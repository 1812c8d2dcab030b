# SPDX-License-Identifier: Apache-2.0
# A setting that does nothing for a golden whose pattern names it is an error that says why, and a warning if it does
# something for others.
new_repository
cat >.regild <<'END'
[regild]
	root = .
	files = *.json *.csv *.dat *.txt *.log *.jsonl *.yaml *.raw *.npy
END
python3 -c '
import struct
header = "{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": (1,), }".ljust(117) + "\n"
open("x.npy", "wb").write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<d", 1))'
golden series.json 'lm loss' 1 2
echo '[{"name": "u", "v": 2.5}, {"name": "w", "v": 3.5}]' >list.json
printf '1 2.5\n2 3.5\n' >steps.txt
printf '# step a\n1 2.5\n2 3.5\n' >named.txt
printf '1 2.5\n2 3.5\n' >numbers.dat
printf 'epoch,step,loss\n0,1,2.5\n' >metrics.csv
printf 'name,v\na,1\n' >table.csv
printf '{"step": 1, "v": 2}\n{"step": 2, "v": 3}\n' >lines.jsonl
printf 'v: {1: 2}\n' >steps.yaml
printf 'BenchmarkX-8 1000 1050 ns/op\n' >bench.txt
printf 'Step 1 | loss:2.5\n' >torchtune.log
printf 'energy = 5\n' >text.log
printf 'no number\n' >opaque.log
commit
cp .regild ../plain
said() { # FILE SECTION SETTING...
	local file=$1 section=$2
	shift 2
	for line; do
		cp ../plain .regild
		printf '[%s "%s"]\n\t%s\n' "$section" "$file" "$line" >>.regild
		regild check "$file" 2>/dev/null || true
	done
}
said x.npy table 'key = name' 'columns = a' 'metrics = rows'
said x.npy tensor 'dtype = float32'
said x.npy text 'ignore = x'
said series.json table 'metrics = rows' 'key = name' 'columns = v' 'skip = 1'
said list.json table 'key = name' 'columns = v' 'header = no' 'tolerance = v'
said lines.jsonl table 'columns = v' 'comment = %' 'value = v'
said steps.yaml table 'key = v'
said steps.txt table 'value = loss' 'key = step' 'columns = v'
said named.txt table 'value = loss' 'value = a'
said bench.txt table 'key = v'
said bench.txt text 'ignore = x'
said torchtune.log table 'columns = loss'
said text.log table 'key = energy' 'skip = 7'
said opaque.log text 'ignore = x'
echo '== what reads them as a table does'
said numbers.dat table 'key = c1' 'metrics = rows' 'header = yes' 'columns = c1' 'delimiter = tab'
said metrics.csv table 'key = step' 'tolerance = epoch' 'columns = loss'
said table.csv text 'name = v {value}'
echo '== columns that no golden has'
said metrics.csv table 'columns = no-such' 'columns = no-such, loss'
said table.csv table 'columns = no-such'
said list.json table 'columns = no-such'
echo '== a pattern of several goldens'
cp ../plain .regild
printf '[table "*.json"]\n\tkey = name\n[text "*.log"]\n\tname = e {value}\n[tensor "**/*"]\n\tdtype = int8\n' >>.regild
regild check
sed -i 's/2/3/' series.json list.json
regild compare -q --csv - --columns file,metric,avg_rel_diff
git config --file .regild 'table.*.json.skip' 1
try regild check series.json
