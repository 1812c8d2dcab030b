# SPDX-License-Identifier: Apache-2.0
# GitLab's usual client in Python walks a pipeline of the fake GitLab. Where archives are at a store, it
# sends its token along on the way there, and the store refuses that.
/usr/bin/python3 -c 'import gitlab' 2>/dev/null || skip "needs python3-gitlab"
cat >walk.py <<'PYTHON'
import gitlab, io, os, zipfile
server = gitlab.Gitlab(os.environ["GITLAB_URL"], private_token=os.environ["GITLAB_TOKEN"])
project = server.projects.get("adlr/megatron-lm")
for bridge in project.pipelines.get(31415).bridges.list(get_all=True):
    print(bridge.name, bridge.downstream_pipeline and bridge.downstream_pipeline["id"])
    if not bridge.downstream_pipeline or bridge.downstream_pipeline["project_id"] != project.id:
        continue
    pipeline = project.pipelines.get(bridge.downstream_pipeline["id"])
    for job in pipeline.jobs.list(get_all=True, per_page=3):
        archive = io.BytesIO()
        try:
            project.jobs.get(job.id).artifacts(streamed=True, action=archive.write)
            files = len(zipfile.ZipFile(archive).namelist())
        except gitlab.exceptions.GitlabGetError as error:
            files = error.response_code
        print(" ", job.id, job.stage, job.name, job.status, files)
for line in project.jobs.get(510010).trace().decode().split("\n"):
    if "lm loss" in line:
        print(line)
PYTHON
echo "streamed:"
start_gitlab "$REGILD_TOP/fixtures/pipeline" --stream
/usr/bin/python3 walk.py
stop_hub
echo "from a store:"
start_gitlab "$REGILD_TOP/fixtures/pipeline"
/usr/bin/python3 walk.py | grep -c ' 400$'
grep -c '^store GET .* 400 .*auth=yes' "$HUB_LOG"
