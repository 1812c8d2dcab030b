# SPDX-License-Identifier: Apache-2.0
# Targets are checked before the first write: any that is unsafe stops the whole update.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1
golden $ROOT/gpt/z/golden_values_dev.json 'lm loss' 1
commit
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 2
golden staged/files/gpt/z/golden_values_dev.json 'lm loss' 2
staging_manifest staged
cp staged/manifest.json good.json

# target TEXT runs an update whose last golden has that target.
target() {
	sed "s|$ROOT/gpt/z/golden_values_dev.json|$1|" good.json >staged/manifest.json
	try regild update staged
	[ -z "$(git status --short --untracked-files=no)" ]
}
target ../x.json
target /x.json
target $ROOT/gpt//x.json
target $ROOT/../../../x.json
target $ROOT/./x.json
target $ROOT/.git/x.json
target $ROOT/.GIT/x.json
target tests/x.json
target $ROOT/gpt/z/conftest.py
target ${ROOT}x/gpt/z/x.json
target $ROOT
target $ROOT/gpt/a
target $ROOT/gpt/a/golden_values_dev.json/x.json
mkfifo $ROOT/pipe.json
target $ROOT/pipe.json
