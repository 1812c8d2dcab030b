# SPDX-License-Identifier: Apache-2.0
# PyTorch's accuracy tables: shards of two jobs, one of them run again, become one golden as the project's own
# script writes it: three of the artifact's columns, three blank lines between records, the models in the golden's
# order and a model that is new after the one that it follows.
export GITHUB_REPOSITORY=pytorch/pytorch
expected=benchmarks/dynamo/ci_expected_accuracy
header=dev,name,batch_size,accuracy,calls_captured,unique_graphs,graph_breaks,compilation_latency

# spread LINE...: with three blank lines between them.
spread() {
	printf '%s\n' "$1"
	shift
	printf '\n\n\n%s\n' "$@"
}

mkdir repository
cd repository
new_repository
mkdir -p $expected
spread name,accuracy,graph_breaks BERT_pytorch,pass,6 alexnet,pass,6 yolov3,fail_to_run,8 >$expected/dynamic_inductor_torchbench_training.csv
spread name,accuracy,graph_breaks adv_inception_v3,pass,7 beit_base_patch16_224,pass,7 >$expected/inductor_timm_training.csv
regild init
commit
cp -r $expected ../wanted
spread name,accuracy,graph_breaks BERT_pytorch,pass,6 alexnet,pass,5 basic_gnn_gcn,pass,13 yolov3,pass,8 >../wanted/dynamic_inductor_torchbench_training.csv

mkdir ../run
cat >../run/run.json <<JSON
{"repository": "pytorch/pytorch",
 "run": {"id": 7, "attempt": 2, "created_at": "2026-03-01T04:00:00Z"},
 "jobs": [{"name": "cuda12.4 / test (dynamic_inductor_torchbench, 1, 2, linux.24xl.spr-metal)", "conclusion": "success"},
          {"name": "cuda12.4 / test (dynamic_inductor_torchbench, 2, 2, linux.24xl.spr-metal)", "conclusion": "failure"}],
 "artifacts": [
  {"name": "test-reports-runattempt1-test-dynamic_inductor_torchbench-2-2-linux.24xl.spr-metal_990.zip",
   "files": {"test-reports/training_torchbench.csv": "$header\ncuda,basic_gnn_gcn,1,timeout,0,0,0,0\n"}},
  {"name": "test-reports-runattempt2-test-dynamic_inductor_torchbench-2-2-linux.24xl.spr-metal_995.zip",
   "files": {"test-reports/training_torchbench.csv": "$header\ncuda,basic_gnn_gcn,1,pass,99,3,13,4.5\ncuda,yolov3,1,pass,99,3,8,61.25\n",
             "test-reports/python-pytest/test_a.csv": "a,b\n1,2\n"}},
  {"name": "test-reports-runattempt1-test-dynamic_inductor_torchbench-1-2-linux.24xl.spr-metal_991.zip",
   "files": {"test-reports/training_torchbench.csv": "$header\ncuda,BERT_pytorch,1,pass,99,3,6,4.5\ncuda,alexnet,1,pass,99,3,5,1.25\n"}},
  {"name": "test-reports-runattempt1-test-inductor_timm-1-1-linux.g5.4xlarge.nvidia.gpu_992.zip",
   "files": {"test-reports/training_timm_models.csv": "$header\ncuda,adv_inception_v3,8,pass,1,1,7,2.5\ncuda,beit_base_patch16_224,8,pass,1,1,7,2.5\n"}},
  {"name": "test-reports-runattempt1-test-inductor_torchbench_cpu_smoketest_perf-1-1-linux.24xl.spr-metal_993.zip",
   "files": {"test-reports/training_torchbench.csv": "$header\n"}}]}
JSON
start_hub ../run
regild refresh --run 7 --only-failing -v
diff -r ../wanted $expected
git diff --no-ext-diff -U0 | grep '^[-+]'
regild compare -q --csv -
regild undo -q
git status --short
echo '# a column alone'
regild update .git/regild/runs/7 -q --metric graph_breaks
git diff --no-ext-diff -U0 | grep '^[-+]'
git reset -q --hard
stop_hub

echo '# out of the bucket: attempts have a folder of their own there'
mkdir ../bucket
(
	cd ../bucket
	mkdir -p test/test-reports
	printf '%s\ncuda,yolov3,1,pass,99,3,8,61.25\n' $header >test/test-reports/training_torchbench.csv
	zip -q test-reports-test-dynamic_inductor_torchbench-2-2-linux.g5_995.zip test/test-reports/*.csv
	printf '%s\ncuda,BERT_pytorch,1,pass,99,3,6,4.5\ncuda,alexnet,1,pass,99,3,5,1.25\ncuda,basic_gnn_gcn,1,pass,99,3,13,4.5\n' $header >test/test-reports/training_torchbench.csv
	zip -q test-reports-test-dynamic_inductor_torchbench-1-2-linux.g5_991.zip test/test-reports/*.csv
	rm -r test
)
regild refresh --from ../bucket
diff ../wanted/dynamic_inductor_torchbench_training.csv $expected

echo '# two shards that do not go together'
git reset -q --hard
sed -i 's/BERT_pytorch,1,pass/yolov3,1,timeout/' ../run/run.json
start_hub ../run
try regild download --run 7 --all -o ../staged
