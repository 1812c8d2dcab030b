# SPDX-License-Identifier: Apache-2.0
# A step whose old value is near zero has no relative figure: what differs at such steps alone needs a
# look. Where near zero ends is a setting, for figures and texts.
new_repository
golden old/g.json tiny 3.5e-20 -- loss 0 -- mixed 1e-13 2.5 -- small 2e-6 4e-6 -- same 1e-20 1e-20
golden new/g.json tiny 9.9e-20 -- loss 4 -- mixed 0 2.5 -- small 3e-6 4e-6 -- same 1e-20 1e-20
show() {
	regild compare old/g.json new/g.json --markdown md --json - | checked_json | sed "/\"story\": /q" |
		grep -oE '"metric": "[^"]*", "n_steps"|"metric": "[^"]*", "kind"|"avg_rel_diff": [^,]*|"near_zero": [0-9]+|"too_small": \{[^}]*\}' |
		tr '\n' ' ' | sed 's/"metric"/\n&/g'
	echo
	grep -oE '`\|old\| [^`]*`' md
}
show
# Over 2e-6: one step of `small` counts no more. Under 3.5e-20: `tiny` has a figure. Of a 0 there is none
# under any bound.
git config -f .regild metric.small.near-zero 3e-6
git config -f .regild metric.tiny.near-zero 0
git config -f .regild metric.loss.near-zero 0
show
# What is under the floor is equal, and what has a level of another kind is judged by that.
git config -f .regild metric.mixed.floor 1e-12
git config -f .regild metric.loss.kind absolute
git config -f .regild metric.loss.flag 5
show
