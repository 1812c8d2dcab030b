# SPDX-License-Identifier: Apache-2.0
# Templates of the user's own, by flag and by configuration, and wrong ones.
new_repository
git config regild.files '*.json'
golden $ROOT/s/t/golden.json m 1 -- n 1
commit
golden $ROOT/s/t/golden.json m 2 -- n 1
printf '{{total}} rows{{#metrics}}\n- {{metric}} {{max}}{{/metrics}}{{^review}}\nnothing to review{{/review}}\n' >mine.md
regild compare -q --markdown - --template mine.md
mkdir sub
printf '[regild]\n\ttemplate = mine.md ; beside this file\n' >.regild
(cd sub && regild compare -q --markdown -)
git config regild.template "$PWD/other.md"
echo 'git says: {{root}}' >other.md
regild compare -q --markdown -
echo '{{#a}}' >wrong.md
try regild compare -q --markdown - --template wrong.md
printf 'x\n{{#a}}{{/b}}' >wrong.md
try regild compare -q --markdown - --template wrong.md
# One that is empty renders nothing, and a setting that is empty is none.
: >empty.md
try regild compare -q --markdown - --template empty.md
git config regild.noise ''
git config regild.template ''
regild compare -q --markdown - | grep -c .
