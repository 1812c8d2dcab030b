# SPDX-License-Identifier: Apache-2.0
# Goldens that a run no longer makes are named and counted, and stay: in folders of which a rule makes all, of a
# run of which nothing is missing.
mkdir fixture
run() {
	cat >fixture/run.json <<-JSON
		{"repository": "o/n", "run": {"id": $1, "created_at": "2026-03-01T04:00:00Z"},
		 "jobs": [{"name": "test-x / test-backend-linux (x, models) / linux-job", "conclusion": "failure"}],
		 "artifacts": [{"name": "test-report-x-x-models", "files": {"golden-artifacts/x/relu.txt": "1 2\n"}}$2]}
	JSON
	start_hub fixture
}
run 7
new_repository
export GITHUB_REPOSITORY=o/n
cat >.regild <<'CONFIG'
[regild]
	layout = executorch
CONFIG
printf 'fixture\n*.json\n*.md\n*.html\n' >.gitignore
mkdir -p goldens/x/deep goldens/y
for name in relu gone_0 gone_1; do printf '1 1\n' >goldens/x/$name.txt; done
cp goldens/x/gone_0.txt goldens/y
cp goldens/x/gone_0.txt goldens/x/deep
commit
echo '# a dry run'
regild download --run 7 --all -q -o ../staged
regild update ../staged --dry-run
echo '# a refresh'
try regild refresh --run 7 --all -v --json report.json --markdown report.md --html report.html
git status --short
checked_json <report.json >/dev/null
grep -A 5 '^ "refresh"' report.json
sed -n '/^The run/,/^###/p' report.md
grep -A 6 'No longer made' report.html
regild report report.json --markdown - | grep -A 3 'No longer made'
echo '# unchanged ones count, too'
regild update ../staged
echo '# not where something may be missing'
regild download --run 7 --only-failing -q -o ../failing
regild update ../failing
stop_hub
run 8 ', {"name": "golden-artifacts-x", "expired": true, "files": {"a.txt": "x"}}'
try regild refresh --run 8 --all
stop_hub
echo '# nor where no rule says so'
git config regild.source.reports.complete no
git config regild.source.packed.complete no
git config regild.source.published.complete no
regild update ../staged
git config regild.source.reports.complete maybe
try regild download --from fixture -o ../no
