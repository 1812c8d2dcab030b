/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one script of every page. A page is whole without it. With it,
 *
 * table.sorts: the heads become buttons that sort its rows. A head of class "n" is of numbers; a
 * cell sorts by its data-value, else by its text.
 *
 * div.filters with data-for="golden" data-facets="metric stage" data-noun="rows": becomes a search
 * field, a choice for each facet, and the count of what is shown, of all elements of class "golden",
 * in the section of class "own" that it is in, if any. Those say data-metric="…" and
 * data-stage="…"; several values have "\n" between them. A link of class "point" goes where the
 * element that it leads to goes; so does what says data-of="ID". What says data-with="golden" goes
 * where no element is left with the data that it has. The address keeps the choices.
 *
 * tr with data-curve="12": its first cell becomes a button that opens the curves below the row, out
 * of the blocks that lib/report/html.c describes. data-left says which steps did not count.
 *
 * svg.strips: arrow keys go from point to point.
 *
 * div.pictures with two pictures: a third one has both laid over each other, with a slider.
 *
 * What comes out of files is only ever text: nothing here writes markup.
 */
(() => {
'use strict';

const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

/* An element with attributes and children; a text among these is a text. */
const make = (tag, attributes = {}, ...children) => {
	const made = document.createElement(tag);
	for (const name in attributes)
		made.setAttribute(name, attributes[name]);
	made.append(...children);
	return made;
};

const count = (number) => number.toLocaleString('en-US');

/* --- sorting --- */

/* What is not a number is NaN. */
const numberOf = (text) => {
	const special = /^(-?)inf/i.exec(text);
	return special ? Number(special[1] + 'Infinity') : parseFloat(text);
};

const order = new Intl.Collator('en', {numeric: true});

/* A row's cell as what it sorts by. */
const keyOf = (row, column, isNumber) => {
	const cell = row.cells[column], text = cell ? cell.dataset.value ?? cell.textContent : '';
	return isNumber ? numberOf(text) : text;
};

/* Ascending; what is absent or not a number comes last either way. */
const compareKeys = (a, b, sign) => {
	if (typeof a === 'string')
		return sign * order.compare(a, b);
	return isNaN(a) || isNaN(b) ? isNaN(a) - isNaN(b) : a < b ? -sign : a > b ? sign : 0;
};

const setUpSorting = (table) => {
	const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
	const original = [...body.rows];

	/* direction: 1, -1, or 0 for the order that the page came in. */
	const sort = (column, direction) => {
		const isNumber = heads[column].classList.contains('n');
		const rows = original.map((row) => ({row, key: keyOf(row, column, isNumber)}));
		if (direction)
			rows.sort((a, b) => compareKeys(a.key, b.key, direction));
		const sorted = document.createDocumentFragment();
		for (const {row} of rows)
			sorted.append(row, ...(row.panel ? [row.panel] : []));
		body.append(sorted);
	};
	heads.forEach((head, column) => {
		const button = make('button', {type: 'button'}, ...head.childNodes);
		/* Numbers start with the largest. */
		const turns = head.classList.contains('n') ? [-1, 1, 0] : [1, -1, 0];
		button.addEventListener('click', () => {
			const names = {'descending': -1, 'ascending': 1};
			const now = names[head.getAttribute('aria-sort')] ?? 0;
			const next = turns[(turns.indexOf(now) + 1) % turns.length];
			heads.forEach((other) => other.removeAttribute('aria-sort'));
			if (next)
				head.setAttribute('aria-sort', next > 0 ? 'ascending' : 'descending');
			sort(column, next);
		});
		head.append(button);
	});
};

/* --- filtering --- */

/* "#golden.metric=lm+loss&golden.text=gpt" */
const readAddress = () => new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');

const keepInAddress = (name, value) => {
	const address = readAddress();
	address.delete(name);
	if (value)
		address.set(name, value);
	history.replaceState(null, '', '#' + address);
};

const valuesOf = (item, facet) => (item.dataset[facet] ?? '').split('\n').filter((value) => value);

const addChoice = (bar, facet, items) => {
	const counts = new Map();
	for (const item of items)
		for (const value of valuesOf(item, facet))
			counts.set(value, (counts.get(value) ?? 0) + 1);
	if (counts.size < 2 && !(counts.size && [...counts.values()][0] < items.length))
		return null;
	const choice = make('select', {}, make('option', {value: ''}, 'all'));
	for (const value of [...counts.keys()].sort(order.compare))
		choice.append(make('option', {value}, `${value} (${count(counts.get(value))})`));
	bar.append(make('label', {}, facet + ' ', choice));
	return choice;
};

const setUpFilters = (bar) => {
	const name = bar.dataset.for, noun = bar.dataset.noun ?? 'rows';
	const items = all('.' + name, bar.closest('section.own') ?? document);
	const texts = new Map(), controls = new Map();
	const search = make('input', {type: 'search', autocomplete: 'off'});
	/* What is about some of the items, and which. */
	const parts = all(`[data-with="${name}"]`).map((part) => {
		const facets = Object.keys(part.dataset).filter((facet) => facet !== 'with');
		const about = (item) => facets.every((facet) => item.dataset[facet] === part.dataset[facet]);
		return {part, about: items.filter(about)};
	});
	const shown = make('output', {'aria-live': 'polite'}), clear = make('button', {type: 'button'}, 'Show all');
	/* Names that are hidden too, as those of a facet that is not a column. */
	const textOf = (item) => {
		if (!texts.has(item))
			texts.set(item, [item.textContent, ...Object.values(item.dataset)].join('\n').toLowerCase());
		return texts.get(item);
	};

	const apply = () => {
		const words = search.value.toLowerCase().split(/\s+/).filter((word) => word);
		const wanted = [...controls].filter(([facet, control]) => facet !== 'text' && control.value);
		let left = 0;
		for (const item of items) {
			const fits = wanted.every(([facet, control]) => valuesOf(item, facet).includes(control.value)) &&
				words.every((word) => textOf(item).includes(word));
			item.hidden = !fits;
			if (item.panel)
				item.panel.hidden = !fits;
			left += fits;
		}
		for (const point of all('a.point')) {
			const at = document.getElementById(point.getAttribute('href').slice(1));
			if (at && at.classList.contains(name))
				point.classList.toggle('filtered', at.hidden);
		}
		for (const follower of all('[data-of]')) {
			const at = document.getElementById(follower.dataset.of);
			if (at && at.classList.contains(name))
				follower.toggleAttribute('hidden', at.hidden);
		}
		for (const {part, about} of parts)
			part.hidden = about.every((item) => item.hidden);
		shown.textContent = `${left === items.length ? '' : count(left) + ' of '}${count(items.length)} ${noun}`;
		clear.hidden = left === items.length;
	};
	const reset = () => {
		for (const [facet, control] of controls) {
			control.value = '';
			keepInAddress(`${name}.${facet}`, '');
		}
		apply();
	};

	if (!items.length)
		return;
	bar.setAttribute('role', 'search');
	bar.setAttribute('aria-label', 'Filter ' + noun);
	bar.append(make('label', {}, 'text ', search));
	controls.set('text', search);
	for (const facet of (bar.dataset.facets ?? '').split(' ').filter((word) => word)) {
		const choice = addChoice(bar, facet, items);
		if (choice)
			controls.set(facet, choice);
	}
	bar.append(shown, clear);
	for (const [facet, control] of controls) {
		control.value = readAddress().get(`${name}.${facet}`) ?? '';
		control.addEventListener('input', () => {
			keepInAddress(`${name}.${facet}`, control.value);
			apply();
		});
	}
	clear.addEventListener('click', () => {
		reset();
		search.focus();
	});
	apply();
	/* A link into what is filtered out shows it. */
	addEventListener('hashchange', () => {
		const target = document.getElementById(location.hash.slice(1));
		if (target && target.hidden && target.classList.contains(name)) {
			const address = location.hash;
			reset();
			location.replace(address);
		}
	});
};

/* --- pictures --- */

/* Left of the slider is what was before, right of it what is now, both in the same scale. */
const layOver = (pictures, images) => {
	const width = Math.max(...images.map((image) => image.naturalWidth));
	const layers = make('div', {class: 'layers'});
	for (const image of images) {
		const copy = image.cloneNode();
		copy.style.width = 100 * image.naturalWidth / width + '%';
		layers.append(make('div', {}, copy));
	}
	const slider = make('input', {type: 'range', min: 0, max: 100, value: 50, 'aria-label': '% of it as before'});
	slider.addEventListener('input', () => layers.style.setProperty('--at', slider.value + '%'));
	const figure = make('figure', {class: 'over'}, make('figcaption', {}, 'both, laid over each other'), layers,
		make('div', {class: 'slider'}, 'before', slider, 'now'));
	for (const part of [...figure.children].slice(1))
		part.style.maxWidth = width + 'px';
	pictures.after(figure);
};

const setUpPictures = (pictures) => {
	const images = all('img', pictures);
	/* One that is no picture after all is left as it is. */
	if (images.length === 2)
		Promise.all(images.map((image) => image.decode())).then(() => layOver(pictures, images), () => {});
};

/* --- curves: their values --- */

const BLOCK = 64; /* curves of an element, as lib/report/html.c has it */
const blocks = all('script.curve-data'), inflated = new Map();

const inflate = async (element) => {
	const bytes = Uint8Array.from(atob(JSON.parse(element.textContent)), (byte) => byte.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
	return JSON.parse(await new Response(stream).text());
};

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
			at.relative = (at.old - at.new) / at.old;
	}
	return list.sort((a, b) => a.step - b.step);
};

/* The range of values that shows how both differ, as lib/report/curve.h has it. */
const rangeOf = (values) => {
	const sorted = values.filter((value) => isFinite(value)).sort((a, b) => a - b), n = sorted.length;
	if (!n)
		return null;
	let low = sorted[0], high = sorted[n - 1];
	const inner = Math.floor(n / 20), first = sorted[inner], last = sorted[n - 1 - inner];
	const middle = last / 4 - first / 4;
	if (middle > 0 && high / 4 - low / 4 >= 10 * middle)
		[low, high] = [Math.max(first - 2 * middle, low), Math.min(last + 2 * middle, high)];
	if (low === high) {
		const by = Math.abs(low) * 0.1 || 1;
		[low, high] = [low - by, high + by];
	}
	return [low, high];
};

/* --- curves: drawing --- */

const draw = (tag, attributes = {}, ...children) => {
	const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
	for (const name in attributes)
		made.setAttribute(name, attributes[name]);
	made.append(...children);
	return made;
};

const LEFT = 92, RIGHT = 12, HEIGHT = 150, GAP = 34;

const brief = (number) => String(Number(number.toPrecision(4)));

/* Points as the lines of a path; one that is not finite interrupts. A single one is a dot. */
const pathOf = (points) => {
	let path = '', open = false;
	points.forEach(([x, y], i) => {
		const shown = isFinite(x) && isFinite(y), next = points[i + 1];
		if (shown)
			path += `${open ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
		if (shown && !open && !(next && isFinite(next[1])))
			path += 'h.1';
		open = shown;
	});
	return path;
};

/* Symmetric and logarithmic: linear up to `unit`, from there on a decade is as far as the next. */
const symmetric = (value, unit) => Math.sign(value) * Math.log10(1 + Math.abs(value) / unit);

/* Both scales of a plot, from what is at the left and the top. */
const scaleX = (steps, width) => {
	const first = steps[0].step, span = steps[steps.length - 1].step - first || 1;
	return (step) => LEFT + (width - LEFT - RIGHT) * (step - first) / span;
};

const addAxis = (svg, width, y, text) => svg.append(
	draw('line', {class: 'grid', x1: LEFT, y1: y, x2: width - RIGHT, y2: y}),
	draw('text', {class: 'tick', x: LEFT - 6, y: y + 4, 'text-anchor': 'end'}, text));

const addBand = (svg, steps, x, low, high) => {
	const known = steps.filter((at) => isFinite(low(at)) && isFinite(high(at)));
	const points = [...known.map((at) => [x(at.step), low(at)]), ...known.reverse().map((at) => [x(at.step), high(at)])];
	if (points.length > 2)
		svg.append(draw('path', {class: 'band', d: pathOf(points) + 'Z'}));
};

/* Old and new. False where there is nothing to draw. */
const drawValues = (svg, steps, x, width) => {
	const range = rangeOf(steps.flatMap((at) => [at.old, at.new, at.low, at.high]).filter((value) => value !== undefined));
	if (!range)
		return;
	const [low, high] = range, top = 18;
	const y = (value) => top + HEIGHT * (1 - (Math.min(Math.max(value, low), high) / 2 - low / 2) / (high / 2 - low / 2));
	for (const part of [0, 0.5, 1])
		addAxis(svg, width, y(low * (1 - part) + high * part), brief(low * (1 - part) + high * part));
	svg.append(draw('text', {class: 'label', x: 0, y: 10}, 'value'));
	addBand(svg, steps, x, (at) => y(at.low), (at) => y(at.high));
	for (const side of ['old', 'new'])
		svg.append(draw('path', {class: side === 'old' ? 'line0 curve' : 'line1 curve',
			d: pathOf(steps.filter((at) => at[side] !== undefined).map((at) => [x(at.step), isFinite(at[side]) ? y(at[side]) : NaN]))}));
};

/* (old - new) / old below it, and a mark for each step that does not count. */
const drawRelative = (svg, steps, x, width) => {
	const top = 18 + HEIGHT + GAP, middle = top + HEIGHT / 2;
	const sizes = steps.map((at) => Math.abs(at.relative)).filter((size) => size && isFinite(size));
	const bands = steps.flatMap((at) => at.low === undefined || !at.old ? [] : [(at.old - at.low) / at.old, (at.old - at.high) / at.old]);
	const largest = Math.max(0, ...sizes, ...bands.map(Math.abs).filter(isFinite)) || 1;
	/* At most six decades: what is under them is as good as 0. */
	const unit = 10 ** Math.floor(Math.log10(Math.max(Math.min(largest, ...sizes), largest / 1e6)));
	const y = (value) => middle - HEIGHT / 2 * symmetric(value, unit) / symmetric(largest, unit);
	addAxis(svg, width, middle, '0');
	const decades = Math.floor(Math.log10(largest / unit) + 1e-9), each = Math.max(1, Math.ceil((decades + 1) / 3));
	for (let decade = decades; decade >= 0; decade -= each)
		for (const sign of middle - y(unit * 10 ** decade) > 12 ? [1, -1] : [])
			addAxis(svg, width, y(sign * unit * 10 ** decade), (sign * unit * 10 ** decade).toExponential(0));
	svg.append(draw('text', {class: 'label', x: 0, y: top - 10}, '(old - new) / old'));
	const off = (at, side) => at[side] === undefined || !at.old || at.reason ? NaN : y((at.old - at[side]) / at.old);
	addBand(svg, steps, x, (at) => off(at, 'low'), (at) => off(at, 'high'));
	svg.append(draw('path', {class: 'line2 curve', d: pathOf(steps.map((at) => [x(at.step), at.relative === undefined ? NaN : y(at.relative)]))}));
	for (const at of steps)
		if (at.reason)
			svg.append(draw('path', {class: 'left', d: `M${(x(at.step) - 3).toFixed(1)} ${middle - 3}l6 6m0-6l-6 6`}));
};

/* --- curves: a row's panel --- */

/* "step 17: old 10.2, new 10.3, (old - new) / old -0.0098; the runs 10.1 … 10.4" */
const sayStep = (at, name) => {
	const parts = [];
	if (at.old !== undefined)
		parts.push('old ' + at.old);
	if (at.new !== undefined)
		parts.push('new ' + at.new);
	parts.push(at.reason ? 'left out: ' + at.reason : '(old - new) / old ' + brief(at.relative));
	return `${name}: ${parts.join(', ')}${at.low === undefined ? '' : `; the runs ${at.low} … ${at.high}`}`;
};

const legendOf = (steps) => make('p', {class: 'legend'},
	make('span', {class: 'line0'}, 'old'), ' ', make('span', {class: 'line1'}, 'new'), ' ',
	make('span', {class: 'line2'}, '(old - new) / old'),
	...steps.some((at) => at.low !== undefined) ? [' ', make('span', {class: 'band'}, 'the runs of the noise model')] : [],
	...steps.some((at) => at.reason) ? [' × a step that is left out'] : []);

const fillPanel = (panel, row, curve, width) => {
	const steps = stepsOf(curve), x = scaleX(steps, width), unit = curve.tensor ? 'element' : curve.records ? 'record' : 'step';
	const height = 18 + 2 * HEIGHT + GAP + 30;
	const svg = draw('svg', {class: 'plot', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
		'aria-label': `${row.dataset.metric ?? ''}: old and new, and their relative difference by ${unit}`});
	const nameOf = (at) => curve.records ? curve.records[at.step] ?? `record ${at.step}` : `${unit} ${at.step}`;
	drawValues(svg, steps, x, width);
	drawRelative(svg, steps, x, width);
	for (const [at, anchor] of [[steps[0], 'start'], [steps[steps.length - 1], 'end']])
		svg.append(draw('text', {class: 'tick', x: x(at.step), y: height - 10, 'text-anchor': anchor}, nameOf(at)));
	const cursor = draw('line', {class: 'mark', y1: 18, y2: height - 26});
	const slider = make('input', {type: 'range', min: 0, max: steps.length - 1, step: 1});
	const readout = make('output');
	const show = () => {
		const at = steps[slider.value], text = sayStep(at, nameOf(at));
		cursor.setAttribute('x1', x(at.step));
		cursor.setAttribute('x2', x(at.step));
		slider.setAttribute('aria-valuetext', text);
		readout.textContent = text;
	};
	/* The largest relative difference, to begin with. */
	slider.value = steps.reduce((best, at, i) => Math.abs(at.relative ?? 0) > Math.abs(steps[best].relative ?? 0) ? i : best, 0);
	slider.addEventListener('input', show);
	svg.addEventListener('pointermove', (event) => {
		const box = svg.getBoundingClientRect(), at = (event.clientX - box.left) * width / box.width;
		let best = 0;
		steps.forEach((step, i) => {
			if (Math.abs(x(step.step) - at) < Math.abs(x(steps[best].step) - at))
				best = i;
		});
		slider.value = best;
		show();
	});
	svg.append(cursor);
	panel.style.width = width + 'px';
	panel.replaceChildren(legendOf(steps), svg, make('label', {class: 'steps'}, unit + ' ', slider), readout,
		...row.dataset.left ? [make('p', {}, 'Left out: ' + row.dataset.left)] : [],
		...curve.thin ? [make('p', {}, 'Of many values, the least and the largest of each stretch are drawn; the CSV has the figures of all.')] : []);
	show();
};

const openPanel = async (row, button) => {
	const panel = make('div', {}, 'Reading …');
	const width = Math.min(Math.max(row.closest('table').parentElement.clientWidth - 32, 280), 900);
	row.panel = make('tr', {class: 'panel'}, make('td', {colspan: row.cells.length}, panel));
	row.after(row.panel);
	button.setAttribute('aria-expanded', 'true');
	try {
		fillPanel(panel, row, await readCurve(Number(row.dataset.curve)), width);
	} catch (error) {
		panel.textContent = 'The curves cannot be read: ' + error.message;
	}
};

const closePanel = (row, button) => {
	row.panel.remove();
	row.panel = null;
	button.setAttribute('aria-expanded', 'false');
};

const setUpRow = (row) => {
	const button = make('button', {type: 'button', class: 'open', 'aria-expanded': 'false'}, ...row.cells[0].childNodes);
	row.cells[0].append(button);
	row.open = () => row.panel || openPanel(row, button);
	row.addEventListener('click', (event) => {
		if (!event.target.closest('a') && (event.target === button || getSelection().isCollapsed))
			row.panel ? closePanel(row, button) : row.open();
	});
};

/* Where the address leads to a row, its curves are opened. */
const followAddress = () => {
	const row = location.hash.includes('=') ? null : document.getElementById(location.hash.slice(1));
	if (!row || !row.open)
		return;
	row.open();
	row.cells[0].querySelector('button').focus({preventScroll: true});
};

/* --- strips --- */

const setUpStrips = (svg) => {
	const xOf = (point) => Number(point.firstElementChild.nextElementSibling.getAttribute('cx'));
	const strips = () => all('g', svg).map((strip) => all('a.point:not(.filtered)', strip).sort((a, b) => xOf(a) - xOf(b)))
		.filter((strip) => strip.length);
	svg.addEventListener('keydown', (event) => {
		const [along, across] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key] ?? [0, 0];
		const from = event.target.closest('a.point'), now = strips();
		const strip = now.findIndex((points) => points.includes(from));
		if (!along && !across || strip < 0)
			return;
		event.preventDefault();
		const points = now[strip + across];
		if (across && points)
			points.reduce((best, point) => Math.abs(xOf(point) - xOf(from)) < Math.abs(xOf(best) - xOf(from)) ? point : best).focus();
		if (along)
			points[points.indexOf(from) + along]?.focus();
	});
};

all('div.pictures').forEach(setUpPictures);
all('tr[data-curve]').forEach(setUpRow);
all('table.sorts').forEach(setUpSorting);
all('div.filters').forEach(setUpFilters);
all('svg.strips').forEach(setUpStrips);
addEventListener('hashchange', followAddress);
followAddress();
})();
