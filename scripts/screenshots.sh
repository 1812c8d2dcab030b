#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make screenshots`: the README's pictures, of the demo's terminal and its page, into docs.
# usage: scripts/screenshots.sh BUILD_DIR
set -eu
. "$(dirname "$0")/../tests/browser/lib.sh"
make_pages demo demo_terminal
mkdir -p docs
node tests/browser/screenshots.mjs docs
ls -l docs
