# Nothing is written; the goldens stay staged for a real update.
start_hub $REGILD_TOP/fixtures/demo
cp -r $REGILD_TOP/fixtures/demo/repository repository && cd repository
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit
try regild refresh --run 22651183945 --all --dry-run -q
git status --short
try regild update -q
git status --short | wc -l
