# SPDX-License-Identifier: Apache-2.0
# What Tab makes of a line in a real zsh, with the script installed and with it sourced.
command -v zsh >/dev/null || skip "needs zsh"
needs_terminal
mkdir -p 'a folder' && touch other.json
mkdir functions && regild completion zsh >functions/_regild
export ZDOTDIR=$PWD
complete_lines() {
	sed 's/<Tab>/\t/g' | TERM=vt100 timeout 300 script -qec 'zsh -d -i' /dev/null >/dev/null 2>&1
	cat calls
}
cat >.zshrc <<'end'
fpath=(./functions $fpath)
autoload -Uz compinit && compinit -u -D
regild() { printf '<%s>' "$@" >>calls; echo >>calls; }
end
complete_lines <<'end'
regild refr<Tab>--onl<Tab>-f<Tab>
regild --col<Tab>alw<Tab> compar<Tab>
regild -C a\ fo<Tab> refr<Tab>
regild -C other<Tab>
regild check oth<Tab>
regild compare --csv oth<Tab>--sta<Tab>
regild compare --base oth<Tab>
regild compare --fail-on los<Tab> --fail-on=lost,nonf<Tab>
regild compare oth<Tab>
regild update oth<Tab>a<Tab>
regild history sh<Tab>7 oth<Tab>
regild cache cl<Tab>
regild help refr<Tab>
exit
end
rm calls
cat >.zshrc <<'end'
autoload -Uz compinit && compinit -u -D
source ./functions/_regild
regild() { printf '<%s>' "$@" >>calls; echo >>calls; }
end
complete_lines <<'end'
regild refr<Tab>--onl<Tab>-f<Tab>
exit
end
