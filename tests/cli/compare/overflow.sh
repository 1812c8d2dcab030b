# SPDX-License-Identifier: Apache-2.0
# A simulation that overflows near the largest double, and one whose densities are denormal,
# get figures, or a line that says why not.
pair() {
	printf '{"m": [%s]}' "$1" >old.json
	printf '{"m": [%s]}' "$2" >new.json
	echo "== $1 -> $2"
	regild compare --no-pager old.json new.json | sed -n '/NOISE/d; /REVIEW/,$p'
	regild compare --no-pager --csv - old.json new.json | tail -1
}
pair 1.7e308 -1.7e308
pair '1.7e308, 1.7e308, 1.7e308' '1.7e308, 1.7e308, 1.6e308'
pair '1e-8, 1e-8' '1e300, 1e300'
pair '1, 1e-5' '1, 1e308'
pair '5e-324, 1e-310' '1e-323, 1e-310'
pair '1, 2e-320' '1, 3e-320'
pair '1, 2e-320' '1.5, 3e-320'

git init -q
echo "== a policy of both tolerances"
cat >.regild <<'CONFIG'
[metric "m"]
	kind = combined
	rtol = 2
CONFIG
pair 1.7e308 -1.7e308
score() {
	regild compare --no-pager --columns metric,score,level old.json new.json | sed 2q
}
score
sed -i 's/= 2/= 1.9/' .regild
score
