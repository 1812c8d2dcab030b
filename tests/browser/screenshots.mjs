// SPDX-License-Identifier: Apache-2.0
// The README's pictures, of pages.sh's pages. usage: node screenshots.mjs FOLDER
import fs from 'node:fs';
import path from 'node:path';
import { launch, pageAddress, pagePath, ready } from './chromium.mjs';

const folder = process.argv[2];

// A terminal's text with its colours, as a drawing: sharp at any size, and the same bytes everywhere.
const styles = { 1: 'font-weight="bold"', 31: 'fill="#ff7b72"', 32: 'fill="#3fb950"', 33: 'fill="#d29922"' };
const [across, down, edge] = [7.2, 17, 14];

const escape = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
// Every second part of a line is what a sequence says between "ESC [" and "m".
const spans = (line) => line.split(/\x1b\[([0-9;]*)m/).reduce(({ drawn, style }, part, i) => i % 2
	? { drawn, style: part.split(';').map((code) => styles[Number(code)] ?? '').join(' ') }
	: { drawn: drawn + (part && (style ? `<tspan ${style}>${escape(part)}</tspan>` : escape(part))), style }, { drawn: '', style: '' }).drawn;

function terminal(text) {
	const lines = text.replaceAll('\r', '').trimEnd().split('\n');
	const lengths = lines.map((line) => line.replace(/\x1b\[[0-9;]*m/g, '').length);
	const width = Math.ceil(Math.max(...lengths) * across + 2 * edge);
	const height = lines.length * down + 2 * edge;

	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"
	font-family="ui-monospace, Menlo, 'DejaVu Sans Mono', monospace" font-size="12" fill="#e6edf3">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${lines.map((line, i) => lengths[i] && `<text xml:space="preserve" x="${edge}" y="${edge + (i + 0.75) * down}" \
textLength="${(lengths[i] * across).toFixed(1)}" lengthAdjust="spacingAndGlyphs">${spans(line)}</text>`).filter(Boolean).join('\n')}
</svg>
`;
}

fs.writeFileSync(path.join(folder, 'terminal.svg'), terminal(fs.readFileSync(pagePath('terminal.txt'), 'utf8')));

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1000, height: 960 } });
const shoot = (name) => page.screenshot({ path: path.join(folder, name) });
const showFirst = (selector) => page.locator(selector).first().evaluate((element) => element.scrollIntoView());

await page.goto(pageAddress('report.html'));
await ready(page);
// The first screen, down to where its details begin.
const { y, height } = await page.locator('.cards').boundingBox();
await page.setViewportSize({ width: 1000, height: Math.ceil(y + height) + 24 });
await shoot('page.png');
await page.setViewportSize({ width: 1000, height: 1020 });
await page.emulateMedia({ colorScheme: 'dark' });
await page.getByRole('search').getByLabel('metric').selectOption('lm loss');
await page.locator('tr.row:visible button').first().click();
await page.locator('.panel svg.plot').waitFor();
await showFirst('#rows');
await shoot('rows.png');
await browser.close();
