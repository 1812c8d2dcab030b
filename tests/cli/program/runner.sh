# SPDX-License-Identifier: Apache-2.0
# Names out of a pull request are no commands of GitHub's runner, whatever prints them, on either stream, on a
# terminal and through a pager; what regild itself says to the runner is one.
command -v python3 >/dev/null || skip "needs python3"
needs_terminal
cat >obeyed.py <<'END'
# As the runner's ActionCommand has it, of any name: lines without what .NET does not compare, trimmed as it trims.
import re, sys, unicodedata
blanks = '\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
for request in sys.stdin.buffer:
    name, path = request.decode().rstrip('\n').split('\t')
    with open(path, 'rb') as file:
        text = file.read().decode('utf-8', 'replace')
    found = []
    for line in re.split('\r\n|\r|\n', text):
        line = ''.join(c for c in line if c in blanks or c == '\x1b' or unicodedata.category(c) not in ('Cc', 'Cf', 'Mn'))
        if line.lstrip(blanks).startswith('::') or '##[' in line:
            found.append(line)
    print(f'{name}: obeyed {len(found)}, broken {"yes" if re.search(r"##.?.x5b|:.?.x3a", text) else "no"}')
    for line in found:
        print(' ', line)
    print('end', flush=True)
END
# It is started once, and asked through descriptors that subshells have, too.
coproc runner { exec python3 obeyed.py; }
exec {to_runner}>&"${runner[1]}" {from_runner}<&"${runner[0]}"
# obeyed NAME FILE: what of a file is a command.
obeyed() {
	local line
	printf '%s\t%s\n' "$1" "$2" >&"$to_runner"
	while IFS= read -r line <&"$from_runner" && [ "$line" != end ]; do printf '%s\n' "$line"; done
}
# say COMMAND…: what of its two streams is a command.
say() {
	"$@" >printed 2>&1 || true
	obeyed "${*:1:3}" printed
}
# Without a runner they are obeyed, or the parser above sees nothing.
blank=$(printf '\302\240') wide=$(printf '\343\200\200') none=$(printf '\342\200\213')
metrics=("::error::m" "$blank::add-mask::m" "$wide ::set-env name=x::m" "##[stop-commands]m" "#$none#[set-env]m")
names=(-- '##[stop-commands]t' "#$none#[group]t" '::error::t' "$blank::debug::t")
fields='"event": "##[set-env]push",'
for id in 1 2; do
	hub_run fixture $id "##[set-env name=x]b" "$fields" "##[stop-commands]t=$id" "::error::t=$id.5" "$blank::debug::t=$id"
	sed -i 's/"lm loss": \({[^}]*}}\)/"##[add-path]m": \1, "::error::m": \1, "\\u00a0::add-mask::m": \1/g' fixture/runs/$id.json
done
start_hub "$PWD/fixture"
unset GITHUB_ACTIONS
new_repository
git config regild.root goldens
write() {
	local name arguments
	for name in "${names[@]:1}"; do
		arguments=()
		for metric in "${metrics[@]}"; do arguments+=(-- "$metric" "$1" 2 3 4 5); done
		golden "goldens/gpt/$name/golden_values_##[x].json" "${arguments[@]:1}"
	done
	printf '%s' "$1" >"goldens/gpt/##[stop-commands]t/golden_values_::x.bin"
}
write 1
printf '[1' >"goldens/gpt/##[stop-commands]t/golden_values_broken.json"
commit '##[error]of a commit'
write 2
say regild compare -v | sed -n 1p
say regild check
export GITHUB_ACTIONS=true
echo "== a runner"
say regild compare
say regild compare -v
say regild compare --top 1
say regild compare --color always
say regild compare --annotate
say regild compare --old "goldens/gpt/::error::t" --new "goldens/gpt/##[stop-commands]t"
say regild compare --columns '##[x]'
say regild compare -- '::error::x'
say regild compare --filter 'metric=##[x]'
say regild check
say regild check --github
say regild check '##[x]'
say regild show "goldens/gpt/::error::t/golden_values_##[x].json"
say regild textconv "goldens/gpt/::error::t/golden_values_##[x].json"
say regild blame "goldens/gpt/::error::t/golden_values_##[x].json"
say regild runs --repo NVIDIA/Megatron-LM
say regild download --repo NVIDIA/Megatron-LM --run 1 --all -v -o '##[x]staged'
say regild update -n -v '##[x]staged'
say regild update -v '##[x]staged'
say regild undo --list
say regild undo
say regild audit -v --repo NVIDIA/Megatron-LM --runs 1,2
say regild audit --from goldens '::error::x'
say regild history
say regild history show 1
say regild history check
say regild history show '::x'
say regild history merge '::error::x'
say regild cache list
say regild init '##[x]'
say regild executorch pack '##[x]' -o x.zip
say regild executorch unpack '##[x].zip'
say regild executorch verify '##[x].zip'
say regild '##[error]x'
say regild "$blank::error::x"
say regild -C '##[x]' compare
say regild --nonsense '##[x]'
GITHUB_RUN_ID='##[x]' regild report '##[x].json' >printed 2>&1 || obeyed report printed
echo "== what programs read stays as it is, or does not come"
regild compare --json '::error::whole.json' -q >printed 2>&1 || true
obeyed compare printed
env -u GITHUB_ACTIONS regild compare -q --json - >whole.json
regild compare -q --json - >printed
obeyed json printed
python3 -c 'import json; assert json.load(open("printed")) == json.load(open("whole.json"))'
checked_json <printed >checked
for kind in csv markdown html; do
	try regild compare -q --$kind - >printed 2>said
	obeyed $kind printed
	cat printed said
	regild compare -q --$kind file >printed
done
for kind in csv markdown html export model; do
	try regild audit -q --repo NVIDIA/Megatron-LM --runs 1,2 --$kind - >printed 2>said
	obeyed "audit $kind" printed
	cat printed said
done
regild audit -q --repo NVIDIA/Megatron-LM --runs 1,2 --json - >printed
obeyed "audit json" printed
for kind in csv json; do
	try regild compare -q --$kind /dev/stdout 2>said | cat >printed
	obeyed "$kind to /dev/stdout" printed
	cat said
done
regild history show 1 --json - >printed
obeyed 'history json' printed
try regild report whole.json >printed 2>said
cat printed said
echo "== a terminal, cut by its width, and a pager"
for columns in 20 33 41 52 80 200; do
	script -qec "stty cols $columns; regild compare --no-pager" typescript </dev/null >/dev/null || true
	obeyed "terminal" typescript
done
PAGER='sed "s/^//"' script -qec "regild compare" typescript </dev/null >/dev/null || true
obeyed "pager" typescript
echo "== what goes away, and what comes instead of it"
say regild reset --yes
say regild refresh -v --repo NVIDIA/Megatron-LM --run 2 --all
regild undo >/dev/null
try regild refresh -q --repo NVIDIA/Megatron-LM --run 2 --all --message - >printed 2>said
obeyed message printed
cat printed said
echo "== completions are as they are"
for shell in bash zsh fish; do
	cmp <(regild completion $shell) <(env -u GITHUB_ACTIONS regild completion $shell)
done
