# SPDX-License-Identifier: Apache-2.0
# The tests' own runner names a test that does not exist, and writes no expectation for it.
cd "$REGILD_TOP"
try bash tests/cli/run.sh build/none program/no-such-test nowhere/nothing | sort
try bash tests/cli/run.sh --update build/none program/no-such-test
ls tests/cli/program/no-such-test.* tests/cli/nowhere 2>/dev/null || true
