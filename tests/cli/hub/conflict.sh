# SPDX-License-Identifier: Apache-2.0
# Two jobs whose artifacts want the same target: with the same bytes that is fine, with different
# ones neither is written.
start_hub "$REGILD_TOP/fixtures/conflict"
hub_repository
try regild download -v --run 2003 --all -o all
staged all
