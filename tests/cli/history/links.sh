# SPDX-License-Identifier: Apache-2.0
# A history that is a link, a pipe, a folder or another program's is refused at once, and nothing is written to it.
command -v sqlite3 >/dev/null || skip "needs sqlite3"
hub_runs fixture 1
start_hub "$PWD/fixture"
history=$HOME/.local/share/regild/history.db
audit="audit -q --repo NVIDIA/Megatron-LM --runs 1 --csv /dev/null"
regild $audit
cp "$history" good.db
bounded() { try timeout 300 "$REGILD_BUILD/regild" "$@"; }

for suffix in '' -journal -wal -shm; do
	echo "# history.db$suffix is a link, to a file and to nothing, and a pipe"
	echo precious >precious
	for target in precious nothing; do
		ln -sf "$PWD/$target" "$history$suffix"
		bounded history list
		bounded $audit
	done
	cat precious
	[ ! -e nothing ]
	rm "$history$suffix"
	mkfifo "$history$suffix"
	bounded history list
	bounded $audit
	bounded history migrate
	rm "$history$suffix"
	cp good.db "$history"
done
echo '# a folder, another program'\''s'
rm "$history"
mkdir "$history"
bounded history list
rmdir "$history"
sqlite3 "$history" 'CREATE TABLE notes (text)'
cp "$history" before
bounded history list
bounded $audit
try cmp "$history" before
echo '# one that is merged is read alone: it may be a link'
mkfifo pipe
ln -s pipe to-pipe
ln -s good.db to-good
bounded history merge pipe
bounded history merge to-pipe
bounded history merge to-good --into all.db
ln -s all.db to-all
bounded history merge to-good --into to-all
echo '# one that another user owns'
[ "$(id -u)" != 0 ] || chown 65534 "$history"
[ "$(id -u)" = 0 ] || ln -sf /etc/passwd "$history"
try regild history list 2>&1 | sed 's/is a symbolic link.*/belongs to another user/'
