# SPDX-License-Identifier: Apache-2.0
# Goldens straight out of the jobs' reports, before they are packaged: an artifact a flow, the same
# model under two flows.
start_hub "$REGILD_TOP/fixtures/executorch"
export GITHUB_REPOSITORY=pytorch/executorch
new_repository
cat >.regild <<'EOF'
[regild]
	root = tests
	files = golden-artifacts/**/*.pte golden-artifacts/**/*.bin
[jobs]
	name = test-{stage} / test-backend-linux ({test}, {tag}) / linux-job
	artifact = test-report-{stage}-{test}-{unique}
	target = {file}
EOF
commit
try regild refresh --run 12 --all
find tests -type f | LC_ALL=C sort
cmp tests/golden-artifacts/xnnpack/relu_expected_output_0.bin \
	tests/golden-artifacts/xnnpack_static_int8/relu_expected_output_0.bin || true
