# SPDX-License-Identifier: Apache-2.0
# d3-dsv's autoType makes a date of any text that looks like one: 2001-02-30 is March 2, a version
# or a test called 2024-01 is January 1, and 2024-13 is an invalid date, whose JSON is null.
. "$(dirname "$0")/lib.sh"
npm_packages d3-dsv@3.0.1
cat >read.mjs <<'JS'
import { autoType } from 'd3-dsv';
console.log(JSON.stringify(autoType({ day: '2001-02-30', version: '2024-01', month: '2024-13' })));
JS
expect '{"day":"2001-03-02T00:00:00.000Z","version":"2024-01-01T00:00:00.000Z","month":null}' node read.mjs
