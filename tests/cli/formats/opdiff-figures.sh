# SPDX-License-Identifier: Apache-2.0
# Each figure of a report on opdiff results as Python works it out, all runs of the file merged.
command -v python3 >/dev/null || skip 'needs python3'
for seed in 1 2 3; do
	python3 "$REGILD_TOP/tests/formats/opdiff_results.py" $seed $((seed * 60)) $seed >results.jsonl
	regild show results.jsonl --json report.json >/dev/null
	python3 "$REGILD_TOP/tests/formats/opdiff_report.py" results.jsonl report.json
done
