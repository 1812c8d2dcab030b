# SPDX-License-Identifier: Apache-2.0
# The checks that are built in, those of the preset and those in the manual are the same.
new_repository
regild init --layout megatron
# settings FILE: each key and value of its [check] sections.
settings() {
	git config -f "$1" --get-regexp '^check\.'
}
sed -n '/^\.Sh THE \[check/,/^\.Sh EXAMPLES/p' "$REGILD_TOP/man/regild-config.5" |
	sed -n '/^\.Bd/,/^\.Ed/p' | grep -v '^\.' >manual
settings .regild >preset
wc -l <preset
settings manual | diff - preset && echo same
sed -n 's/^\t*{"\(check\..*\)", "\(.*\)"},$/\1 \2/p' "$REGILD_TOP/lib/config/presets.c" | diff - preset && echo same
