# SPDX-License-Identifier: Apache-2.0
# Of every command and its parts, what the shells ask for is every option of its --help, and none that is
# not there. Which shell is a word that has to be given.
names() {
	sed -n "/^$1:/,/^Common/s/^  \\([a-z][a-z-]*\\)  .*/\\1/p"
}
options_of() {
	regild help "$@" >help
	if grep -q "'regild help reports' lists" help; then regild help reports >>help; fi
	grep -oE '^ +(-., )?--[a-z][a-z-]*' help | grep -oE -- '--[a-z-]+' | sort -u
}
same() {
	diff <(options_of "$@") <(regild __complete "$@" -- | sed 1d | cut -f 1 | sort) || echo "$@"
}
for name in $(regild help | names 'Every day'); do
	same "$name"
	for part in $(regild help "$name" | names Commands); do same "$name" "$part"; done
done | sort -u
regild __complete -- | cut -f 1
regild __complete executorch '' | cut -f 1
regild __complete history sh
regild __complete compare --fail-on=lost,nonf
regild __complete compare --fail-on ch
regild __complete compare --color = a
regild __complete compare --csv=
regild __complete download -o ''
regild __complete nonsense --q
try regild completion
try regild completion csh
try regild completion bash zsh
