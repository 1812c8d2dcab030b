# SPDX-License-Identifier: Apache-2.0
# Go's benchmark lines: a benchmark is a record, and each unit is a metric of its own.
new_repository
printf '[regild]\n\troot = .\n\tfiles = *.txt *.out\n' >.regild
bench() {
	printf 'goos: linux\ngoarch: amd64\npkg: example.com/%s\ncpu: AMD EPYC 7763 64-Core\n' "$1"
	printf 'BenchmarkSort-8   \t    1000\t      %s ns/op\t      %s B/op\t       2 allocs/op\n' "$2" "$3" "$4" 64
	printf 'BenchmarkFind/n=10-8 500 8.5 ns/op 12.5 MB/s\n--- BENCH: BenchmarkFind-8\nPASS\nok  \texample.com/%s\t1.%s\n' "$1" "$2"
}
bench a 1050 64 1000 >bench.txt
{ bench a 1050 64 1000; bench b 2000 64 2000; } >two.out
printf 'BenchmarkA-4 10 5 ns/op\n# seed 7\n' >seed.out
commit
echo '== each row is by hand'
# ns/op: 1050 -> 2100 is -1, the repetition stays 1000, Find 8.5: over 3. B/op: 64 -> 48 is 0.25 over 2.
bench a 2100 48 1000 | sed 's/7763/9654/' >bench.txt
# The second package's Sort: 2000 -> 1000 is 0.5 over 6 records.
{ bench a 1050 64 1000; bench b 1000 64 2000; } >two.out
printf 'BenchmarkA-4 10 5 ns/op\n# seed 8\n' >seed.out
regild compare -q --csv - --columns file,metric,n_steps,avg_rel_diff,first_diff
regild compare 2>&1 | grep -e warning -e slower
echo '== with a section it is a text'
printf '[text "bench.txt"]\n\tignore = "ok *"\n' >>.regild
regild compare -q --csv - --file bench.txt --columns metric | grep -e iterations -e Sort
