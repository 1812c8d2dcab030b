# Annotations: what ends a property or a line is escaped.
mkdir -p 'a,b'
printf '{"50%%: x\\ny": [NaN]}' >'a,b/c:d%.json'
echo '[1]' >list.json
try regild check --github 'a,b/c:d%.json' list.json
# Inside a repository paths are from its root, as workflows know them.
new_repository
cd 'a,b'
regild check --github 'c:d%.json'
# exit: 1
