# SPDX-License-Identifier: Apache-2.0
# A run of each preset's project, refreshed end to end: init recognises the layout by what it finds, and
# `layout = NAME` alone reads the same. What is written is what the artifact has, byte for byte.
export GITHUB_REPOSITORY=o/n

project() {
	mkdir "$1"
	cd "$1"
	new_repository
}

# refreshed NAME ARTIFACTS: in a repository that has old goldens.
refreshed() {
	echo "# $1"
	echo "# $1" >&2
	mkdir -p "../run-$1"
	cat >"../run-$1/run.json" <<-JSON
		{"repository": "o/n", "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z"},
		 "jobs": [{"name": "test (1)", "conclusion": "failure"}, {"name": "test (2)", "conclusion": "success"}],
		 "artifacts": [$2]}
	JSON
	start_hub "../run-$1"
	regild init
	commit
	regild refresh --run 7 --all -q >../refreshed
	git add -A -N
	git diff --no-ext-diff -U0 | grep '^[-+]'
	regild compare -q --csv -
	regild download --run 7 --explain >"../by-init"
	git reset -q --hard
	printf '[regild]\n\tlayout = %s\n' "$1" >.regild
	regild download --run 7 --explain | diff ../by-init -
	cat ../by-init | grep -v '^job'
	stop_hub
	cd ..
}

project torchtitan
mkdir -p tests/assets/losses
printf '1 8.5\n2 7.5\n' >tests/assets/losses/llama3_cuda.txt
printf '1 4.5\n' >tests/assets/losses/same.txt
refreshed torchtitan '{"name": "outputs", "files": {"losses/llama3_cuda.txt": "1 8.5\n2 7.25\n", "log.txt": "x",
	"losses/moe/same.txt": "1 4.5\n"}}'

project dynamo
mkdir -p benchmarks/dynamo/ci_expected_accuracy/rocm
printf 'name,accuracy,graph_breaks\n\n\nresnet,pass,5\n\n\nvgg,pass,0\n' >benchmarks/dynamo/ci_expected_accuracy/inductor_torchbench_training.csv
cp benchmarks/dynamo/ci_expected_accuracy/*.csv benchmarks/dynamo/ci_expected_accuracy/rocm
refreshed pytorch-dynamo '
	{"name": "test-reports-runattempt1-test-inductor_torchbench-1-1-linux.g5.gpu_991.zip",
	 "files": {"test/test-reports/training_torchbench.csv": "name,accuracy,graph_breaks\nresnet,fail_to_run,7\nvgg,pass,0\n"}},
	{"name": "test-reports-runattempt2-test-inductor_torchbench-1-1-linux.g5.gpu_997.zip",
	 "files": {"test/test-reports/training_torchbench.csv": "name,accuracy,graph_breaks\nresnet,pass,6\nvgg,pass,0\n"}}'

project pr-time
mkdir -p benchmarks/dynamo/pr_time_benchmarks
printf 'add_loop,count,3066000000,0.015\n\nsum,count,1000,0.015\n' >benchmarks/dynamo/pr_time_benchmarks/expected_results.csv
refreshed pytorch-pr-time '{"name": "pr_time_benchmarks-7",
	"files": {"benchmarks/expected_results.csv": "add_loop,count,3066000001,0.015\n\nsum,count,1000,0.015\n"}}'

project vtr
for suite in strong/basic_ap nightly/deep/er; do
	mkdir -p vtr_flow/tasks/regression_tests/$suite/config
	printf 'arch\tcircuit\tscript_params\twirelength\na.xml\tc.v\tcommon\t100\n' >vtr_flow/tasks/regression_tests/$suite/config/golden_results.txt
done
refreshed vtr '{"name": "strong_results", "files": {
	"strong/basic_ap/latest/parse_results.txt": "arch\tcircuit\tscript_params\twirelength\na.xml\tc.v\tcommon\t101\n",
	"nightly/deep/er/latest/parse_results.txt": "arch\tcircuit\tscript_params\twirelength\na.xml\tc.v\tcommon\t100\n",
	"nightly/deep/er/run001/parse_results.txt": "x"}}'

project nemo
mkdir -p tests/test_suites/llm/sft
echo '{"train/loss": {"1": 0.5, "2": 0.25}}' >tests/test_suites/llm/sft/metrics.json
refreshed nemo-rl '{"name": "nightly", "files": {"llm/sft/metrics.json": {"train/loss": {"1": 0.5, "2": 0.125}}}}'

project lm-eval
mkdir goldens
echo '{"results": {"mmlu": {"alias": "mmlu", "acc,none": 0.5, "acc_stderr,none": 0.01}}, "n-samples": {}}' >goldens/llama.json
refreshed lm-eval '{"name": "lm-eval-results", "files": {
	"out/llama/results_2026-03-01T04-00-00.json": {"results": {"mmlu": {"alias": "mmlu", "acc,none": 0.51, "acc_stderr,none": 0.01}}, "n-samples": {}}}}'

project google-benchmark
mkdir goldens
echo '{"context": {}, "benchmarks": [{"name": "BM_a", "run_type": "iteration", "iterations": 10, "real_time": 5.0, "cpu_time": 5.0, "time_unit": "ns"}]}' >goldens/sort.json
refreshed google-benchmark '{"name": "benchmark-linux", "files": {
	"build/sort.json": {"context": {}, "benchmarks": [{"name": "BM_a", "run_type": "iteration", "iterations": 10, "real_time": 6.0, "cpu_time": 5.0, "time_unit": "ns"}]}}}'

project plain
mkdir -p goldens/web
printf 'old\n' >goldens/web/page.txt
refreshed plain '{"name": "goldens-7", "files": {"web/page.txt": "new\n", "web/more.txt": "more\n"}}'
