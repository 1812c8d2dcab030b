# SPDX-License-Identifier: Apache-2.0
# csv-parse with `cast: true` reads 0x10, 0b11 and 0o17 as 0: a column of addresses or masks becomes
# zeros, which are all equal. papaparse and a negative 0x10 leave the text. 9007199254740993 loses
# its last digit; papaparse keeps the text.
. "$(dirname "$0")/lib.sh"
npm_packages csv-parse@5.6.0 papaparse@5.5.3
cat >read.mjs <<'JS'
import { parse } from 'csv-parse/sync';
import Papa from 'papaparse';
const line = '0x10,0b11,0o17,-0x10,9007199254740993';
console.log(JSON.stringify(parse(line, { cast: true })[0]));
console.log(JSON.stringify(Papa.parse(line, { dynamicTyping: true }).data[0]));
JS
expect '[0,0,0,"-0x10",9007199254740992]
["0x10","0b11","0o17","-0x10","9007199254740993"]' node read.mjs
