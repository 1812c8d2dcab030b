# SPDX-License-Identifier: Apache-2.0
"""Fetches the goldens of a GitLab pipeline as people do without regild: through python-gitlab, each
job's whole archive. Takes what FORMATS names: of the highest iteration the last restart, in the folder
that is called after the job, with or without its environment.

usage: gitlab_goldens.py URL TOKEN PROJECT PIPELINE OUT [--only-failing]
Writes OUT/STAGE/JOB/FILE.
"""

import io
import pathlib
import re
import sys
import zipfile

import gitlab

MEMBER = re.compile(r"results/iteration=(\d+)/([^/]+)/assets/basic/([^/]+)/(g[^/]*\.json)")


def newest(archive, folders):
    """The goldens of an archive: {file name: bytes}."""
    found = []
    for name in archive.namelist():
        match = MEMBER.fullmatch(name)
        if match and match[3] in folders:
            found.append((int(match[1]), match[2], match[4], name))
    last = max((f[:2] for f in found), default=None)
    return {f[2]: archive.read(f[3]) for f in found if f[:2] == last}


def take_job(project, listed, environment, out):
    job = project.jobs.get(listed.id)
    body = io.BytesIO()
    try:
        job.artifacts(streamed=True, action=body.write)
    except gitlab.exceptions.GitlabGetError:
        return
    plain = job.name.lower().replace("_", "-")
    folders = {plain, plain + "-" + environment.lower().replace("_", "-")}
    for name, content in newest(zipfile.ZipFile(body), folders).items():
        target = out / job.stage / job.name / name.replace("generations", "golden_values")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def main(url, token, project_path, pipeline_id, out, *flags):
    api = gitlab.Gitlab(url, private_token=token)
    project = api.projects.get(project_path)
    prefix = "functional:run_"
    for bridge in project.pipelines.get(int(pipeline_id)).bridges.list(get_all=True):
        if not bridge.name.startswith(prefix) or bridge.downstream_pipeline is None:
            continue
        downstream = project.pipelines.get(bridge.downstream_pipeline["id"])
        for job in downstream.jobs.list(get_all=True):
            if "--only-failing" not in flags or job.status != "success":
                take_job(project, job, bridge.name[len(prefix):], pathlib.Path(out))


main(*sys.argv[1:])
