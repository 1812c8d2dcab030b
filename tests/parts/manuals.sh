#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Holds the manuals against the commands: each command has a page, each page names every option of its
# command and none that is not there. regild-config(5) has the settings that are known, regild-compare(1)
# what a template can use, regild-json(5) the keys of a comparison, and each variable that is read is in some
# page.
# usage: tests/parts/manuals.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
build=$1
passed=0 failed=0

verdict() {
	if [ -z "$2" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL manuals/%s\n%s\n' "$1" "$2"
	fi
}

# The long options in a page's .It Fl lines (mdoc writes --name as "Fl -name").
page_options() {
	sed -n 's/^\.It //p' "$1" | grep -oE 'Fl -[a-z][a-z-]*' | sed 's/^Fl -/--/' | sort -u
}

# Long options in a help text.
listed_options() {
	grep -oE '^ +(-., )?--[a-z][a-z-]*' | grep -oE -- '--[a-z-]+' | sort -u
}

# What the page of a command has to name: its options, those of its own commands, and for compare those of reports,
# which others share.
command_options() {
	local part
	{
		"$build/regild" help "$1"
		for part in $("$build/regild" help "$1" | sed -n '/^Commands:/,/^Common/s/^  \([a-z][a-z-]*\)  .*/\1/p'); do
			"$build/regild" help "$1" "$part"
		done
		[ "$1" != compare ] || "$build/regild" help reports
	} | sed '/^Common options:/,/^$/d' | listed_options
}

verdict regild.1 "$(diff <(page_options man/regild.1) \
	<("$build/regild" help help | sed -n '/^Common options:/,$p' | listed_options))"
for name in $("$build/regild" help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'); do
	case $name in help | version) continue ;; esac # in regild.1
	page=man/regild-$name.1
	if [ ! -e "$page" ]; then
		verdict "$name" "$page does not exist"
		continue
	fi
	verdict "$name" "$(diff <(page_options "$page") \
		<(command_options "$name"))"
	verdict "$name-listed" "$(grep -q "^\.It Xr regild-$name 1" man/regild.1 ||
		echo "man/regild.1 does not list it")"
	verdict "$name-summary" "$(diff <(sed -n 's/^\.Nd //p' "$page") \
		<("$build/regild" help | sed -n "s/^  $name  *//p"))"
done
for page in man/*.[1-9]; do
	verdict "$(basename "$page")" "$(grep -oE '^\.Xr regild[a-z-]* [0-9]' "$page" | sort -u |
		while read -r _ other section; do
			[ -e "man/$other.$section" ] || echo "refers to $other($section)"
		done)"
done

# The words between a line that matches the first pattern and the next brace at a line's start.
words_after() {
	sed -n "/$1/,/^}/p" "$2" | grep -oE '"[A-Za-z.]+"' | tr -d '"'
}

# "regild.root" for ".It Cm root" in THE [regild] SECTION, lower-case as libgit2 has it.
page_settings() {
	awk '/^\.Sh THE \[/ { section = $3; gsub(/[][]/, "", section) }
		/^\.Sh [^T]/ { section = "" }
		section && /^\.It Cm/ { for (i = 3; i <= NF; i++) if ($i != ",") print tolower(section "." $i) }' "$1"
}

verdict settings "$(diff <({
	words_after '^static const char \*const known' lib/config/config.c
	sed -n 's/^\t\[KEY_[A-Z_]*\] = {\(.name = \)*"\([a-z-]*\)"[,}].*/metric.\2/p' lib/compare/policy.c
	sed -n 's/^\t\[KEY_[A-Z]*\] = {"\([a-z]*\)",.*/check.\1/p' lib/compare/checks.c
	grep -oE '"metric, listed[^"]*"' lib/compare/checks.c | grep -oE '[a-z]+' | sed 's/^/check./'
	printf 'tensor.%s\n' dtype shape
	grep -oE '"key, columns[^"]*"' lib/flow/settings.c | grep -oE '[a-z]+' | sed 's/^/table./'
	grep -oE '"ignore, name[^"]*"' lib/flow/settings.c | grep -oE '[a-z]+' | sed 's/^/text./'
	words_after '^static const char \*const keys' lib/source/log_rule.c | sed 's/^/source./'
	sed -n '/^static const char \*const keys/,/;$/p' lib/source/rule.c | grep -oE '"[a-z]+"' | tr -d '"' | sed 's/^/source./'
} | sort -u) <(page_settings man/regild-config.5 | sort -u))"
verdict variables "$(grep -rhoE '(getenv|set_seconds)\([^"]*"[A-Z_]+"' lib cmd --include='*.c' | grep -oE '[A-Z][A-Z_]+' |
	sort -u | while read -r name; do
	[ "$name" = HOME ] || grep -qE "^\.(It )?Ev .*\b$name\b" man/* || echo "no page names $name"
done)"

# The keys that a table of fields in a file has.
fields_of() {
	sed -n "/^static const rg_json_field $1\[\]/,/^	{0}};/p" "$2" | tr '\n' ' ' |
		grep -oE '(KEY|KEY_OPTIONAL|KEY_LIST|KEY_IF|KEY_TO|KEY_AS|HEAD)\("?[a-z_]+' | sed 's/.*[("]//'
}

# The keys that a part of a page, between two lines, names after Cm: after .It, or anywhere.
page_keys() {
	sed -n "/$2/,/$3/p" "$1" | grep -oE "^\.$4.*" | sed 's/^\..*Cm //' | grep -oE '\b[a-z_]+\b' | sort -u
}

# What a template can use is in regild-compare(1), and nothing else; so are the keys in its lists.
view=lib/report/summary_view.c
verdict templates "$(diff <({
	fields_of view_fields $view
	sed -n '/^static void append_parts/,/^}/p' $view | grep -oE '\{"[a-z_]+"' | tr -d '{"'
} | sort -u) <(page_keys man/regild-compare.1 '^These are the values' '^The page of' 'It Cm'))"
for table in finding_fields moved_fields stage_fields text_fields next_fields named_fields refresh_fields; do
	verdict "templates-$table" "$(fields_of $table $view | sort -u |
		comm -23 - <(page_keys man/regild-compare.1 '^These are the values' '^The page of' '(It |Pq |Po )?Cm'))"
done

# Each key of these parts of a comparison's JSON is in regild-json(5).
verdict json "$(jq -r 'def keys_of: .. | objects | .properties? // empty | keys[];
	.properties | [.about, .counts, .checks, (.story.properties | del(.exact, .models, .new_runs) | {properties: .})] |
	.[] | keys_of' "$build/schema/compare.json" 2>&1 | sort -u |
	comm -23 - <(page_keys man/regild-json.5 '^\.It Cm about' '^\.It Cm curves' '(It |Pq |Po )?Cm'))"

# All of them, the templates, the schemas and the completions come with `make install`, wherever that is.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
make -s -o all install DESTDIR="$scratch/a root" PREFIX="/opt/a b" B="$build" >"$scratch/log" 2>&1 || cat "$scratch/log"
verdict install "$(diff <({
	echo bin/regild
	for page in man/*.[1-9]; do echo "share/man/man${page##*.}/${page#man/}"; done
	for file in templates/*; do
		case $file in *.sql) echo "share/regild/sql/${file##*/}" ;; *) echo "share/regild/$file" ;; esac
	done
	for file in "$build"/schema/*.json; do echo "share/regild/schema/${file##*/}"; done
	printf '%s\n' share/regild/grafana/goldens.json share/bash-completion/completions/regild \
		share/zsh/site-functions/_regild share/fish/vendor_completions.d/regild.fish
} | LC_ALL=C sort) <(cd "$scratch/a root/opt/a b" && find ./* -type f -o -type l | sed 's|^\./||' | LC_ALL=C sort))"
verdict completions "$(cd "$scratch/a root/opt/a b/share" &&
	for file in bash-completion/completions/regild zsh/site-functions/_regild fish/vendor_completions.d/regild.fish; do
		"$OLDPWD/$build/regild" completion "${file%%[-/]*}" | diff - "$file"
	done 2>&1)"
echo "manuals:"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
