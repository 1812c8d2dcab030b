#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check-presets.sh CLONE: are the upstream files that presets were written from still the same at CLONE's
# HEAD? A preset lists them in a comment of its template, by the first digits of git's object ids:
#
#	{{! Written from COMMIT:
#	  BLOB PATH
#	}}
#
# Ends with 1 where one moved or was removed, and where the clone has those of no preset. A clone is of
# one project, so presets of which it has no file are passed over.
set -euo pipefail

clone=${1-}
git -C "$clone" rev-parse -q --verify 'HEAD^{commit}' >/dev/null 2>&1 || {
	echo "check-presets: '$clone' is not a clone with a commit; usage: make check-presets CLONE=DIR" >&2
	exit 2
}
templates=${PRESETS:-$(dirname "$0")/../templates}
status=0 strangers=0 known=0

# The id of a file at the clone's HEAD; empty where there is none.
blob_of() {
	git -C "$clone" rev-parse -q --verify "HEAD:$1" || true
}

# compare PRESET BLOB PATH …
compare() {
	local preset=$1 files=0 same=0 absent=0 said='' now
	shift
	for (( ; $#; files++)); do
		now=$(blob_of "$2")
		if [[ -z $now ]]; then
			absent=$((absent + 1))
			said+="$preset: $2: removed"$'\n'
		elif [[ $now == "$1"* ]]; then
			same=$((same + 1))
			said+="$preset: $2: the same"$'\n'
		else
			said+="$preset: $2: moved, from $1 to ${now:0:12}"$'\n'
		fi
		shift 2
	done
	if ((absent == files)); then
		echo "$preset: none of its files is there ($files)"
		strangers=$((strangers + 1))
		return
	fi
	known=$((known + 1))
	printf %s "$said"
	((same == files)) || status=1
}

for template in "$templates"/*.regild; do
	preset=$(basename "$template" .regild)
	grep -q '^	layout = ' "$template" || continue
	mapfile -t listed < <(sed -nE 's/^  ([0-9a-f]{12,40}) (.*)$/\1\n\2/p' "$template")
	if ((${#listed[@]})); then
		compare "$preset" "${listed[@]}"
	else
		echo "$preset: unlisted"
	fi
done
((known || !strangers)) || status=1
exit $status
