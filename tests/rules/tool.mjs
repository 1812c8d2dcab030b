// SPDX-License-Identifier: Apache-2.0
// usage: node tool.mjs jest|node FOLDER [NODE_MODULES]: as tool.py.
import assert from 'node:assert';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [tool, folder, modules] = process.argv.slice(2);
const lines = name => fs.readFileSync(path.join(folder, name), 'utf8').trim().split('\n').map(line => line.split(' '));
const calls = { 'node-equal': (old, fresh) => assert.deepEqual(fresh, old) };
if (tool === 'jest') {
	const from = createRequire(path.join(modules, 'x.js'));
	if (!fs.existsSync(path.join(modules, 'expect')))
		process.exit(77);
	const { expect } = from('expect');
	console.log('jest', from('expect/package.json').version);
	delete calls['node-equal'];
	calls['jest-equal'] = (old, fresh) => expect(fresh).toEqual(old);
	calls['jest-close'] = (old, fresh, precision) => {
		expect(fresh.length).toBe(old.length);
		old.forEach((value, i) => expect(fresh[i]).toBeCloseTo(value, precision));
	};
} else {
	console.log('Node', process.versions.node);
}

// A table's columns are plain arrays, and others have a type.
const types = { float64: Float64Array, float32: Float32Array, int64: BigInt64Array, int32: Int32Array, uint8: Uint8Array };
const values = (text, type, typed) => {
	const list = text === '-' ? [] : text.split(',').map(hex => {
		const view = new DataView(new ArrayBuffer(8));
		view.setBigUint64(0, BigInt('0x' + hex.padEnd(16, '0')));
		return { float64: () => view.getFloat64(0), float32: () => view.getFloat32(0), int64: () => view.getBigInt64(0), int32: () => view.getInt32(0),
			uint8: () => view.getUint8(0) }[type]();
	});
	return typed ? types[type].from(list) : list.map(Number);
};
const arrays = ([name, from, to, old, fresh], typed) => [name, values(old, from, typed), values(fresh, to, typed)];
const pairs = lines('pairs').map(line => arrays(line, fs.existsSync(path.join(folder, 'old', line[0] + '.npy'))));
const numbers = lines('pairs').map(line => arrays(line, false));
for (const [check, rule, parameter] of lines('rules').filter(([, rule]) => calls[rule]))
	for (const [name, old, fresh] of rule === 'jest-close' ? numbers : pairs) {
		let verdict = 'passes';
		try {
			calls[rule](old, fresh, parameter && Number(parameter.split('=')[1]));
		} catch {
			verdict = 'fails';
		}
		console.log(check, name, verdict);
	}
