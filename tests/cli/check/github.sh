# Annotations: what ends a property or a line is escaped.
mkdir -p 'a,b'
printf '{"50%%: x\\ny": [NaN]}' >'a,b/c:d%.json'
echo '[1]' >list.json
regild check --github 'a,b/c:d%.json' list.json
# exit: 1
