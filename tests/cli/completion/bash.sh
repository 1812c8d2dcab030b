# SPDX-License-Identifier: Apache-2.0
# What Tab makes of a line in a real bash, where `regild` is a function, too: commands, options, words, files and folders, each where it fits.
mkdir -p 'a folder/regild' && touch 'a file.json' other.json
regild completion bash >regild.bash
cat >rc <<'end'
. ./regild.bash
regild() { printf '<%s>' "$@" >>calls; echo >>calls; }
end
# A real Tab for each <Tab>; a line that cannot be completed stays as it is.
complete_lines() {
	sed 's/<Tab>/\t/g' | INPUTRC=/dev/null HISTFILE= bash --noprofile --rcfile rc -i >/dev/null 2>&1
	cat calls
}
complete_lines <<'end'
regild refr<Tab>--onl<Tab>-f<Tab>
regild upd<Tab>li<Tab>
regild --col<Tab>alw<Tab>compar<Tab>
regild compare --color=nev<Tab>
regild compare --color=<Tab>n<Tab>
regild -C a\ fo<Tab> refr<Tab>
regild -C other<Tab>
regild --repo check compar<Tab>
regild --repo https://host/o/n compar<Tab>
regild check a\ fi<Tab>oth<Tab>
regild check "a fi<Tab>
regild compare --csv oth<Tab>--sta<Tab>
regild compare --csv=oth<Tab>
regild compare --base oth<Tab>
regild compare --fail-above loss=1 --sta<Tab>
regild compare --fail-on los<Tab>--fail-on=lost,nonf<Tab>
regild compare oth<Tab>
regild update oth<Tab>a<Tab>
regild update -- --st<Tab>
regild update --allow non<Tab>--allow=dir<Tab>
regild history sh<Tab>--js<Tab>oth<Tab>
regild executorch verify-<Tab>oth<Tab>--act<Tab>
regild cache cl<Tab>
regild help refr<Tab>
regild help executorch unp<Tab>
regild completion z<Tab>
regild nonsense --qui<Tab>oth<Tab>
end
