# SPDX-License-Identifier: Apache-2.0
# The shell does what the programs do that tests call most (tests/support/shell): each call here is made both ways, in two
# equal folders, and so is judged by the program itself. A call that it does not know it leaves alone.
enable -f "$REGILD_BUILD/shell.so" plain 2>/dev/null || skip "needs a bash that loads builtins"
command mkdir -p fresh/in/deep fresh/empty
cd fresh
printf 'one 1\ntwo 2\n\nthree, 3\nfour\t4\none 1\n' >in/text
printf 'a,b,c\n1,2,3\n4,,6\nno delimiter' >in/table
printf 'zero\0byte\n' >in/binary
printf 'x{1}+(2)|[3]*.^$\\&/\n  {"m": {"values": {"1": 1.5}}}\n },\n]\naaa\nbaaac\n' >in/marks
: >in/nothing
command seq 300 >in/many
command cp in/text in/deep/copy
command chmod 640 in/table
command ln -s text in/link
command mkfifo in/deep/pipe
cd ..
# tree: what is there now.
tree() {
	find . -printf '%p %y %m %l\n' | command sort
	find . -type f -exec sha256sum {} + | command sort
}
count=0
# both CALL: with `plain` and `command` for "@". A call that changes files gets a folder of its own, which is compared, too.
both() {
	local way changes= said=() file text part
	count=$((count + 1))
	[[ ! $1 =~ @\ (cp|diff\ -r|ln|mkdir|mkfifo|mv|rm|tee|sed\ -i) ]] || changes=1
	for way in plain command; do
		[ -z "$changes" ] || command cp -a fresh $way.folder
		(
			if [ -n "$changes" ]; then cd $way.folder; else cd fresh; fi
			set +e
			eval "${1//@/$way}" </dev/null
			echo "exit code $?"
			[ -z "$changes" ] || tree
		) >said 2>errors || true
		[ -z "$changes" ] || command rm -rf $way.folder
		for file in said errors; do
			text=
			while IFS= read -r -d '' part; do text+="$part(0)"; done <$file
			said+=("$text$part")
		done
	done
	if [ "${said[0]}" != "${said[2]}" ] || [ "${said[1]}" != "${said[3]}" ]; then
		printf '%s\n' "differs: $1" "${said[@]}"
	fi
}
while IFS= read -r call; do
	[ -z "$call" ] || both "$call"
done <<'CALLS'
@ basename in/text
@ basename text.json .json
@ basename .json .json
@ cat in/text in/table
@ cat in/binary - <in/text
@ cat in/nothing
@ cat <in/many
@ cat in/text >/dev/full
@ cmp in/text in/deep/copy
@ cmp -s in/text in/table
@ cmp -s in/text in/deep/copy
@ diff in/text in/link
@ diff -u in/text in/deep/copy
command rm in/deep/pipe; command cp -r in other; @ diff -r in other
command rm in/deep/pipe; command cp -r in other; echo >other/deep/added; @ diff -r in other >/dev/null || echo differ
command rm in/deep/pipe; command cp -r in other; echo >other/deep/added; @ diff -r -x added in other
command rm in/deep/pipe; command cp -r in other; echo >>other/deep/copy; @ diff -r in other >/dev/null || echo differ
@ cp in/text new
@ cp in/text in/table empty
@ cp in/table in/text
@ cp -r in out
@ cp -r in empty
@ cp in/link new
@ cut -d , -f 2 in/table
@ cut -d, -f1,3 in/table
@ cut -d , -f 2- <in/table
@ cut -f 1 in/text
@ grep one in/text
@ grep -c 'o' <in/text
@ grep -v -e one -e two in/text
@ grep -o '[0-9][0-9]*' in/many
@ grep -oE '[a-z]+|[0-9]' in/text
@ grep -o -e a -e aa in/marks
@ grep -o 'a*' in/marks
@ grep -o '^.' in/text
@ grep -o '\bo' in/text
@ grep -A 1 two in/text
@ grep -A2 '1$' in/many
@ grep -m 2 -A 1 '^1' in/many
@ grep -n '' in/text
@ grep -q nothing in/text
@ grep -q one in/text
@ grep -x 'one' in/text
@ grep -xE 'one.*|two' in/text
@ grep -F '[3]*.^$\&' in/marks
@ grep -cF -e '(2)' -e ']' in/marks
@ grep '{1}' in/marks
@ grep -E 'a{2,}' in/marks
@ grep 'a\{2,\}c\|^]' in/marks
@ grep 'x*{' in/marks
@ grep '*' in/marks
@ grep -i ONE in/text
@ grep -ic 'ONE' in/text
@ grep '' in/nothing
@ grep -c . in/text
@ grep 'four.4' in/text
@ grep byte <in/binary
@ grep -c byte in/binary
@ grep -- '-x' in/text
@ grep o in/table
@ head -n 2 in/text
@ head -1 in/text
@ head -n 0 in/text
@ head -n 99 in/table
@ head -c 7 in/text
@ head in/many
{ @ head -n 2; @ cat; } <in/text
@ ln -s text in/other
@ mkdir new
@ mkdir one two
@ mkdir -p a/b/c in/deep/er
@ mkdir -p in
@ mkfifo new
@ mv in/text new
@ mv in/text in/table
@ mv in/deep empty
@ rm in/text in/link
@ rm -f in/text in/none
@ rm -r in/deep
@ rm -rf in empty none
@ rm -f
@ sed -n 2p in/text
@ sed -n '2,4p' in/text
@ sed -n '$p' in/text
@ sed -n '1p;$p' in/text
@ sed 1d in/text
@ sed '$d' in/text
@ sed '/two/,/four/d' in/text
@ sed -n '/two/,/^$/p;/three/,$p' in/text
@ sed -n '/one/,/two/p' in/text
@ sed -n '/two/,1p' in/text
@ sed -n '/two/,+1p' in/text
@ sed -n '4,/one/p' in/text
@ sed -n '0,/one/p' in/text
@ sed -n '/two/,/three/!p' in/text
@ sed -n '/two/,/four/{/three/p;/two/p}' in/text
@ sed '/two/,/four/{/three/!d}' in/text
@ sed '2q' in/text
@ sed -n '/two/{p;q}' in/text
@ sed -n '/two/=' in/text
@ sed 's/o/0/' in/text
@ sed 's/o/0/g' in/text
@ sed 's/o/0/2' in/table
@ sed 's/a*/x/g' in/marks
@ sed 's/a*/x/2' in/marks
@ sed 's/b*$/!/g' in/marks
@ sed 's/^/  /' in/table
@ sed 's/$/\r/' in/text
@ sed 's/\([a-z]*\), \([0-9]\)/\2 \1 & \& \\/' in/text
@ sed -E 's/([a-z]+) ([0-9])/\2-\1/' in/text
@ sed -E 's/^(a|b)+//' in/marks
@ sed 's|in/|out/|; s#o#/#' in/text
@ sed 's/{1}\|(2)/X/g' in/marks
@ sed 's/[^a-z]//g' in/text
@ sed 's/\t/ /; s/ /\t/' in/text
@ sed 's/1/a\nb/g' in/table
@ sed -n 's/one/1/p' in/text
@ sed -n 's/ONE/1/Ip' in/text
@ sed '/one/s//1/' in/text
@ sed '0,/one/s//1/' in/text
@ sed -e 1d -e 's/t/T/' in/text
@ sed -ne '1p' -e '3,4p' in/text
@ sed 's/\bo/0/g' in/text
@ sed 's/x/y/' in/table in/text
@ sed -n '$p' in/table in/text
@ sed '$!d' <in/text
@ sed -i 's/one/1/' in/text
@ sed -i -e 's/1/2/g' -e '$d' in/text in/table
@ sed 's/two/&&/' <in/nothing
@ sed p in/table
@ seq 3
@ seq 2 4
@ seq 1 5 30
@ seq 0
@ seq -s , 3
@ seq -f 'line x%g' 8 11
@ seq -f many-%02g.csv 9 10
@ sort in/text
@ sort -u in/text
@ sort <in/table
@ tail -n 1 in/text
@ tail -n 2 in/table
@ tail -n +2 in/text
@ tail -3 in/many
@ tail -n 0 in/text
@ tail -n 99 in/text
@ tail -c 5 in/table
@ tail in/many
@ tail -n 2 <in/nothing
@ tee new newer <in/text
@ tr -d '\n' <in/text
@ tr -d '\r\003o' <in/text
@ tr ' ' '\n' <in/text
@ tr a-z A-Z <in/text
@ tr '\0' x <in/binary
@ tr abc x <in/table
@ sort in/text | @ uniq -c
@ uniq in/marks
@ wc -l in/text
@ wc -l <in/table
@ wc -c in/text
@ wc -c <in/binary
CALLS
[ "$count" -ge 150 ] && echo 'all are alike'

# Calls that it leaves to the program, and of which it has read nothing.
while IFS= read -r call; do
	left=$({
		eval "plain $call" || echo "exit code $?"
		command cat
	} <<<input 2>&1)
	[ "$left" = $'exit code 125\ninput' ] || echo "takes: $call: $left"
done <<'CALLS'
none
cat none
cat -n
cmp - none
cp none new
cut -c 2
grep
grep -r x
grep x none
grep -P x
grep 'a\{1'
grep '\(a\)\1'
head -n -1
ln -s x /
mkdir /
mkdir none/new
mv none new
rm none
rm .
rm -i none
sed
sed -n
sed -z p
sed 's/a/b/w file'
sed 's/a/\U&/'
sed 's/a'
sed 's/[/]/|/'
sed '/a/{p'
sed 'y/a/b/'
sed p none
sed -i p
seq -w 3
seq 1.5 3
seq 3 -1 1
sort -n
sort -k 2
tail -f
tee -a x
tr -s x
tr '[:lower:]' x
uniq -d
wc -w
wc
CALLS
