#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Opens regild's pages in a headless Chromium and closes with "N passed, N failed, N skipped".
# usage: tests/browser/run.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"
make_pages demo curves views opdiff cases audit audit_large hostile large many few links
timeout 600 node --test --test-reporter="$PWD/tests/browser/reporter.mjs" tests/browser/*.test.mjs
