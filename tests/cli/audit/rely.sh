# SPDX-License-Identifier: Apache-2.0
# What the page says first: which goldens may be relied on, by the worst of their metrics, with a tolerance only where
# one holds; and hashes in short.
say() {
	regild audit -q --html page.html "$@" --from runs/*
	grep -e '^<p>Verdicts' page.html || true
	sed -n -e '/class="answers"/,/^<\/ul>$/p' -e '/id="tolerances"/,/^<\/section>/p' page.html |
		sed -e '/<table/d' -e '/<thead/d' -e 's/<td class="n">[^ ]*<\/td>//g' | grep -e '<li' -e '<tr' -e '<summary'
}
for run in {10..39}; do
	at=runs/${run}0123456789abcdef0123456789abcdef012345 noise=$((run * 7 % 30 + 10)) late=0
	[ "$run" -lt 25 ] || late=1
	golden $at/exact.json zeros 0 1 2 -- none 0
	golden $at/within.json zeros 0 1 -- loss 10.$noise 9.5
	golden $at/drifts.json loss 10.$noise -- memory $((run * 3 + run % 2)).5
	golden $at/wide.json loss 10.$noise -- error $((run * run * 37 % 101 - 50))
	golden $at/broke.json loss $((10 + late)).$noise
	golden $at/nan.json loss NaN
	[ "$run" -lt 33 ] || golden $at/few.json loss 10.$noise -- zeros 0
	[ "$run" -lt 37 ] || golden $at/fewer.json loss 10.$noise -- zeros 0
done
say
echo '# by a multiplier nothing is known of the rate'
say --confidence-multiplier 3 --only exact.json --only within.json --only wide.json
echo '# one golden'
say --only fewer.json
