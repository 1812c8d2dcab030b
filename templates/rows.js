/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a comparison, after page.js. The page has the first of them as a table, and the data
 * of all in blocks that lib/report/page_data.c describes. With this script
 *
 * - the table is sorted and filtered by these data; of what is left 500 rows are shown, then more;
 * - a row opens: its curves, links to the golden, and what can be copied;
 * - the address has the filter, the order, the row that was opened last ("row") and what was ticked
 *   ("seen"). "#row-ID", which works without it too, opens that row, "#metric=NAME" shows its rows;
 * - j and k go to the next row that needs review, x ticks it;
 */
'use strict';

const STEP = 500; /* rows that are shown at first, and more of at a time: RG_HTML_ROWS */
const BLOCK = 64; /* curves of a block, as page_data.c has it */

const inflate = async (element) => {
	const text = atob(JSON.parse(element.textContent)), bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
	return JSON.parse(await new Response(stream).text());
};

/* --- curves: their values --- */

const blocks = all('script.curve-data'), inflated = new Map();

const readCurve = async (place) => {
	const number = Math.floor(place / BLOCK);
	if (!inflated.has(number))
		inflated.set(number, inflate(blocks[number]));
	return (await inflated.get(number))[place % BLOCK];
};

/* What is not finite comes as "nan", "inf" or "-inf". */
const valueOf = (value) => typeof value === 'number' ? value : numberOf(value);

/* Why a step does not count; undefined: it does. */
const reasonOf = (at, nearZero) => at.old === undefined ? 'only new has it' : at.new === undefined ? 'only old has it' :
	!isFinite(at.old) ? 'old is not finite' : !isFinite(at.new) ? 'new is not finite' :
	Math.abs(at.old) < nearZero ? 'old is near zero' : undefined;

/* How far it moved: positive where new is the larger number, as in words and captions. */
const changeOf = (old, value) => (value - old) / Math.abs(old);
const CHANGE = '(new - old) / |old|';

/* All steps of both sides, ascending: {step, old, new, low, high, relative, reason}. */
const stepsOf = (curve) => {
	const steps = new Map();
	for (const side of ['old', 'new', 'low', 'high'])
		(curve[side]?.[0] ?? []).forEach((step, i) => {
			if (!steps.has(step))
				steps.set(step, {step});
			steps.get(step)[side] = valueOf(curve[side][1][i]);
		});
	const list = [...steps.values()].filter((at) => at.old !== undefined || at.new !== undefined);
	for (const at of list) {
		at.reason = reasonOf(at, curve.near_zero ?? 1e-12);
		if (!at.reason)
			at.relative = changeOf(at.old, at.new);
	}
	return list.sort((a, b) => a.step - b.step);
};

/* The range of values that shows how both differ, as lib/report/curve.h has it. */
const rangeOf = (values) => {
	const sizes = values.filter((value) => isFinite(value)).sort((a, b) => a - b), n = sizes.length;
	if (!n)
		return null;
	let low = sizes[0], high = sizes[n - 1];
	const inner = Math.floor(n / 20), first = sizes[inner], last = sizes[n - 1 - inner];
	const middle = last / 4 - first / 4;
	if (middle > 0 && high / 4 - low / 4 >= 10 * middle)
		[low, high] = [Math.max(first - 2 * middle, low), Math.min(last + 2 * middle, high)];
	return low === high ? [low - (Math.abs(low) * 0.1 || 1), high + (Math.abs(low) * 0.1 || 1)] : [low, high];
};

/* --- curves: drawing --- */

const RIGHT = 26, HEIGHT = 150, TOP = 22, GAP = 40, BOTTOM = 30, LETTER = 9;

const brief = (number) => String(Number(number.toPrecision(4)));

const decadeText = (value) => Math.abs(value) >= 1 && Math.abs(value) < 1000 ? brief(value) : value.toExponential(0).replace('+', '');

/* Symmetric and logarithmic: linear up to `unit`, from there on a decade is as far as the next. */
const symmetric = (value, unit) => Math.sign(value) * Math.log10(1 + Math.abs(value) / unit);

/* A plot is {svg, steps, x, left, width, dots}: x(at) is where a step is, and without an order its
 * points are dots. */
const addAxis = ({svg, left, width}, y, text) => svg.append(
	draw('line', {class: 'grid', x1: left, y1: y, x2: width - RIGHT, y2: y}),
	draw('text', {class: 'tick', x: left - 6, y: y + 4, 'text-anchor': 'end'}, text));

const addBand = ({svg, steps, x}, low, high) => {
	const known = steps.filter((at) => isFinite(low(at)) && isFinite(high(at)));
	const points = [...known.map((at) => [x(at), low(at)]), ...known.reverse().map((at) => [x(at), high(at)])];
	if (points.length > 2)
		svg.append(draw('path', {class: 'band', d: pathOf(points) + 'Z'}));
};

const addCurve = ({svg, dots}, name, points) => svg.append(dots ?
	draw('path', {class: name + ' dots', d: points.filter(([, y]) => isFinite(y)).map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join('')}) :
	draw('path', {class: name + ' curve', d: pathOf(points)}));

/* Arrows at the frame's edge for what is beyond it; returns how many there are. */
const addBeyond = ({svg, x}, name, values, [low, high], top) => {
	const beyond = values.filter(([, value]) => value < low || value > high);
	for (const [at, value] of beyond)
		svg.append(draw('path', {class: name + ' beyond',
			d: value > high ? `M${(x(at) - 4).toFixed(1)} ${top + 1}h8l-4-7z` : `M${(x(at) - 4).toFixed(1)} ${top + HEIGHT - 1}h8l-4 7z`}));
	return beyond.length;
};

const scaleOfValues = (steps) => {
	const range = rangeOf(steps.flatMap((at) => [at.old, at.new, at.low, at.high]).filter((value) => value !== undefined));
	if (!range)
		return null;
	const [low, high] = range, {ticks, step} = roundTicks(low, high, 6);
	return {range, ticks: ticks.map((at) => [at, tickText(at, step)])};
};

/* Old and new, with some room around them. */
const drawValues = (plot, scale) => {
	const {svg, steps, x} = plot, label = draw('text', {class: 'label', x: 0, y: 11});
	svg.append(label);
	if (!scale) {
		label.textContent = 'no finite value';
		return;
	}
	const [low, high] = scale.range, room = HEIGHT * 0.05;
	const y = (value) => TOP + room + (HEIGHT - 2 * room) * (high / 2 - Math.min(Math.max(value, low), high) / 2) / (high / 2 - low / 2);
	for (const [at, text] of scale.ticks)
		addAxis(plot, y(at), text);
	addBand(plot, (at) => y(at.low), (at) => y(at.high));
	if (plot.dots)
		svg.append(draw('path', {class: 'grid', d: steps.filter((at) => isFinite(at.old) && isFinite(at.new))
			.map((at) => `M${x(at).toFixed(1)} ${y(at.old).toFixed(1)}V${y(at.new).toFixed(1)}`).join('')}));
	let beyond = 0;
	for (const [side, name] of [['old', 'line0'], ['new', 'line1']]) {
		const has = steps.filter((at) => at[side] !== undefined);
		addCurve(plot, name, has.map((at) => [x(at), isFinite(at[side]) ? y(at[side]) : NaN]));
		beyond += addBeyond(plot, name, has.filter((at) => isFinite(at[side])).map((at) => [at, at[side]]), scale.range, TOP);
	}
	label.textContent = beyond ? `value (${count(beyond)} beyond the frame)` : 'value';
};

/* How far each step moved below it, and a mark for each step that does not count. */
const drawRelative = (plot) => {
	const {svg, steps, x} = plot, top = TOP + HEIGHT + GAP, middle = top + HEIGHT / 2;
	const sizes = steps.map((at) => Math.abs(at.relative)).filter((size) => size && isFinite(size));
	const bands = steps.flatMap((at) => at.low === undefined || !at.old ? [] : [changeOf(at.old, at.low), changeOf(at.old, at.high)]);
	const largest = Math.max(0, ...sizes, ...bands.map(Math.abs).filter(isFinite)) || 1;
	/* At most six decades: what is under them is as good as 0. */
	const unit = 10 ** Math.floor(Math.log10(Math.max(Math.min(largest, ...sizes), largest / 1e6)));
	const y = (value) => middle - 0.45 * HEIGHT * symmetric(value, unit) / symmetric(largest, unit);
	addAxis(plot, middle, '0');
	const decades = Math.floor(Math.log10(largest / unit) + 1e-9), each = Math.max(1, Math.ceil((decades + 1) / 3));
	for (let decade = decades; decade >= 0; decade -= each)
		for (const sign of middle - y(unit * 10 ** decade) > 16 ? [1, -1] : [])
			addAxis(plot, y(sign * unit * 10 ** decade), decadeText(sign * unit * 10 ** decade));
	svg.append(draw('text', {class: 'label', x: 0, y: top - 11}, CHANGE));
	const off = (at, side) => at[side] === undefined || !at.old || at.reason ? NaN : y(changeOf(at.old, at[side]));
	addBand(plot, (at) => off(at, 'low'), (at) => off(at, 'high'));
	addCurve(plot, 'line2', steps.map((at) => [x(at), at.relative === undefined ? NaN : y(at.relative)]));
	for (const at of steps)
		if (at.reason)
			svg.append(draw('path', {class: 'left', d: `M${(x(at) - 3).toFixed(1)} ${middle - 3}l6 6m0-6l-6 6`}));
};

/* Steps by round numbers; of records the first and the last, as far as there is room. */
const drawSteps = ({svg, steps, x, left, width}, nameOf, records) => {
	const y = TOP + 2 * HEIGHT + GAP + 16, across = width - RIGHT - left;
	const add = (at, text, anchor) => svg.append(draw('text', {class: 'tick', x: x(at), y, 'text-anchor': anchor}, text));
	const last = steps[steps.length - 1];
	if (records || last.step === steps[0].step) {
		const letters = Math.floor(across / 2 / LETTER) - 1;
		add(steps[0], shorten(nameOf(steps[0]), letters), 'start');
		if (last !== steps[0])
			add(last, shorten(nameOf(last), letters), 'end');
		return;
	}
	const digits = String(last.step).length + 2;
	for (const step of roundTicks(steps[0].step, last.step, Math.max(1, Math.floor(across / (digits * LETTER) / 1.5)), 1).ticks)
		add({step}, String(step), 'middle');
};

const legendOf = (steps) => make('p', {class: 'legend'},
	make('span', {class: 'line0'}, 'old'), ' ', make('span', {class: 'line1'}, 'new'), ' ',
	make('span', {class: 'line2'}, CHANGE),
	...steps.some((at) => at.low !== undefined) ? [' ', make('span', {class: 'band'}, 'the runs of the noise model')] : [],
	...steps.some((at) => at.reason) ? [' × a step that is left out'] : []);

/* "step 17: old 10.2, new 10.3, (new - old) / |old| +0.0098; the runs 10.1 … 10.4" */
const sayStep = (at, name) => {
	const parts = [];
	if (at.old !== undefined)
		parts.push('old ' + at.old);
	if (at.new !== undefined)
		parts.push('new ' + at.new);
	parts.push(at.reason ? 'left out: ' + at.reason : `${CHANGE} ${at.relative > 0 ? '+' : ''}${brief(at.relative)}`);
	return `${name}: ${parts.join(', ')}${at.low === undefined ? '' : `; the runs ${at.low} … ${at.high}`}`;
};

/* A row's curves, with a slider that goes from step to step. */
const curvesOf = (row, curve, width) => {
	const steps = stepsOf(curve), unit = curve.tensor ? 'element' : curve.records ? 'record' : 'step';
	const height = TOP + 2 * HEIGHT + GAP + BOTTOM, scale = scaleOfValues(steps);
	const svg = draw('svg', {class: 'plot', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
		'aria-label': `${row.metric}: old and new, and their relative difference by ${unit}`});
	const left = Math.max(56, ...(scale?.ticks ?? []).map(([, text]) => text.length * LETTER + 10));
	const first = steps[0].step, span = steps[steps.length - 1].step - first || 1;
	const x = (at) => left + 6 + (width - left - RIGHT - 6) * (at.step - first) / span;
	const plot = {svg, steps, x, left, width, dots: Boolean(curve.records)};
	const nameOf = (at) => curve.records ? curve.records[at.step] ?? `record ${at.step}` : `${unit} ${at.step}`;
	drawValues(plot, scale);
	drawRelative(plot);
	drawSteps(plot, nameOf, curve.records);
	const cursor = draw('line', {class: 'mark', y1: TOP, y2: height - BOTTOM});
	const slider = make('input', {type: 'range', min: 0, max: steps.length - 1, step: 1});
	const readout = make('output');
	const show = () => {
		const at = steps[slider.value], text = sayStep(at, nameOf(at));
		cursor.setAttribute('x1', x(at));
		cursor.setAttribute('x2', x(at));
		slider.setAttribute('aria-valuetext', text);
		readout.textContent = text;
	};
	/* The largest relative difference, to begin with. */
	slider.value = steps.reduce((best, at, i) => Math.abs(at.relative ?? 0) > Math.abs(steps[best].relative ?? 0) ? i : best, 0);
	slider.addEventListener('input', show);
	svg.addEventListener('pointermove', (event) => {
		const box = svg.getBoundingClientRect(), place = (event.clientX - box.left) * width / box.width;
		const off = (at) => Math.abs(x(at) - place);
		slider.value = steps.reduce((best, at, i) => off(at) < off(steps[best]) ? i : best, 0);
		show();
	});
	svg.append(cursor);
	show();
	return [legendOf(steps), svg, make('label', {class: 'steps'}, unit + ' ', slider), readout,
		...curve.thin ? [make('p', {}, 'Of many values, the least and the largest of each stretch are drawn; the CSV has the figures of all.')] : []];
};

/* How the relative difference goes, small: a letter a place, as page_data.c has it. */
const trendOf = (trend) => {
	let path = '', open = false;
	[...trend].forEach((letter, i) => {
		const line = letter >= 'a', on = open && line;
		const x = trend.length > 1 ? 1 + i * 62 / (trend.length - 1) : 32;
		if (letter !== '.')
			path += `${on ? 'L' : 'M'}${x.toFixed(1)} ${(15 - 0.7 * (letter.charCodeAt(0) - (line ? 97 : 65))).toFixed(1)}${on ? '' : 'h0'}`;
		open = letter !== '.';
	});
	return draw('svg', {class: 'spark', viewBox: '0 0 64 16', 'aria-hidden': 'true'}, draw('path', {class: 'grid', d: 'M0 8h64'}),
		draw('path', {class: /[A-Z]/.test(trend) ? 'dots' : 'trend', d: path}));
};

/* --- what is sent on --- */

const flash = (button, text) => {
	const before = button.dataset.text ?? button.textContent;
	button.dataset.text = before;
	button.textContent = text;
	setTimeout(() => { button.textContent = before; }, 1500);
};

/* Where the browser keeps its clipboard from scripts, the old way. */
const copy = async (button, text) => {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const field = make('textarea', {'aria-hidden': 'true'}, text);
		button.after(field);
		field.select();
		document.execCommand('copy');
		field.remove();
	}
	flash(button, 'Copied');
};

const makeButton = (text, press) => {
	const button = make('button', {type: 'button'}, text);
	button.addEventListener('click', () => press(button));
	return button;
};

/* Text that is code in a table of markdown, whatever it has. */
const codeOf = (text) => {
	const ticks = '`'.repeat(1 + Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)));
	const edge = /^`|`$/.test(text) ? ' ' : '';
	return ticks + edge + text.replace(/[\r\n]+/g, ' ').replace(/\|/g, '\\|') + edge + ticks;
};

const lineOf = (cells) => `| ${cells.join(' | ')} |\n`;
const figureOf = (row) => row.cells[0].trim();
const markdownOf = (rows, total) => lineOf(['metric', 'avg_rel_diff', 'golden', 'why']) + lineOf(['---', '---:', '---', '---']) +
	rows.map((row) => lineOf([codeOf(row.metric), figureOf(row), codeOf(row.name), row.why ? codeOf(row.why) : ''])).join('') +
	(total > rows.length ? `\n${count(total - rows.length)} more rows.\n` : '');

const csvField = (value) => /[",\r\n]/.test(value) ? `"${value.replace(/"/g, '""')}"` : value;
/* Numbers with all their digits. */
const csvOf = (columns, rows) => [['file', 'metric', 'avg_rel_diff', ...columns.map(({name}) => name)],
	...rows.map((row) => [row.file, row.metric, ...row.cells.flatMap((text, i) =>
		i % 2 ? [] : [row.cells[i + 1] ?? (text === '-' ? '' : text.trim())])])]
	.map((line) => line.map((value) => csvField(String(value))).join(',') + '\r\n').join('');

const save = (name, text) => {
	const link = make('a', {href: URL.createObjectURL(new Blob([text], {type: 'text/csv'})), download: name});
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

/* A golden on the host of its repository; null where that is not known. */
const linkOf = (url, {file, path = file}, text) => /^https?:\/\//i.test(url ?? '') ?
	make('a', {href: url + path.split('/').map(encodeURIComponent).join('/'), rel: 'noreferrer'}, text) : null;

/* --- the table --- */

const setUpRows = (section, data) => {
	const {columns, rows} = data, byId = new Map(rows.map((row) => ['row-' + row.id, row])), byRow = new Set(rows);
	const table = section.querySelector('table'), body = table.tBodies[0], bar = section.querySelector('.filters');
	const heads = [...table.tHead.rows[0].cells], hasWhy = heads.some((head) => head.classList.contains('why'));
	const seen = new Set(), state = make('span', {class: 'quiet'});
	const more = makeButton('', () => { limit += STEP; show(); });
	/* What is left by the filter, and that in the table's order; how many of them are shown; the row
	 * that j and k start from. */
	let left = rows, list = rows, limit = STEP, current = null, sort = () => {};

	/* --- rows and what they open --- */

	const cellsOf = (row) => [make('td', {}, row.metric), make('td', {class: 'n'}, row.cells[0]),
		make('td', {class: 'trace'}, ...row.trend ? [trendOf(row.trend)] : []), make('td', {class: 'path', title: row.file}, row.name),
		...hasWhy ? [make('td', {class: 'says'}, row.why ?? '')] : [],
		...columns.map((column, i) => make('td', column.right ? {class: 'n'} : {}, row.cells[2 * i + 2]))];

	const setUpRow = (row) => {
		const cell = row.element.cells[0];
		row.button = make('button', {type: 'button', class: 'open', 'aria-expanded': 'false'}, ...cell.childNodes);
		cell.append(row.button);
		row.element.addEventListener('click', (event) => {
			if (!event.target.closest('a') && (event.target === row.button || getSelection().isCollapsed))
				row.panel ? close(row) : open(row);
		});
		row.element.classList.toggle('seen', seen.has(row.id));
	};

	const elementOf = (row) => {
		if (!row.element) {
			row.element = make('tr', {id: 'row-' + row.id, class: row.look ? 'row look' : 'row',
				...row.own ? {title: 'not from the run'} : {}}, ...cellsOf(row));
			setUpRow(row);
		}
		return row.element;
	};

	const show = () => {
		const shown = document.createDocumentFragment();
		for (const row of list.slice(0, limit))
			shown.append(elementOf(row), ...row.panel ? [row.panel] : []);
		body.replaceChildren(shown);
		more.hidden = list.length <= limit;
		more.textContent = `${count(Math.min(STEP, list.length - limit))} more of ${count(list.length - limit)}`;
	};

	const tick = (row, on) => {
		seen[on ? 'add' : 'delete'](row.id);
		row.element?.classList.toggle('seen', on);
		keepInAddress('seen', [...seen].join('.'));
		saySeen();
	};

	const saySeen = () => {
		const wanted = rows.filter((row) => row.look);
		state.textContent = wanted.length ? `${count(wanted.filter((row) => seen.has(row.id)).length)} of ${count(wanted.length)} seen` : '';
	};

	const addressOf = (row) => location.href.split('#')[0] + '#row=' + encodeURIComponent(row.id);

	const actionsOf = (row) => {
		row.box = make('input', {type: 'checkbox'});
		row.box.checked = seen.has(row.id);
		row.box.addEventListener('input', () => tick(row, row.box.checked));
		const links = [linkOf(data.old_url, row, 'old golden'), linkOf(data.new_url, row, 'new golden')];
		return make('p', {class: 'actions'}, make('label', {}, row.box, ' seen'),
			makeButton('Copy link', (button) => copy(button, addressOf(row))),
			makeButton('Copy path', (button) => copy(button, row.path ?? row.file)),
			makeButton('Copy as markdown', (button) => copy(button, markdownOf([row], 1))), ...links.filter((link) => link));
	};

	const fill = async (row, panel, width) => {
		const parts = [make('p', {class: 'quiet'}, row.file), ...row.why ? [make('p', {}, row.why)] : []];
		for (const left of valuesOf(row, 'left'))
			parts.push(make('p', {}, 'Left out: ' + left));
		try {
			if (row.curve !== undefined)
				parts.push(...curvesOf(row, await readCurve(Number(row.curve)), width));
		} catch (error) {
			parts.push(make('p', {}, 'The curves cannot be read: ' + error.message));
		}
		panel.replaceChildren(...parts, actionsOf(row));
		panel.style.width = width + 'px';
	};

	const open = (row) => {
		const panel = make('div', {}, 'Reading …');
		const width = Math.min(Math.max(table.parentElement.clientWidth - 32, 260), 900);
		row.panel = make('tr', {class: 'panel'}, make('td', {colspan: heads.length}, panel));
		row.element.after(row.panel);
		row.button.setAttribute('aria-expanded', 'true');
		current = row;
		keepInAddress('row', row.id);
		return fill(row, panel, width);
	};

	const close = (row) => {
		row.panel.remove();
		row.panel = null;
		row.button.setAttribute('aria-expanded', 'false');
		if (kept.get('row') === row.id)
			keepInAddress('row', '');
	};

	/* Shows a row wherever it is, opens it and goes there. */
	const goTo = (row) => {
		if (!list.includes(row))
			filters.empty();
		limit = Math.max(limit, Math.ceil((list.indexOf(row) + 1) / STEP) * STEP);
		if (!elementOf(row).isConnected)
			show();
		if (!row.panel)
			open(row);
		current = row;
		row.element.scrollIntoView({block: 'center'});
		row.button.focus({preventScroll: true});
	};

	/* --- keys --- */

	const step = (by) => {
		const wanted = (row) => row.look && !seen.has(row.id);
		let place = current ? list.indexOf(current) : by > 0 ? -1 : list.length;
		do
			place += by;
		while (list[place] && !wanted(list[place]));
		if (!list[place])
			return;
		if (current?.panel)
			close(current);
		goTo(list[place]);
	};

	const tickCurrent = () => {
		if (!current)
			return;
		tick(current, !seen.has(current.id));
		if (current.box)
			current.box.checked = seen.has(current.id);
	};

	addEventListener('keydown', (event) => {
		const press = {j: () => step(1), k: () => step(-1), x: tickCurrent}[event.key];
		if (!press || event.ctrlKey || event.altKey || event.metaKey || event.target.matches?.('input:not([type=checkbox], [type=range]), select, textarea'))
			return;
		event.preventDefault();
		press();
	});

	/* --- order, filter, address --- */

	const numberAt = (place) => (row) => row.cells[2 * place + 1] ?? numberOf(row.cells[2 * place]);
	const keys = [(row) => row.metric, (row) => Math.abs(numberAt(0)(row)), null, (row) => row.name,
		...hasWhy ? [(row) => row.why ?? ''] : [],
		...columns.map(({right}, i) => right ? (row) => Math.abs(numberAt(i + 1)(row)) : (row) => row.cells[2 * i + 2])];
	const names = heads.map((head) => head.textContent);
	const press = setUpHeads(heads, (column, direction) => {
		sort = () => { list = sorted(left, keys[column], direction); };
		keepInAddress('sort', direction ? (direction > 0 ? '' : '-') + names[column] : '');
		sort();
		show();
	});

	const valuesOf = (row, facet) => (row.values ??= {})[facet] ??= row.facets.filter((_, i) => i % 2 && row.facets[i - 1] === facet);
	const textOf = (row) => row.text ??= [row.metric, row.name, row.file, row.why ?? '', ...row.facets.filter((_, i) => i % 2),
		...row.cells.filter((_, i) => i % 2 === 0)].join('\n').toLowerCase();
	const apply = (fit) => {
		const now = fit.length === rows.length ? byRow : new Set(fit);
		left = list = fit;
		limit = STEP;
		sort();
		show();
		follow((id) => byId.has(id) ? now.has(byId.get(id)) : undefined);
	};

	const readSeen = () => {
		for (const row of (kept.get('seen') ?? '').split('.').map((id) => byId.get('row-' + id)))
			if (row && !seen.has(row.id))
				tick(row, true);
		saySeen();
	};
	const readSort = () => {
		const wanted = kept.get('sort') ?? '', column = Math.max(0, names.indexOf(wanted.replace(/^-/, '')));
		if (wanted || heads.some((head) => head.hasAttribute('aria-sort')))
			press(column, !wanted || !keys[column] ? 0 : wanted.startsWith('-') ? -1 : 1);
	};

	[...body.rows].forEach((element, place) => {
		rows[place].element = element;
		if (rows[place].trend)
			element.cells[2].append(trendOf(rows[place].trend));
		setUpRow(rows[place]);
	});
	readSeen();
	readSort();
	const filters = setUpBar(bar, rows, {prefix: '', valuesOf, textOf, apply});
	bar.append(state, makeButton('Copy link', (button) => copy(button, location.href)),
		makeButton('Copy as markdown', (button) => copy(button, markdownOf(list.slice(0, 100), list.length))),
		makeButton('CSV', () => save('rows.csv', csvOf(columns, list))));
	table.parentElement.after(more);
	section.classList.add('live');
	addEventListener('hashchange', () => {
		const row = byId.get(location.hash.slice(1)) ?? (location.hash.includes('=') && byId.get('row-' + kept.get('row')));
		if (location.hash.includes('=')) {
			readSeen();
			readSort();
			filters.read();
			section.scrollIntoView();
		}
		if (row)
			goTo(row);
	});
	const row = byId.get(location.hash.slice(1)) ?? byId.get('row-' + kept.get('row'));
	if (row)
		goTo(row);
};

all('script.row-data').forEach(async (element) => {
	const section = document.getElementById('rows'), data = await inflate(element);
	if (section && data.rows.length)
		setUpRows(section, data);
	document.documentElement.dataset.ready = 'rows';
});
