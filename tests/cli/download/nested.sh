# SPDX-License-Identifier: Apache-2.0
# A zip inside an artifact's zip is opened where regild.files says so; names under different folders stay
# apart. One that is not a zip is named.
start_hub "$REGILD_TOP/fixtures/nested"
export GITHUB_REPOSITORY=pytorch/executorch
new_repository
printf '[regild]\n\troot = goldens\n\tfiles = golden_artifacts_*.zip!**/*.bin\n' >.regild
commit
try regild download --run 9 --all -o staged
find staged -type f | LC_ALL=C sort
try regild download --run 9 --all --whole --no-cache -q -o whole
diff -r staged/files whole/files && echo same

# A zip that was stored as it is (archive: false) is the file that the pattern names.
mkdir -p fixture/artifacts
cp -r "$REGILD_TOP/fixtures/nested/artifacts/logs-xnnpack-9-1" fixture/artifacts/own
cat >fixture/run.json <<'JSON'
{
  "repository": "pytorch/executorch",
  "run": {"id": 10, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [{"name": "backend/xnnpack - latest", "conclusion": "failure"}],
  "artifacts": [{"name": "logs-xnnpack-10-1", "archive": false, "contents": "own"}]
}
JSON
stop_hub
start_hub fixture
try regild download --run 10 --all -q -o own
diff -r staged/files own/files && echo same
git config regild.files 'golden_artifacts_*.zip'
try regild download --run 10 --all -q -o asis
cmp asis/files/backend/xnnpack/golden_artifacts_26030104.zip fixture/artifacts/own/golden_artifacts_26030104.zip

# Deeper than regild.maxDepth is refused before anything is asked for.
git config regild.files 'a.zip!b.zip!c.zip!*.bin'
try regild download --run 10 --all -q -o deep
git config regild.maxDepth 3
try regild download --run 10 --all -q -o deep
