# SPDX-License-Identifier: Apache-2.0
# fish completion for regild; 'regild completion fish' prints it.
function __regild_complete
	set -l words (commandline -opc)
	set -l current (commandline -ct)
	set -l lines (command $words[1] __complete $words[2..-1] "$current" 2>/dev/null)
	set -l before (string match -r -- '^--[^=]*=' "$current")
	set -l path (string replace -r -- '^--[^=]*=' '' "$current")
	printf '%s\n' $lines[2..-1]
	switch "$lines[1]"
		case files
			printf '%s\n' "$before"(__fish_complete_path "$path")
		case folders
			printf '%s\n' "$before"(__fish_complete_directories "$path")
	end
end
complete -c regild -f -a '(__regild_complete)'
