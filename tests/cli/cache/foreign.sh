# SPDX-License-Identifier: Apache-2.0
# A user whose cache.db is a link, a pipe, another user's file or another program's: nothing of his is overwritten.
folder=$HOME/.cache/regild
mkdir -p "$folder"
hub_runs fixture 1 2
start_hub "$PWD/fixture"
download="regild download --repo NVIDIA/Megatron-LM --run 1 --all -q"
command -v sqlite3 >/dev/null || skip "needs sqlite3"
precious() { echo 'my only copy' >precious && cp precious before; }
kept() { try cmp "${1:-precious}" before && echo 'it is as it was'; }

for suffix in '' -journal -wal -shm; do
	echo "# cache.db$suffix is a link"
	precious
	[ -z "$suffix" ] || try $download -o "staged$suffix"
	ln -sf "$PWD/precious" "$folder/cache.db$suffix"
	for verb in list clear; do try regild cache $verb; done
	try $download -o "again$suffix"
	kept
	rm -r "$folder"/*
done
echo '# a link to nothing'
ln -s "$PWD/nothing" "$folder/cache.db"
try regild cache list
try $download -o to-nothing
[ ! -e nothing ] && rm "$folder/cache.db"

for suffix in '' -journal -wal -shm; do
	echo "# cache.db$suffix is a pipe"
	[ -z "$suffix" ] || $download -o "pipe$suffix"
	rm -f "$folder/cache.db$suffix"
	mkfifo "$folder/cache.db$suffix"
	try timeout 300 "$REGILD_BUILD/regild" cache list
	rm -r "$folder"/*
done
echo '# a folder'
mkdir "$folder/cache.db"
try regild cache list
rmdir "$folder/cache.db"

echo '# another program'\''s database, with what a name aside would overwrite beside it'
sqlite3 "$folder/cache.db" 'CREATE TABLE notes (text); INSERT INTO notes VALUES (1)'
cp "$folder/cache.db" before
touch "$folder/cache.db.aside-1"
mkdir "$folder/cache.db.aside-2"
try regild cache list
ls "$folder"
kept "$folder/cache.db.aside-3/cache.db"
echo '# a text, twice'
for n in 4 5; do
	precious
	cp precious "$folder/cache.db"
	try $download -o "staged$n"
	kept "$folder/cache.db.aside-$n/cache.db"
	rm "$folder/cache.db"
done
echo '# a file in the place of a cache whose -wal a killed process left'
rm -r "$folder"/*
$download -o killed
printf 'UPDATE entries SET used = 1;\n.shell cp "%s" wal\n' "$folder/cache.db-wal" | sqlite3 "$folder/cache.db"
precious
cp precious "$folder/cache.db"
cp wal "$folder/cache.db-wal"
try regild cache list
kept "$folder/cache.db.aside-1/cache.db"
rm -r "$folder"/*
sqlite3 "$folder/cache.db" 'CREATE TABLE notes (text); INSERT INTO notes VALUES (1)'
cp "$folder/cache.db" before
cp wal "$folder/cache.db-wal"
try regild cache list
kept "$folder/cache.db.aside-1/cache.db"
rm -r "$folder"/*
echo '# the folder may be a link'
mv "$folder" elsewhere
ln -s "$PWD/elsewhere" "$folder"
$download -o linked
regild cache -q | cut -d , -f 1
echo '# another user'\''s'
if [ "$(id -u)" = 0 ]; then chown 65534 elsewhere/cache.db; else mv elsewhere/cache.db . && ln -s /etc/passwd elsewhere/cache.db; fi
try regild cache list 2>&1 | sed 's/is a symbolic link.*/belongs to another user/'
