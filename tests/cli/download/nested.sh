# A zip inside an artifact's zip is opened where regild.files says so; names under different folders stay
# apart. One that is no zip is named.
start_hub "$REGILD_TOP/fixtures/nested"
export GITHUB_REPOSITORY=pytorch/executorch
new_repository
printf '[regild]\n\troot = goldens\n\tfiles = golden_artifacts_*.zip!**/*.bin\n' >.regild
commit
try regild download --run 9 --all -o staged
find staged -type f | LC_ALL=C sort
try regild download --run 9 --all --whole --no-cache -q -o whole
diff -r staged/files whole/files && echo same
