#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make demo`: a refresh from end to end. A scratch repository with old goldens, a fake GitHub on
# loopback with a run from fixtures/demo, and regild between them. Everything lands in build/demo.
# usage: scripts/demo.sh BUILD_DIR
set -eu
cd "$(dirname "$0")/.."
. tests/environment.sh
top=$PWD
build=$top/$1
demo=$top/build/demo
run=22651183945

hub=
stop_hub() {
	[ -z "$hub" ] || { kill "$hub" && wait "$hub"; } 2>/dev/null || true
	hub=
}
trap stop_hub EXIT
trap 'exit 130' INT TERM

# show COMMAND…: prints it as one would type it, then runs it.
show() {
	echo
	echo "\$ $*"
	"$@"
}

rm -rf "$demo"
mkdir -p "$demo"
cp -R fixtures/demo/repository "$demo/repository"

export HOME=$demo/home XDG_CACHE_HOME=$demo/cache
export GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@example.com
export GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@example.com
export PATH=$build:$PATH
mkdir -p "$HOME"

echo "Everything is in ${demo#"$top"/}/: a scratch repository with old goldens, and a GitHub of our own"
echo "on loopback that has run $run."

cd "$demo/repository"
show git init -q -b main .
show git remote add origin https://github.com/NVIDIA/Megatron-LM.git
show git add -A
show git commit -q -m "Goldens as they were"

"$build/hub" --log "$demo/hub.log" --ready "$demo/hub.ready" --token demo-token "$top/fixtures/demo" &
hub=$!
eventually [ -s "$demo/hub.ready" ]
read -r url <"$demo/hub.ready"
show export GITHUB_API_URL="$url" GITHUB_TOKEN=demo-token

status=0
show regild refresh --run $run --only-failing --csv ../summary.csv --markdown ../summary.md \
	--html ../report.html || status=$?
stop_hub
echo
case $status in
0) echo "exit code 0: everything that failed in the run has been refreshed" ;;
4) echo "exit code 4: done in part; what is missing, an expired artifact, is named above" ;;
*)
	echo "exit code $status"
	exit 1
	;;
esac

show git status --short
echo
sent=$(awk '$1 == "store" { bytes += $5 } END { printf "%.0f", bytes / 1024 }' "$demo/hub.log")
echo "The store sent $sent KiB; requests are in ${demo#"$top"/}/hub.log."
for file in summary.md summary.csv report.html; do
	[ -s "$demo/$file" ] || {
		echo "demo: $file is missing"
		exit 1
	}
	echo "${demo#"$top"/}/$file"
done
