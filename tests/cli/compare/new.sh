# SPDX-License-Identifier: Apache-2.0
# What is new needs review, since nobody has looked at it yet, and breaks --fail-on new.
new_repository
git config regild.layout plain
git config regild.root goldens
mkdir goldens
put() {
	printf '{"loss": {"1": 1, "2": 1%s}%s}\n' "$2" "$3" >goldens/$1.json
}
# hold WHAT: the condition, and what the page begins with.
hold() {
	echo "== $*"
	try regild compare -q --fail-on new
	regild compare --json - 2>/dev/null | checked_json | grep -o '"text": "look at[^"]*"' || true
	git stash -q -u
}
for golden in a b; do
	put $golden
done
printf 'name,x,y\na,1,2\nb,2,3\n' >goldens/t.csv
commit
try regild compare -q --fail-on new
for i in 1 2 3 4 5 6 7 8 9; do
	put new$i
done
hold goldens
put a '' ', "accuracy": {"1": 0.5}'
hold a metric
put a '' ', "note": "a text"'
hold a text
put a ', "3": 1'
put b ', "3": 1, "4": 1'
hold steps
printf 'name,x,y\na,1,2\nb,2,3\nc,1,1\n' >goldens/t.csv
hold a record
put a '' ', "accuracy": {"1": 0.5}'
put new
echo '== in JSON, and with -v'
regild compare -v --fail-on new 2>&1 >/dev/null | grep gate
regild compare -q --fail-on new --json all.json >/dev/null 2>&1 || echo "exit code $?"
checked_json <all.json | sed -n '/"gate"/,/^ }/p'
