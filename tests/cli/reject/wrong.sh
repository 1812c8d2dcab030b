# SPDX-License-Identifier: Apache-2.0
# What cannot be rejected, and files of rejections that are not made so: an update stops, as what is in them is not known.
hub_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 8
echo text >notes
commit
mkdir -p ../staged/files/gpt/a && golden ../staged/files/gpt/a/golden_values_dev.json 'lm loss' 9
staging_manifest ../staged
reject() { try regild reject "$1" --because "$2"; }
reject $ROOT/gpt/a/golden_values_dev.json ''
reject $ROOT/gpt/a/golden_values_dev.json '   '
reject $ROOT/gpt/a/golden_values_dev.json $'two\nlines'
reject $ROOT/gpt/a/golden_values_dev.json "$(printf 'x%.0s' {1..501})"
reject $ROOT/gpt/b/golden_values_dev.json 'not there'
reject notes 'no golden'
reject /etc/passwd 'outside'
mkdir "$ROOT/gpt/two  blanks" && cp $ROOT/gpt/a/golden_values_dev.json "$ROOT/gpt/two  blanks/"
reject "$ROOT/gpt/two  blanks/golden_values_dev.json" 'no line can hold it'
git status --short
sum=$(printf '0%.0s' {1..64})
for line in "$sum $ROOT/a  one blank" "$sum  $ROOT/a" "0123  $ROOT/a  short" "${sum//0/A}  $ROOT/a  upper case" \
	"$sum  ../a  leads out" "$sum  /etc/passwd  absolute" "$sum  a/.git/config  git's" "$sum  a  $(printf '\033[2Jx')" \
	"$sum  a  $(printf 'x%.0s' {1..501})" "$sum  a  "; do
	printf '# a comment\n\n%s\n' "$line" >.regild-rejected
	try regild update -q -n ../staged >/dev/null
done
printf '%s  a  with a \0 in it\n' "$sum" >.regild-rejected
try regild update -q -n ../staged
rm .regild-rejected && ln -s /etc/passwd .regild-rejected
try regild update -q -n ../staged
reject $ROOT/gpt/a/golden_values_dev.json 'through a link'
rm .regild-rejected && mkdir .regild-rejected
try regild update -q -n ../staged
rmdir .regild-rejected
printf '# CRLF, and no end\r\n%s  %s  why not\r' "$(sha256sum <../staged/files/gpt/a/golden_values_dev.json | cut -d ' ' -f 1)" \
	$ROOT/gpt/a/golden_values_dev.json >.regild-rejected
try regild update -q -n ../staged
reject $ROOT/gpt/a/golden_values_dev.json 'after a line without an end'
tail -n 1 .regild-rejected
