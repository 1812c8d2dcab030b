# SPDX-License-Identifier: Apache-2.0
# A job's URL takes that job alone, whatever is behind it in the address, and no scope has to be named. A
# job that is not the run's is an error, and so is one that another has replaced.
start_hub "$REGILD_TOP/fixtures/twins"
hub_repository
run=https://github.com/NVIDIA/Megatron-LM/actions/runs/2002
for rest in 2 '1?pr=12' '4#step:3:1' '2?pr=12#step:3:1'; do
	echo "# $rest"
	try regild download --run "$run/job/$rest" -o ../staged
	staged ../staged
	rm -r ../staged
done 2>&1 | grep -v moved
echo '# which jobs, too'
try regild download -q --run "$run/job/1" --only-failing -o ../staged
try regild download -q --run "$run/job/2" --all -o ../staged
grep -e '"scope"' -e '"job"' ../staged/manifest.json
checked_json <../staged/manifest.json >/dev/null
echo '# none of its own'
try regild download --run "$run/job/77" --all
try regild download --run "$run/job/x" --all
try regild refresh --runs "$run/job/1,2003" --all
echo '# a refresh says that it is one job'
try regild refresh --run "$run/job/2" --message ../message 2>/dev/null | grep -e '^ .* from' -e exit -e 'from job'
grep Scope ../message

stop_hub
start_gitlab "$REGILD_TOP/fixtures/pipeline"
new_repository
jobs=$GITLAB_URL/adlr/megatron-lm/-/jobs
echo '# GitLab'
for rest in 510002 '520001#L10' 510001 9; do
	try regild download --run "$jobs/$rest" -o ../staged 2>&1 | grep -v moved
	staged ../staged
	rm -rf ../staged
done
try regild download --run "$jobs/510002" | sed 's/.*golden in //'
try regild update --run "$jobs/510002"
