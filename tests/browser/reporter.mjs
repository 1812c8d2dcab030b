// SPDX-License-Identifier: Apache-2.0
// Says what failed and why, and ends with "N passed, N failed, N skipped", as every part of the tests.
export default async function* report(events) {
	const count = { passed: 0, failed: 0, skipped: 0 };

	for await (const { type, data } of events) {
		if (type === 'test:diagnostic' && data.nesting === 0 && data.message.startsWith('note: ')) {
			yield `${data.message.slice(6)}\n`;
		}
		if (type === 'test:stderr') yield data.message;
		if (data?.details?.type === 'suite') continue;
		if (type === 'test:pass') count[data.skip === undefined ? 'passed' : 'skipped']++;
		if (type === 'test:fail') {
			const error = data.details.error;

			count.failed++;
			yield `FAIL browser/${data.name}\n${error.cause?.stack ?? error.cause ?? error.stack}\n`;
		}
	}
	yield `browser tests:\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`;
}
