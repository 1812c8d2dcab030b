# SPDX-License-Identifier: Apache-2.0
# GitHub gives out 1,000 runs of a search: the older ones are reached through `created` windows, each
# run once although two windows meet in the same second.
mkdir -p fixture/runs
for i in {1001..2030}; do
	# Three runs a second, so that windows meet in the middle of one.
	second=$(((i - 1000) / 3))
	printf '{"repository": "NVIDIA/Megatron-LM", "run": {"id": %d, "created_at": "2026-03-01T%02d:%02d:%02dZ", "path": ".github/workflows/n.yml"}, "jobs": [], "artifacts": []}\n' \
		"$i" $((second / 3600)) $((second / 60 % 60)) $((second % 60)) >"fixture/runs/$i.json"
done
start_hub "$PWD/fixture"
audit="regild audit --repo NVIDIA/Megatron-LM --workflow n.yml --dry-run"
try $audit --last 1020 >runs
sort -u runs | wc -l
head -n 1 runs
tail -n 2 runs
grep -oE 'created=[^& ]*' "$HUB_LOG" | sort -u
echo "== all of them, and since when"
$audit --last 5000 2>&1 >runs | tail -n 1
$audit --last 5000 --since 2026-03-01T00:05:00Z 2>&1 >runs | tail -n 1
$audit --last 5000 --since 2026-03-01T02:05:00+02:00 2>&1 >runs | tail -n 1
$audit --last 5000 --since '2026-02-28 19:35:00.0-0430' 2>&1 >runs | tail -n 1
grep -oE 'created=[^& ]*' "$HUB_LOG" | tail -n 1
$audit --last 5000 --branch nobody 2>&1 >runs | tail -n 1
try regild audit --repo NVIDIA/Megatron-LM --workflow none.yml --dry-run
try regild audit --repo NVIDIA/Megatron-LM --workflow .github/workflows/
# exit: 0
