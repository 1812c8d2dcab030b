# SPDX-License-Identifier: Apache-2.0
# A run that cannot be read does not take the others' rows away; names that are hostile stay in their cells.
hub_runs "$SCRATCH/fixture" 1 2 3
sed -i 's|"conclusion": "success"}|"conclusion": "success", "head_branch": "a\\tb\\u001b[31m\\nc"}|' \
	"$SCRATCH/fixture/runs/3.json"
hub_repository
start_hub "$SCRATCH/fixture" --fault api:status,match=/runs/2/artifacts,value=404
try regild runs
try regild runs --json out.json
grep -c '"jobs": null' out.json
stop_hub
echo "--- refused as a whole"
start_hub "$SCRATCH/fixture" --token another
try regild runs
stop_hub
echo "--- answers that are not runs"
start_hub "$SCRATCH/fixture" --fault api:type,field=head_repository,first=1
try regild runs
stop_hub
start_hub "$SCRATCH/fixture" --fault api:total,value=1
regild runs
