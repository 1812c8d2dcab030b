# SPDX-License-Identifier: Apache-2.0
# A cache that cannot be read or emptied is named; one that is damaged is replaced.
cache=$HOME/.cache/regild
mkdir -p "$HOME/.cache"
: >"$cache"
for verb in list clear; do try regild cache $verb; done
rm "$cache"

echo '# no place'
hub_runs fixture 1 2
start_hub "$PWD/fixture"
download="regild download --repo NVIDIA/Megatron-LM --run 1 --all"
try env -u HOME $download -v -o uncached 2>&1 | grep cache
echo '# damaged'
try $download -q -o staged
ls "$cache"
printf 'no database at all, and longer than a header is %0100d' 0 | dd of="$cache/cache.db" conv=notrunc status=none
try $download -o staged
regild cache -q | cut -d , -f 1
printf 'no database at all, and longer than a header is %0100d' 0 | dd of="$cache/cache.db" conv=notrunc status=none
try regild cache clear
echo '# closed'
try $download -q -o closed
chmod 0 "$cache"
for verb in list clear; do try unprivileged cache $verb; done
chmod -R u+rwx "$cache"
regild cache clear | cut -d , -f 1
# A folder for temporary files is beside the cache, and what needs one says how to move it.
touch file
XDG_CACHE_HOME=$PWD/file try regild audit --runs 1 --repo o/n
