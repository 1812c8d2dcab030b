# SPDX-License-Identifier: Apache-2.0
# What users of git, gh and cargo type is answered with what is meant.
try regild diff
try regild status --short
try regild help log
try regild --failing
try regild --only-failing refresh
try regild --top=3
try regild refresh --failing
try regild download --output-dir=x
try regild compare --output x
try regild check --no-color
# So is what was a command of its own.
try regild pack goldens -o x.zip
try regild unpack x.zip
try regild verify x.zip
try regild extract x.bpte
try regild verify-outputs x.bpte --actual x
try regild --atol 3 compare
# So is an abbreviation, and a word of an option's name.
try regild cmp
try regild rfsh
try regild history shw
try regild compare --thrsh 1
try regild compare --level 0.1
try regild compare --markdown-file x.md
# Names with a slip in them and options that are refused for something else are answered as ever.
try regild comapre
try regild --color --json
try regild -n
# Every answer names a command and options that are there, for a name that is not.
regild help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' >commands
sed -n 's/^\t{"\([a-z|-]*\)", "regild \([^"]*\)", .*/\1 \2/p' "$REGILD_TOP/cmd/suggest.c" |
	awk '{ count = split($1, typed, "|"); $1 = ""; for (i = 1; i <= count; i++) print typed[i] $0 }' >meant
[ "$(wc -l <meant)" -gt 20 ] || echo "no table of commands"
while read -r typed command words; do
	! grep -qx -e "$typed" commands || echo "$typed is a command"
	regild help "$command" >one.txt
	for word in $words; do
		case $word in
		pack | unpack | verify | extract | verify-outputs) regild help "$command" "$word" >one.txt ;;
		--*) grep -q -e " $word " one.txt || echo "regild $command has no $word" ;;
		esac
	done
done <meant
for name in $(cat commands) reports 'executorch verify-outputs'; do regild help $name; done >all.txt
sed -n '/suggested_options\[\]/,/{0}/p' "$REGILD_TOP/cmd/options.c" | grep -o '{"[a-z-]*", "[a-z-]*' |
	sed 's/^{"\([a-z-]*\)", "/\1 /' >meant
[ "$(wc -l <meant)" -gt 20 ] || echo "no table of options"
while read -r typed name; do
	grep -q -e "--$name " all.txt || echo "no command has --$name, which --$typed stands for"
done <meant
