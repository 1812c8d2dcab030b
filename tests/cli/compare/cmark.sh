# SPDX-License-Identifier: Apache-2.0
# GitHub's own renderer shows every name as the text that it is: tables keep their columns, nothing becomes
# markup, a link or a mention, and details balance.
command -v cmark-gfm >/dev/null || skip "needs cmark-gfm"
render() {
	cmark-gfm --unsafe -e table -e autolink -e strikethrough -e tagfilter "$1"
}
# tags FILE: which elements there are, and how many; all that markup of ours makes, and no more.
tags() {
	grep -oE '</?[a-z][a-z0-9]*' "$1" | sort | uniq -c | awk '{ print $2, $1 }'
}
long=$(printf 'x%.0s' {1..200})
new_repository
names=('<script>alert(1)</script>' '"quoted" &amp; &lt;' 'a|b|c' '`tick` ``two``' '@all @octocat' '# head #1' \
	'[a](http://x.y)' 'www.x.y https://x.y' '*a* _b_ ~~c~~' '</details>' '<!-- x' '$x$ \alpha' \
	"$(printf 'esc\033[31m')" "$(printf 'line\nend')" "$(printf 'rtl\342\200\256x')" "$(printf 'bad\377\300')" "$long")
write() {
	local i metrics=()
	for i in $(seq 0 $((${#names[@]} - 1))); do
		mkdir -p "$ROOT/gpt/${names[i]//\//-}"
		golden "$ROOT/gpt/${names[i]//\//-}/golden_values_dev.json" 'lm loss' 10 "$1" -- \
			'<script>|`@all\n\"b\" </details> \u202e \u001b[2J #1 www.a.b' 10 "$1" -- "$2" 1
	done
}
write 10 '<b>gone</b> @me | x'
commit
write 12 '<b>fresh</b> @me | x'
for max in 8192 60000; do
	echo "# $max"
	regild compare -q --markdown summary.md --max-chars $max >/dev/null
	[ "$(wc -c <summary.md)" -le $max ]
	render summary.md >summary.html
	tags summary.html
	grep -cE '<(script|b|img)[ >]' summary.html || true
	grep -oE '<a [^>]*>' summary.html || true
	# A mention is made of text, not of code; a comment after the character keeps it from one.
	sed 's/<code>[^<]*<\/code>//g' summary.html | grep -cE '[@#][A-Za-z0-9]' || true
	# In a row of a table there are as many cells as in its head.
	tr -d '\n' <summary.html | sed 's/<table>/\n&/g; s/<\/table>/&\n/g' | grep '^<table>' |
		while read -r table; do
			echo "$table" | sed 's/<tr>/\n&/g' | grep '^<tr>' | while read -r row; do
				echo "$row" | grep -oE '<t[dh][ >]' | wc -l
			done | sort -u
		done
done
echo '# every name is there, as it is but for what controls the text'
sed 's/<!-- -->//g; s/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g' summary.html >shown
for name in "${names[@]:0:12}" "$long"; do
	grep -qF -- "${name//\//-}" shown || echo "missing: $name"
done
grep -oE '(esc|line|rtl|bad)[^ ]* ?[^ ]*' shown | sort -u
echo '# 4 KB long, in a page of 8 kB'
longer=$(printf '@%.0s' {1..4000})
golden old.json "$longer" 1 -- "|$longer" 1 -- "<$longer" 1
golden new.json "$longer" 2 -- "|$longer" 2
regild compare -q --old old.json --new new.json --markdown summary.md >/dev/null
[ "$(wc -c <summary.md)" -le 8192 ] && echo fits
render summary.md | grep -c '@@@' | awk '{ print ($1 > 0) }'
