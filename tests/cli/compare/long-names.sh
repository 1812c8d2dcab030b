# SPDX-License-Identifier: Apache-2.0
# A metric of 2,048 words, or of 4 KB without one, leaves the sentences of the bottom line readable: each
# has 1,000 columns at most, keeps its end, and is one line without a window.
new_repository
words=$(printf 'w %.0s' {1..2048})loss
word=$(printf '%04096d' 0)
goldens() {
	golden $ROOT/gpt/a/golden_values_dev.json "$words" $1 -- "$word" $1 -- "${word}1" $2
	golden $ROOT/gpt/b/golden_values_dev.json "$words" $1 -- "$word" $1 -- "${word}1" $2
}
goldens '2 2' '2 2'
commit
goldens '2.1 2.1' '2'
regild compare -q >seen
LC_ALL=C awk '/^2 goldens/ { bottom = 1 } bottom { print length($0), substr($0, length($0) - 59) }' seen
