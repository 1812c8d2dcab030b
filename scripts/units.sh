#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# For `make UNITS=1`: writes units of compilation that include many files each, and prints their names. A
# compiler reads the system's headers once for each of them. No two files are in one unit that give the same name to
# something of their own, and macros end with their file. What this overlooks does not compile.
# usage: scripts/units.sh FOLDER FILE.c…     the units are written to FOLDER, where they differ
set -eu
out=$1
shift
mkdir -p "$out"
awk -v out="$out" -v most=5000 '
	function own(name) { owned[at, name] = 1; names[at] = names[at] " " name }
	# What a line declares: each word before a bracket, "=" or ";".
	function declared(line,   found) {
		found = 0
		while (match(line, /[A-Za-z_][A-Za-z_0-9]*\)?[[(=; ]+/)) {
			word = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			if (word ~ /^RG_/ || word !~ /[[(=;]/) continue
			rest = word
			sub(/[^A-Za-z_0-9].*/, "", word)
			own(word)
			found = 1
			if (rest ~ /=/) break
		}
		return found
	}
	FNR == 1 { at++; file[at] = FILENAME; comment = pending = constants = 0 }
	{
		lines[at]++
		if (/^# *define _GNU_SOURCE/) gnu[at] = 1
		# Comments and texts have no names.
		line = $0
		if (comment && !sub(/^.*\*\//, "", line)) next
		comment = 0
		gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
		gsub(/\/\*([^*]|\*[^\/])*\*\//, " ", line)
		if (sub(/\/\*.*/, "", line)) comment = 1
		if (line ~ /^#include/) next
		if (match(line, /^# *define +[A-Za-z_0-9]+/)) {
			name = substr(line, RSTART, RLENGTH)
			sub(/.* /, "", name)
			if (name != "_GNU_SOURCE") macros[at] = macros[at] " " name
			next
		}
		if (line ~ /^RG_[A-Z_]*\(/) {
			sub(/^[^(]*\(/, "", line)
			sub(/[,)].*/, "", line)
			own(line)
			next
		}
		if (match(line, /(struct|union|enum) [A-Za-z_0-9]+ \{/)) {
			name = substr(line, RSTART, RLENGTH - 2)
			sub(/.* /, "", name)
			own(name)
		}
		if (line ~ /^(typedef |static (const )?)?enum\>?.*\{/) constants = 1
		if (constants) {
			words = line
			while (match(words, /[A-Z_][A-Z_0-9]*/)) {
				own(substr(words, RSTART, RLENGTH))
				words = substr(words, RSTART + RLENGTH)
			}
			if (line ~ /\}/) constants = 0
		}
		if (pending || line ~ /^static / || line ~ /^\} *[a-z_]/ || (line ~ /^typedef / && line ~ /;/))
			pending = !declared(line) && line ~ /^(static|typedef) / && line !~ /\{$/
	}
	function clash(a, b,   i, n, list) {
		n = split(names[a], list, " ")
		for (i = 1; i <= n; i++) if ((b, list[i]) in owned) return 1
		return 0
	}
	function fits(u, f,   i, n, list) {
		if (size[u] + lines[f] > most || gnus[u] != gnu[f] "") return 0
		n = split(members[u], list, " ")
		for (i = 1; i <= n; i++) if (clash(list[i], f)) return 0
		return 1
	}
	END {
		for (f = 1; f <= at; f++) {
			for (u = 1; u <= units; u++) if (fits(u, f)) break
			if (u > units) { units = u; gnus[u] = gnu[f] ""; print out "/" u ".c" }
			members[u] = members[u] " " f
			size[u] += lines[f]
			n = split(macros[f], list, " ")
			before = after = ""
			for (i = 1; i <= n; i++) if (!((f, list[i]) in pushed)) {
				pushed[f, list[i]] = 1
				before = before "#pragma push_macro(\"" list[i] "\")\n#undef " list[i] "\n"
				after = after "#pragma pop_macro(\"" list[i] "\")\n"
			}
			text[u] = text[u] before "#include \"" file[f] "\"\n" after
		}
		for (u in text) printf "%s", text[u] >(out "/" u ".c.made")
	}' "$@"
for made in "$out"/*.c.made; do
	if cmp -s "$made" "${made%.made}"; then rm "$made"; else mv "$made" "${made%.made}"; fi
done
