# SPDX-License-Identifier: Apache-2.0
# Who may not write hears what to do, and the comment is in the job's log at least.
mkdir -p fixture/runs
cat >fixture/runs/7.json <<-'JSON'
	{"repository": "o/n", "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z"}, "jobs": [], "artifacts": [],
	 "pulls": [{"number": 5}, {"number": 6, "locked": true}]}
JSON
reported_changes
git remote add origin https://github.com/o/n.git
start_hub fixture
echo '# a conversation that is locked'
try regild comment ../moved.json --pr 6 | sed -n 1,3p
echo '# no token, one that is wrong, and no request'
(unset GITHUB_TOKEN && try regild comment ../moved.json --pr 5 | sed -n 1,3p)
GITHUB_TOKEN=other try regild comment ../moved.json --pr 5 | tail -n 1
try regild comment ../moved.json
stop_hub
echo '# a token that only reads'
start_hub fixture --read-only
try regild comment ../moved.json --pr 5 | grep -e '^exit' -e '^<!--' -e '^### Summary'
stop_hub
echo '# a document that is none'
echo '{}' >../other.json
try regild comment ../other.json --pr 5
