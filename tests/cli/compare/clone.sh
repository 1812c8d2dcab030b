# SPDX-License-Identifier: Apache-2.0
# A .regild comes with a clone: what it names must not print what the clone does not hold.
new_repository
git config regild.files '*.json'
golden $ROOT/s/t/golden.json m 1
mkdir -p sub/.git outside
echo 'token: secret' >../outside-secret
echo 'token: secret' >outside/kept
git config http.extraheader 'token: secret'
ln -s ../outside-secret link.md
ln -s .git/config link-config.md
ln -s ../.git sub/link
ln -s mine.md link-inside.md
mkfifo pipe.md
echo '{{total}} row' >mine.md
commit
golden $ROOT/s/t/golden.json m 2
refuses() {
	printf '[regild]\n\t%s = "%s"\n' $1 "${2//\\/\\\\}" >.regild
	if timeout 300 regild compare -q --markdown md --html page >out || grep -s secret md page out; then
		echo "taken: $1 = $2"
	fi
	rm -f md page out
}
for name in .git/config .GIT/config ".git /config" 'git~1/config' sub/.git/x ../outside-secret "$SCRATCH/outside-secret" \
	sub/../../outside-secret link.md link-config.md sub/link/config link-inside.md pipe.md sub /dev/stdin \
	/dev/null none.md mine.md/x 'a\b'; do
	refuses template "$name"
done
refuses htmlTemplate .git/config
refuses htmlTemplate link.md
refuses noise .git/config
refuses noise ../outside-secret
refuses noise pipe.md
# What the clone holds is fine, and the user may name anything.
for setting in template htmlTemplate; do
	printf '[regild]\n\t%s = mine.md\n' $setting >.regild
	regild compare -q --markdown md --html page
done
cat page
printf '[regild]\n\ttemplate = .git/config\n' >.regild
git config regild.template ../outside-secret
regild compare -q --markdown -
git config regild.template link.md
regild compare -q --markdown -
git config --unset regild.template
regild compare -q --markdown - --template ../outside-secret
regild compare -q --markdown - --template <(echo 'from a pipe')
try timeout 300 regild compare -q --markdown - --template pipe.md
try timeout 300 regild compare -q --noise pipe.md
# A report does not go where a link of the clone leads.
ln -s ../outside-secret report.md
regild compare -q --markdown report.md --template mine.md
cat report.md ../outside-secret
# Neither does it print git's configuration by way of an include or a link.
printf '[include]\n\tpath = .git/config\n' >.regild
try regild compare
printf '[regild]\n[includeIf "gitdir:**"] path = pipe.md\n' >.regild
try timeout 300 regild compare
ln -sf .git/config .regild
try regild compare
rm .regild && mkfifo .regild
try timeout 300 regild compare
