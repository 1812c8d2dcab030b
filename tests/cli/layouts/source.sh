# SPDX-License-Identifier: Apache-2.0
# Goldens of two kinds by [source "NAME"]: one artifact with many tests, renamed members, shards, a re-run; the
# targets are the files of the repository that comparisons see.
mkdir fixture
cat >fixture/run.json <<'JSON'
{
  "repository": "o/n",
  "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [
    {"name": "train (a100)", "conclusion": "failure"},
    {"name": "shots", "conclusion": "success"}
  ],
  "artifacts": [
    {"name": "outputs-7", "files": {"losses/llama3.txt": "1 8.5\n2 7.5\n", "losses/big/flux.txt": "1 2.5\n",
                                    "losses/notes.md": "x", "log.txt": "x"}},
    {"name": "shots-linux-1-1", "files": {"shots/home-actual.png": "old"}},
    {"name": "shots-linux-1-2", "files": {"shots/home-actual.png": "new"}},
    {"name": "shots-linux-2-1", "files": {"shots/deep/about-actual.png": "about", "shots/about.png": "not this"}},
    {"name": "coverage", "files": {"losses/x.txt": "1 1\n"}}
  ]
}
JSON
start_hub fixture
new_repository
export GITHUB_REPOSITORY=o/n
echo fixture >.gitignore
cat >.regild <<'CONFIG'
[source "losses"]
	artifact = outputs*
	members = losses/**/*.txt
	target = tests/assets/losses/{file}
[source "shots"]
	artifact = shots-{variant}-{shard}-{attempt}
	members = shots/**/*-actual.png
	rename = *-actual.png -> *.png
	target = web/{variant}/{file}
CONFIG
mkdir -p tests/assets/losses
printf '1 8.5\n2 7.25\n' >tests/assets/losses/llama3.txt
printf 'readme' >tests/assets/losses/README.md
commit
regild download --run 7 --all -v -o ../staged
find ../staged/files -type f | LC_ALL=C sort
regild update ../staged -q
git status --short
cat web/linux/home.png
echo
regild compare --csv -
echo '# of no job'
try regild download --run 7 --only-failing -o ../again
echo '# two artifacts for one target'
git config regild.source.shots.artifact 'shots-{variant}-{unique}'
try regild download --run 7 --all -o ../staged
echo '# a job and its artifact, tied by name'
git config regild.source.losses.artifact 'outputs-{test}'
git config regild.source.losses.job '{any} ({test})'
sed -i 's/"outputs-7"/"outputs-a100"/' fixture/run.json
stop_hub
start_hub fixture
try regild download --run 7 --only-failing -v -o ../tied
echo '# what makes no sense'
refused() {
	git config "regild.source.$1" "$2"
	try regild download --run 7 --all -o ../staged
	git config --unset "regild.source.$1"
}
refused losses.target 'x/{variant}'
refused losses.members '{path}x/{file}'
refused losses.members '*.txt!'
refused losses.log 'x'
refused losses.target ''
echo '# what the rules make of it'
git config --unset regild.source.losses.job
git config regild.source.losses.artifact 'outputs-{variant}'
git config regild.source.shots.artifact 'shots-{variant}-{shard}-{attempt}'
regild download --run 7 --explain
