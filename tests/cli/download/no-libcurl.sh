# SPDX-License-Identifier: Apache-2.0
# Where libcurl is not installed, its package is named.
hub_repository
start_hub "$REGILD_TOP/fixtures/demo"
export REGILD_FAULT=fail:dlopen:1:EIO
try regild-faults download --run 22651183945 --only-failing -o staged 2>said
sed 's|/[^ ]*/lib|LIBDIR/lib|' said
