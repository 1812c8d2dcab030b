# SPDX-License-Identifier: Apache-2.0
# A run of each preset's project, refreshed end to end: init recognises the layout by what it finds, and
# `layout = NAME` alone reads the same. What is written is what the artifact has, byte for byte.
export GITHUB_REPOSITORY=o/n

project() {
	mkdir "$1"
	cd "$1"
	new_repository
}

# refreshed NAME ARTIFACTS [JOBS]: in a repository that has old goldens.
refreshed() {
	local jobs=$3
	[ -n "$jobs" ] ||
		jobs='{"name": "test (1)", "conclusion": "failure"}, {"name": "test (2)", "conclusion": "success"}'
	echo "# $1"
	echo "# $1" >&2
	mkdir -p "../run-$1"
	cat >"../run-$1/run.json" <<-JSON
		{"repository": "o/n", "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z"},
		 "jobs": [$jobs], "artifacts": [$2]}
	JSON
	start_hub "../run-$1"
	regild init
	commit
	regild refresh --run 7 --all -q >../refreshed || echo "exit code $?"
	changed
	regild download --run 7 --explain >"../by-init"
	git reset -q --hard
	printf '[regild]\n\tlayout = %s\n' "$1" >.regild
	regild download --run 7 --explain | diff ../by-init -
	cat ../by-init | grep -v '^job'
	stop_hub
	cd ..
}

# From a folder, where no CI is known to keep these.
taken() {
	echo "# $1"
	echo "# $1" >&2
	regild init
	commit
	regild refresh --from "$2" -q >../refreshed
	changed
	cd ..
}

changed() {
	git add -A -N
	git diff --no-ext-diff -U0 | grep -e '^[-+]' -e '^Binary'
	regild compare -q --csv - --columns stage,test,file,metric,n_steps,avg_rel_diff || true
}

project torchtitan
mkdir -p tests/assets/losses/real_pg/a10g tests/assets/losses/fake_pg/a10g
printf '1 8.5\n2 7.5\n' >tests/assets/losses/llama3_cuda.txt
printf '1 4.5\n' | tee tests/assets/losses/real_pg/a10g/qwen3.txt tests/assets/losses/real_pg/a10g/sft.txt >tests/assets/losses/fake_pg/a10g/qwen3.txt
printed='2026-03-01T04:00:01.0000000Z [LOSS_COMPARE] %s\n'
{
	printf "$printed" 'Loss assertion failed!'
	printf "$printed" 'Note that you should verify the loss curve change is not a regression first!!!'
	printf '2026-03-01T04:00:01.0000000Z %s\n' '1 8.5' '2 7.25'
	printf "$printed" ''
} >../titan.log
mkdir ../run-torchtitan
cp ../titan.log ../run-torchtitan
refreshed torchtitan '
	{"name": "integration-8gpu-models-outputs", "files": {"qwen3.txt": "1 4.25\n", "qwen3/tb/log.txt": "x"}},
	{"name": "integration-8gpu-features-outputs", "files": {"sft.txt": "1 4.5\n"}},
	{"name": "integration-1gpu-outputs", "created_at": "2026-03-01T04:10:00Z", "files": {"qwen3.txt": "1 9\n"}},
	{"name": "integration-1gpu-outputs", "created_at": "2026-03-01T05:10:00Z", "files": {"qwen3.txt": "1 4.75\n"}}' '
	{"name": "build-test (cuda, linux.g5.48xlarge.nvidia.gpu, cuda, 13.0) / linux-job", "conclusion": "failure", "log_file": "titan.log"},
	{"name": "build-test (rocm, linux.rocm.gpu.gfx942.8, rocm, 7.0) / linux-job", "conclusion": "success", "log": "all equal\n"}'

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
printf 'add_loop,count,3066000000,0.015\n\n\n\nsum,count,1000,0.015\n' >benchmarks/dynamo/pr_time_benchmarks/expected_results.csv
refreshed pytorch-pr-time '
	{"name": "test-reports-runattempt1-test-pr_time_benchmarks-1-1-linux.g4dn.metal.nvidia.gpu_991.zip", "files":
		{"test-reports/new_expected_results.csv": "add_loop,count,9,0.015\r\nsum,count,1000,0.015\r\n"}},
	{"name": "test-reports-runattempt2-test-pr_time_benchmarks-1-1-linux.g4dn.metal.nvidia.gpu_997.zip", "files":
		{"test-reports/pr_time_benchmarks_results.csv": "add_loop,count,3066512345\nsum,count,1000\n",
		 "test-reports/new_expected_results.csv": "add_loop,count,3066500000,0.015\r\n\r\n\r\n\r\nsum,count,1000,0.015\r\n\r\n\r\n\r\n"}}'

project vtr
for suite in vtr_reg_strong/basic_ap/ch_intrinsics vtr_reg_basic/er vtr_reg_nightly_test1/arith; do
	mkdir -p vtr_flow/tasks/regression_tests/$suite/config
	printf 'arch\tcircuit\tscript_params\twirelength\na.xml\tc.v\tcommon\t100\n' >vtr_flow/tasks/regression_tests/$suite/config/golden_results.txt
done
table='arch\tcircuit\tscript_params\twirelength\na.xml\tc.v\tcommon\t'
refreshed vtr '
	{"name": "Strong_results", "files": {
		"tasks/regression_tests/vtr_reg_strong/basic_ap/ch_intrinsics/run001/parse_results.txt": "'$table'101\n",
		"tasks/regression_tests/vtr_reg_strong/basic_ap/ch_intrinsics/run001/a.xml/c.v/common/parse_results.txt": "x"}},
	{"name": "Basic_results", "created_at": "2026-03-01T04:10:00Z", "files": {
		"tasks/regression_tests/vtr_reg_basic/er/run001/parse_results.txt": "'$table'1\n"}},
	{"name": "Basic_results", "created_at": "2026-03-01T05:10:00Z", "files": {
		"tasks/regression_tests/vtr_reg_basic/er/run001/parse_results.txt": "'$table'99\n"}},
	{"name": "Basic with NO_GRAPHICS_results", "files": {
		"tasks/regression_tests/vtr_reg_basic/er/run001/parse_results.txt": "'$table'7\n"}},
	{"name": "nightly_tests_golden", "files": {
		"tasks/regression_tests/vtr_reg_nightly_test1/arith/config/golden_results.txt": "'$table'100\n"}}'

. "$REGILD_TOP/tests/formats/goldens.sh"
project executorch
golden_model goldens/xnnpack/relu
golden_model goldens/xnnpack/gone_0
golden_model goldens/xnnpack_static_int8/relu
golden_model goldens/vulkan/relu
mkdir ../run-executorch
(
	cd ../run-executorch
	mkdir artifacts
	golden_model artifacts/test-report-xnnpack-xnnpack-models/golden-artifacts/xnnpack/relu
	echo '{}' >artifacts/test-report-xnnpack-xnnpack-models/test-report-xnnpack-models.json
	golden_model artifacts/operators/golden-artifacts/xnnpack/abs
	golden_model artifacts/old/golden-artifacts/xnnpack/abs
	printf '\000\000\240\100\000\000\100\100' >artifacts/old/golden-artifacts/xnnpack/abs_expected_output_0.bin
	golden_model packed/xnnpack_static_int8/relu
	printf '\000\000\240\100\000\000\100\100' >packed/xnnpack_static_int8/relu_expected_output_0.bin
	mkdir artifacts/golden-artifacts-xnnpack
	regild executorch pack -q packed -o artifacts/golden-artifacts-xnnpack/golden_artifacts_26030104.zip >/dev/null
)
refreshed executorch '
	{"name": "test-report-xnnpack-xnnpack-models"},
	{"name": "test-report-xnnpack-xnnpack-operators", "created_at": "2026-03-01T04:10:00Z", "contents": "old"},
	{"name": "test-report-xnnpack-xnnpack-operators", "created_at": "2026-03-01T05:10:00Z", "contents": "operators"},
	{"name": "golden-artifacts-xnnpack"}' '
	{"name": "test-xnnpack / test-backend-linux (xnnpack, models) / linux-job", "conclusion": "success"},
	{"name": "test-xnnpack / test-backend-linux (xnnpack, operators) / linux-job", "conclusion": "failure"},
	{"name": "test-xnnpack / package-golden-artifacts", "conclusion": "success"}'

project nemo
mkdir -p tests/test_suites/llm/h100/sft
echo '{"train/loss": {"1": 0.5, "2": 0.25}}' >tests/test_suites/llm/h100/sft/metrics.json
mkdir -p ../snapshot/llm/h100/sft/logs
echo '{"train/loss": {"1": 0.5, "2": 0.125}}' >../snapshot/llm/h100/sft/metrics.json
taken nemo-rl ../snapshot

project lm-eval
mkdir goldens
echo '{"results": {"mmlu": {"alias": "mmlu", "acc,none": 0.5, "acc_stderr,none": 0.01}}, "n-samples": {}}' >goldens/EleutherAI__pythia-160m.json
mkdir -p ../out/EleutherAI__pythia-160m
echo '{"results": {"mmlu": {"alias": "mmlu", "acc,none": 0.51, "acc_stderr,none": 0.01}}, "n-samples": {}}' >../out/EleutherAI__pythia-160m/results_2026-03-01T04-00-00.123456.json
taken lm-eval ../out

project google-benchmark
mkdir goldens
echo '{"context": {}, "benchmarks": [{"name": "BM_a", "run_type": "iteration", "iterations": 10, "real_time": 5.0, "cpu_time": 5.0, "time_unit": "ns"}]}' >goldens/sort.json
mkdir ../build
echo '{"context": {}, "benchmarks": [{"name": "BM_a", "run_type": "iteration", "iterations": 10, "real_time": 6.0, "cpu_time": 5.0, "time_unit": "ns"}]}' >../build/sort.json
taken google-benchmark ../build

project plain
mkdir -p goldens/web
printf 'old\n' >goldens/web/page.txt
refreshed plain '{"name": "goldens-7", "files": {"web/page.txt": "new\n", "web/more.txt": "more\n"}}'
