# SPDX-License-Identifier: Apache-2.0
# Which host gets a token: one that the user has named, never one that only .regild or a remote names.
new_repository
mkdir -p $ROOT
git commit -q --allow-empty -m empty
mkdir "$SCRATCH/bin"
printf '#!/bin/sh\necho "gh was asked for $4" >&3\nexit 1\n' >"$SCRATCH/bin/gh"
chmod +x "$SCRATCH/bin/gh"
export PATH=$SCRATCH/bin:$PATH GH_ENTERPRISE_TOKEN=secret
exec 3>&1
# The name .invalid resolves nowhere: the error says what was tried.
ask() {
	try "$@" regild download --run 5 --all -o out 2>&1 | sed 's/\(api\/v3\|request\).*/…/'
}
printf '[regild]\n\trepository = ghe.invalid/o/n\n' >.regild
ask env
try regild audit --runs 5
try regild audit --workflow ci.yml
try regild refresh --run 5 --all
ask env GH_ENTERPRISE_TOKEN=
ask env GITHUB_TOKEN=t GH_HOST=other.invalid
for host in team.ghe.com 127.0.0.1:1 github.com.invalid; do
	printf '[regild]\n\trepository = %s/o/n\n' $host >.regild
	ask env GITHUB_TOKEN=t
done
rm .regild
git remote add origin https://ghe.invalid/o/n.git
ask env
git remote set-url origin git@ghe.invalid:o/n.git
ask env
# By its name, or by gh's.
ask env GH_HOST=ghe.invalid GH_ENTERPRISE_TOKEN=
git config regild.repository ghe.invalid/o/n
ask env GH_ENTERPRISE_TOKEN=
git config --unset regild.repository
ask env GITHUB_SERVER_URL=https://ghe.invalid GH_ENTERPRISE_TOKEN=
try env GH_ENTERPRISE_TOKEN= regild download --run 5 --repo ghe.invalid/o/n --all -o out
try env GH_ENTERPRISE_TOKEN= regild audit --runs https://ghe.invalid/o/n/actions/runs/5
# Two runs, one by its URL: that names the host of both.
try env GH_ENTERPRISE_TOKEN= regild audit --runs 5,https://ghe.invalid/o/n/actions/runs/6
# The API that the user names is asked, and not what .regild says.
try env GITHUB_API_URL=http://127.0.0.1:1 regild download --run 5 --all -o out
