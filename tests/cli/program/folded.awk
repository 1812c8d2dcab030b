# SPDX-License-Identifier: Apache-2.0
# Reads help that is not folded and then the same help, folded at `columns`. Prints each line that is wider than
# that, and each that ends although what is next would have fitted.

function squeeze(text) {
	gsub(/ +/, " ", text)
	sub(/^ /, "", text)
	return text
}

function balanced(text,   opened, closed) {
	opened = gsub(/[[(]/, "", text)
	closed = gsub(/[])]/, "", text)
	return opened == closed
}

function quoted(text) {
	return gsub(/'/, "", text) % 2
}

# Does a word stay with those before it? A bracket of usage does, an option's argument, the name of an option in a
# sentence.
function stays(word, unit, kind) {
	if (kind == "usage" || kind == "whole")
		return !balanced(unit)
	if (kind == "alternative")
		return word != "|" && unit !~ /\)/
	if (kind == "call")
		return quoted(unit) || (unit ~ /^-/ && unit !~ / / && word !~ /^-/)
	return word ~ /^--/
}

# How wide what stays together is at the beginning of a text. A call goes on after a backslash. A bracket that is too
# long for a line has one alternative in each.
function first_width(text, kind, indent,   words, count, i, unit) {
	if (kind == "usage" && (text ~ /^\|/ || first_width(text, "whole") > columns - indent))
		kind = "alternative"
	count = split(text, words, " ")
	unit = words[1]
	for (i = 2; i <= count && stays(words[i], unit, kind); i++)
		unit = unit " " words[i]
	return length(unit) + (kind == "call" && i <= count ? 2 : 0)
}

NR == FNR {
	whole[++wholes] = $0
	next
}

{
	line[++lines] = $0
}

END {
	at = 1
	for (i = 1; i <= wholes; i++) {
		examples = whole[i] ~ /^Examples:/ || (examples && whole[i] != "" && whole[i] !~ /^===/)
		kind = whole[i] ~ /^usage: / ? "usage" : examples ? "call" : ""
		rest = squeeze(whole[i])
		for (first = 1; ; first = 0) {
			text = line[at++]
			width = length(text)
			if (kind == "call")
				sub(/ \\$/, "", text)
			if (!first && !hung && length(before) + 1 + first_width(rest, kind, match(text, /[^ ]/)) <= columns)
				print columns ": a line ends too early: " before
			if (width > columns && squeeze(text) ~ / / && whole[i] !~ /^    /)
				print columns ": too wide: " text
			before = text
			hung = text ~ /^usage: regild [a-z -]+$/ # usage that begins below a long name
			if (index(rest, squeeze(text)) != 1) {
				print columns ": not '" rest "' but '" text "'"
				exit
			}
			rest = squeeze(substr(rest, length(squeeze(text)) + 1))
			if (rest == "")
				break
		}
	}
	if (at != lines + 1)
		print columns ": " lines - at + 1 " more lines"
}
