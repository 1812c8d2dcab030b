# Two jobs whose artifacts want the same target: with the same bytes that is no matter, with different
# ones neither is written.
start_hub "$REGILD_TOP/fixtures/conflict"
hub_repository
try regild download -v --run 2003 --all -o all
staged all
