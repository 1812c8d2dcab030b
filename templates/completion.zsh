#compdef regild
# SPDX-License-Identifier: Apache-2.0
# zsh completion for regild; 'regild completion zsh' prints it.
_regild() {
	local kind line
	local -a lines words_of
	lines=("${(@f)$(command ${(Q)words[1]} __complete "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
	kind=$lines[1]
	for line in "${(@)lines[2,-1]}"; do
		words_of+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
	done
	(( $#words_of )) && _describe regild words_of
	compset -P '--*='
	case $kind in
	files) _files ;;
	folders) _path_files -/ ;;
	esac
}
# Loaded by name from $fpath, or by source.
if [[ $funcstack[1] == _regild ]]; then
	_regild "$@"
else
	compdef _regild regild
fi
