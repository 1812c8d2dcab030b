# Without libcurl everything works that needs no network, and the rest says what is missing.
new_repository
git remote add origin https://github.com/NVIDIA/Megatron-LM
mkdir -p $ROOT
touch a && commit
mkdir "$SCRATCH/libraries" && : >"$SCRATCH/libraries/libcurl.so.4"
export GITHUB_TOKEN=t LD_LIBRARY_PATH=$SCRATCH/libraries
try regild compare
try regild download --run 22651183945 --only-failing
