# SPDX-License-Identifier: Apache-2.0
# Where libarchive is not installed, its package is named, and what does not need it works.
new_repository
golden $ROOT/a/golden_values_dev.json loss 1
commit
golden $ROOT/a/golden_values_dev.json loss 2
tar -czf new.tar.gz -C $ROOT a
export REGILD_FAULT=fail:dlopen:1:EIO
for command in "compare HEAD zip:new.tar.gz" "download --from new.tar.gz -o staged"; do
	try regild-faults $command 2>said
	sed 's|/[^ ]*/lib|LIBDIR/lib|' said
done
regild-faults compare -q
