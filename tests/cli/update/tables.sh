# SPDX-License-Identifier: Apache-2.0
# An update of tables: guards name the records that a golden would lose, and a person sees records by
# their keys.
new_repository
printf '[regild]\n\tfiles = *.csv\n' >.regild
mkdir -p $ROOT/bench/t ../staged/files/bench/t
printf 'name,accuracy,graph_breaks\nalexnet,pass,6\nDALLE2,eager_fail,2\ndcgan,pass,8\n' >$ROOT/bench/t/training.csv
printf 'name,time\na,1\nb,2\n' >$ROOT/bench/t/times.csv
commit
printf 'name,accuracy,graph_breaks\ndcgan,fail_to_run,nan\nalexnet,pass,6\n' >../staged/files/bench/t/training.csv
printf 'name,time\nb,4\na,1\n' >../staged/files/bench/t/times.csv
staging_manifest ../staged
try regild update ../staged --dry-run
regild update -q ../staged --allow shrink --allow nonfinite
echo '# line by line, for git diff'
regild textconv $ROOT/bench/t/training.csv
try regild check $ROOT/bench/t/training.csv
