# SPDX-License-Identifier: Apache-2.0
# What an update and its questions say of a tensor are a tensor's figures: no signed mean, in which errors cancel.
needs_terminal
new_repository
cat >.regild <<'CONFIG'
[source "tensors"]
	artifact = tensors
	members = {file}
	target = g/{file}
[tensor "*.bin"]
	dtype = float32
CONFIG
mkdir -p g ../new/tensors
printf '\000\000\000\000\000\000\200\077\000\000\000\300' >g/a.bin
printf '\000\000\000\000\000\000\000\000' >g/zeros.bin
commit
printf '\000\000\110\102\000\000\200\077\000\000\000\300' >../new/tensors/a.bin
printf '\000\000\000\000\000\000\200\077' >../new/tensors/zeros.bin
regild download -q --from ../new -o ../staged
regild update ../staged --dry-run
answer "regild update ../staged --interactive" s y n "y\n" | grep max_abs
git diff --name-only
# exit: 0
