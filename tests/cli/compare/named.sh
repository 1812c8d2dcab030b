# SPDX-License-Identifier: Apache-2.0
# What regild.files names is a golden, whatever is in it; what it does not name is not looked at.
new_repository
printf '[regild]\n\tfiles = *.log *.ini golden_values*.json\n' >.regild
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1 2
echo '1 8.05' >$ROOT/gpt/a/loss.log
printf 'day,price\n1,2\n' | tee $ROOT/gpt/a/prices.ini >$ROOT/gpt/a/same.ini
echo '{"prompt": "a"}' | tee $ROOT/gpt/a/prompts.jsonl >$ROOT/gpt/a/model_config.json
commit
cp -r $ROOT/gpt ../old
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1 2.5
echo '1 8.04' >$ROOT/gpt/a/loss.log
printf 'day,price\n1,3\n' >$ROOT/gpt/a/prices.ini
echo '{"prompt": "b"}' >>$ROOT/gpt/a/prompts.jsonl
echo '{"layers": 2}' >$ROOT/gpt/a/model_config.json
commit new
echo '# named, and no reader knows it'
try regild compare --base HEAD~1 --csv -
try regild check --changed --base HEAD~1
try regild audit --history HEAD | grep -e 'runs of' -e exit
try regild compare --old ../old --new $ROOT/gpt --csv -
try regild audit --from ../old $ROOT/gpt | grep -e 'runs of' -e exit
mkdir -p ../staged/files/gpt/a
echo '1 8.03' >../staged/files/gpt/a/loss.log
staging_manifest ../staged
try regild update ../staged
echo '# not named, beside a golden'
git rm -q .regild
commit 'the default'
regild compare --base HEAD~2 --csv - --fail-above 0.2
regild check
regild compare --old ../old --new $ROOT/gpt --csv - --fail-above 0.2
echo '# nothing is named'
git config regild.files 'goldens*.json'
regild compare
git config --unset regild.files
echo '# named on the command line'
try regild compare --base HEAD~2 --csv - --file $ROOT/gpt/a/loss.log --file $ROOT/gpt/a/prompts.jsonl
try regild check $ROOT/gpt/a/loss.log
echo '# two folders in which nothing is named: what looks like a golden'
rm ../old/a/golden_values_dev.json ../old/a/prompts.jsonl
cp -r ../old ../new
echo '{"layers": 2}' >../new/a/model_config.json
regild compare --old ../old --new ../new --csv -
echo '# what a download wrote: its goldens alone'
rm -r ../staged/files ../old
golden ../old/gpt/b/golden.json 'lm loss' 1
golden ../staged/files/gpt/b/golden.json 'lm loss' 2
staging_manifest ../staged
cp -r ../staged ../staged2
golden ../staged2/files/gpt/b/golden.json 'lm loss' 3
staging_manifest ../staged2 8
regild compare --old ../staged --new ../staged2 --csv - --fail-above 0.6
regild compare --old ../old --new ../staged2 --csv -
echo '# a manifest.json of somebody else'
echo '{"a": 1}' | tee ../old/manifest.json >../new/manifest.json
regild compare --old ../old --new ../new --csv - --filter 'file=manifest.json'
