# A cache that cannot be read or emptied is said with its place, and what is not its own stays.
cache=$HOME/.cache/regild
mkdir -p "$HOME/.cache"
: >"$cache"
for verb in list clear; do try regild cache $verb; done
rm "$cache"

echo '# what others put there'
hub_runs fixture 1 2
start_hub "$PWD/fixture"
try regild download -q --repo NVIDIA/Megatron-LM --run 1 --all -o staged
echo mine | tee "$cache/notes" "$cache/artifacts/notes" >"$cache/artifacts/$(printf '%064d' 0).bak"
mkdir "$cache/artifacts/$(printf '%064d' 0)"
ln -s ../../elsewhere "$cache/artifacts/$(printf '%064d' 1)"
regild cache -q | cut -d , -f 1
regild cache clear | cut -d , -f 1
(cd "$cache" && find . | LC_ALL=C sort)

echo '# used at a time that has not come, and none at all'
rm -rf "$cache" staged
try regild download -q --repo NVIDIA/Megatron-LM --run 1 --all -o staged
touch -d '2 days' "$cache"/artifacts/*
regild cache | grep -c '^-  .*artifact'
try env -u HOME regild download -v --repo NVIDIA/Megatron-LM --run 1 --all -o uncached 2>&1 | grep cache
echo '# closed'
rm -rf "$cache" staged
try regild download -q --repo NVIDIA/Megatron-LM --run 1 --all -o staged
chmod a-w "$cache/artifacts"
try unprivileged cache clear
chmod 0 "$cache/answers"
for verb in list clear; do try unprivileged cache $verb; done
chmod 0 "$cache"
for verb in list clear; do try unprivileged cache $verb; done
chmod -R u+rwx "$cache"
regild cache clear | cut -d , -f 1
