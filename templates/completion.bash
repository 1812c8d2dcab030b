# SPDX-License-Identifier: Apache-2.0
# bash completion for regild; 'regild completion bash' prints it.
_regild() {
	local kind words=()
	{ read -r kind && mapfile -t words; } < <(
		command "$1" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
	COMPREPLY=("${words[@]%%$'\t'*}")
	case $kind in
	files) compopt -o default ;;
	folders) compopt -o dirnames ;;
	esac
}
complete -F _regild regild
