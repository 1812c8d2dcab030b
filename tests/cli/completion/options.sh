# SPDX-License-Identifier: Apache-2.0
# Every option of every command's --help is in the scripts for zsh and fish; tests/cli/completion/bash.sh
# has those of bash. Which shell is a word that has to be given.
options_of() {
	regild help "$1" | sed '/^Common options:/,$d' | grep -oE '^ +(-., )?--[a-z][a-z-]*' |
		grep -oE -- '--[a-z-]+' || true
}
regild completion zsh >regild.zsh
regild completion fish >regild.fish
for name in $(regild help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'); do
	options_of "$name" >options
	diff options <(sed -n "/^\t$name) /,/;;/s/^\t\t'[^[]*\(--[a-z-]*\)[]='}]*\[.*/\1/p" regild.zsh) ||
		echo "zsh: $name"
	diff options <(sed -n "s/^complete -c regild -n '__regild_command_is $name'.* -l \([a-z-]*\) .*/--\1/p" regild.fish) ||
		echo "fish: $name"
done
try regild completion
try regild completion csh
try regild completion bash zsh
