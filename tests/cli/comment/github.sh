# SPDX-License-Identifier: Apache-2.0
# One comment of a pull request is kept up to date: found by its marker and by who wrote it, on all pages; those of others
# stay as they are, and so does a hidden one. Never a second one, whatever two jobs do at a time.
mkdir -p fixture/runs
cat >fixture/runs/7.json <<-'JSON'
	{"repository": "o/n", "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z"}, "jobs": [], "artifacts": [],
	 "pulls": [{"number": 5, "head_sha": "1111111111111111111111111111111111111111"}, {"number": 6, "locked": true}]}
JSON
reported_changes
git remote add origin https://github.com/o/n.git
# 300 comments of others on three pages, one of them with the marker, and one of ours about it.
{
	echo '['
	for i in {1..299}; do echo "{\"id\": $i, \"pull\": 5, \"login\": \"somebody\", \"body\": \"hello\"},"; done
	echo '{"id": 300, "pull": 5, "login": "somebody", "body": "<!-- regild:goldens -->\nmine"},'
	echo '{"id": 301, "pull": 5, "login": "octocat", "body": "what is <!-- regild:goldens -->?"}]'
} >../comments.json
cp ../comments.json ../before.json
hub() { start_hub fixture --comments ../comments.json "$@"; }
ours() {
	jq -r '.[] | select(.login == "octocat" and (.body | startswith("<!--"))) | "\(.id) \(.pull) \(.body | split("\n")[0]) \(.body | length > 300)"' ../comments.json
	jq -c '.[:301]' ../comments.json | cmp - <(jq -c . ../before.json)
}
say() {
	echo "# $*"
	try regild comment --pr 5 "$@"
	ours
}
command -v jq >/dev/null || skip 'needs jq'
hub
say ../moved.json --dry-run | sed -n 1,4p
say ../same.json --on look
say ../moved.json --on look
say ../moved.json
say ../same.json --key other --delete
say ../same.json
regild comment ../same.json --pr 5 --dry-run | head -n 1
echo '# a filter may hide what needs review'
say ../filtered.json --delete
say ../same.json --delete
grep -c ' 201 \| 204 ' "$HUB_LOG"
echo '# a page that is linked, and what is refused'
regild comment ../moved.json --pr 5 --page-url https://example.com/page.html >/dev/null
grep -o 'curves\](https://example.com/page.html)' ../comments.json
for url in http://example.com 'https://e.com/)[x' 'javascript:1'; do say ../moved.json --page-url "$url"; done
say ../moved.json --key 'a --> b'
echo '# a request that has moved on, and one that is not there'
say ../moved.json --head 2222222222222222222222222222222222222222
say ../moved.json --head 1111111111111111111111111111111111111111
try regild comment ../moved.json --pr 99
echo '# hidden: it stays'
jq 'map(if .login == "octocat" then .minimized = true else . end)' ../comments.json >../hidden.json
stop_hub
cp ../hidden.json ../comments.json
hub
try regild comment ../same.json --pr 5
stop_hub
echo '# two jobs at a time: one comment'
cp ../before.json ../comments.json
hub --fault api:latency,match=comments,seconds=0.15
regild comment ../moved.json --pr 5 >/dev/null &
regild comment ../moved.json --pr 5 >/dev/null
wait $!
ours | wc -l
stop_hub
echo '# a limit, and a list that goes on elsewhere'
cp ../before.json ../comments.json
hub --fault api:secondary,every=3,seconds=0 --fault api:status,first=1,every=1,match=graphql
say ../moved.json
stop_hub
for fault in link-loop link-away; do
	hub --fault api:$fault,match=comments
	say ../moved.json
	stop_hub
done
