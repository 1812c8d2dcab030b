# SPDX-License-Identifier: Apache-2.0
# What Tab offers in a real fish.
command -v fish >/dev/null || skip "needs fish"
mkdir -p 'a folder' && touch other.json
regild completion fish >regild.fish
while read -r line; do
	echo "${line%.}"
	line=${line%.} fish -c 'source ./regild.fish; complete -C "$line"' | sed 's/\t.*//; s/^/    /'
done <<'end'
regild refr.
regild refresh --onl.
regild --color .
regild -C a.
regild -C other.
regild --color always compar.
regild --repo check compar.
regild check oth.
regild compare --csv oth.
regild compare --base oth.
regild compare --fail-on los.
regild compare --fail-on=lost,nonf.
regild compare oth.
regild update oth.
regild history .
regild cache .
regild help refr.
regild --vers.
regild refresh --vers.
end
