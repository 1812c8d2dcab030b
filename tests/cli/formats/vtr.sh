# SPDX-License-Identifier: Apache-2.0
# VTR's tables by its layout: -1 is no value, times are durations, and a slack is none.
new_repository
printf '[regild]\n\tlayout = vtr\n' >.regild
folder=vtr_flow/tasks/regression_tests/vtr_reg_strong/task/config
mkdir -p $folder
table() {
	printf 'arch\tcircuit\tscript_params\todin_synth_time\tcrit_path_route_time\tsetup_TNS\tnum_clb\n'
	printf 'k6.xml\t%s.v\tcommon\t%s\t%s\t%s\t%s\n' "$@"
}
table a -1 10 -868 4 b -1 -1 -20 5 c 0.5 8 -12 6 d -1 4 0 7 >$folder/golden_results.txt
commit
table a -1 3 -1430 4 b -1 -1 -21 5 c 0.5 2.4 -12 6 d -1 1.2 0 7 >$folder/golden_results.txt
regild compare
try regild compare -q --csv - --columns metric,n_steps,avg_rel_diff,change --fail-on slower=5%,lost,nonfinite
echo '# the same without the layout: -1 is a number, and nothing is a time'
printf '[regild]\n\troot = .\n\tfiles = golden_results.txt\n[table "golden_results.txt"]\n\tkey = circuit\n' >.regild
regild compare | tail -4
echo '# a stage that did not run any more, and one that did'
printf '[regild]\n\tlayout = vtr\n' >.regild
table a 1 10 -868 4 b -1 -1 -20 5 c 0.5 -1 -12 6 d -1 4 0 7 >$folder/golden_results.txt
regild compare
try regild compare -q --fail-on lost
