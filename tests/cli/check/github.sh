# SPDX-License-Identifier: Apache-2.0
# Annotations: what ends a property or a line is escaped.
mkdir -p 'a,b'
printf '{"50%%: x\\ny": [NaN]}' >'a,b/c:d%.json'
echo "[1" >list.json
try regild check --github 'a,b/c:d%.json' list.json
# Inside a repository paths are from its root, as workflows know them.
new_repository
cd 'a,b'
try regild check --github 'c:d%.json'
cd ..
# What moves a cursor or turns the direction of writing does so nowhere.
hostile=$(printf 'a\033[2Jb\177c\302\233d\342\200\256e.json')
cp 'a,b/c:d%.json' "$hostile"
regild check --github "$hostile"
# exit: 1
