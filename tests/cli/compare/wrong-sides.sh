# SPDX-License-Identifier: Apache-2.0
# Sides that make no sense together, or name nothing: said before anything is read or downloaded.
wrong() {
	echo "# compare $*" >&2
	try regild compare "$@"
}

golden old.json m 1
golden new.json m 2
mkdir folder
echo '# outside of a repository' >&2
wrong HEAD
wrong path:folder
wrong old.json
wrong HEAD -- old.json
regild compare -q old.json new.json --csv -
new_repository
golden $ROOT/s/t/golden.json m 1
commit
git branch other
echo '# in one' >&2
wrong nothing
wrong nothing.json old.json
wrong main..nothing
wrong nothing..main
wrong rev:nothing
wrong nothing --
wrong ''
wrong run: HEAD
wrong run:latest
wrong main other HEAD
wrong main old.json new.json
wrong main --base HEAD
wrong main --to HEAD
wrong main --old old.json --new new.json
wrong main other --staged
wrong main..other --staged
wrong main..other HEAD
wrong HEAD main...other
wrong run:1 --merge-base
wrong old.json new.json --merge-base
wrong old.json new.json --no-renames
wrong old.json path:new.json --file $ROOT/s/t/golden.json
wrong path:old.json path:new.json -- $ROOT/s/t/golden.json
wrong old.json folder
wrong zip:old.json old.json
wrong folder
wrong ../none/../elsewhere.json
wrong -- folder
wrong HEAD path:old.json
