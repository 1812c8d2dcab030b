# SPDX-License-Identifier: Apache-2.0
import json
import subprocess

import pytest

pytest_plugins = ["pytester"]


class Repository:
    """A repository of goldens in step maps, one of them committed."""

    def __init__(self, path):
        self.path = path
        self.git("init", "-q", "-b", "main", ".")
        (path / ".regild").write_text("[regild]\n\tlayout = plain\n\troot = goldens\n")
        self.golden("a", loss=[10.5, 10.25])
        self.git("add", "-A")
        self.git("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "goldens")

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.path, check=True)

    def golden(self, name, **metrics):
        (self.path / "goldens").mkdir(exist_ok=True)
        document = {metric: {str(step): value for step, value in enumerate(values)} for metric, values in metrics.items()}
        (self.path / "goldens" / f"{name}.json").write_text(json.dumps(document))


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path)
