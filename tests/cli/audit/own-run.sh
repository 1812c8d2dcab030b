# SPDX-License-Identifier: Apache-2.0
# The run that is taken over cannot measure itself: a warning says that it is in the model.
cp -r "$REGILD_TOP/fixtures/demo/repository" repository
cd repository
hub_repository
git add -A && git commit -q -m goldens
start_hub "$REGILD_TOP/fixtures/demo"
regild audit -q --runs 22651183945 --model ../noise.db || echo "exit code $?"
regild refresh --run 22651183945 --all --noise ../noise.db --noise-level 1 2>stderr >/dev/null || echo "exit code $?"
grep 'noise model' stderr
regild undo -q
sqlite3 ../noise.db "UPDATE runs SET id = '22651183944'"
regild refresh --run 22651183945 --all --noise ../noise.db --noise-level 1 2>stderr >/dev/null || echo "exit code $?"
grep 'noise model' stderr
echo "== a date that is none is not written into .regild"
regild download -q --run 22651183945 --all -o ../1 || true
sed -i '0,/"created_at":.*/s//"created_at": "\\n[x]\\ny = 1",/' ../1/manifest.json
for run in 2 3 4 5; do
	cp -r ../1 ../$run
	sed -i "s/22651183945/226511839$((run + 44))/" ../$run/manifest.json
done
regild audit -q --write-policy --from ../[1-5]
git config -f .regild --list | grep '^x' || true
grep -m 1 -o '20..-..-..:' .regild | sed 's/2.*:/DATE:/'
