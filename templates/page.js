/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The script of every page; the page of a comparison has rows.js after it, which uses what is here.
 * A page is whole without both. With this one,
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
 * nav.contents: gets links to the sections of the page.
 *
 * svg.strips: one point of each strip is a stop of the tabulator; arrow keys go from point to point.
 *
 * div.pictures with two pictures: a third one has both laid over each other, with a slider.
 *
 * table.runs, table.sizes, table.map, figure.distribution, #series td with data-trend: are drawn, from
 * what they hold.
 *
 * What comes out of files is only ever text: nothing here writes markup.
 */
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

/* --- the address --- */

/* "#golden.metric=lm+loss&golden.text=gpt" */
const readAddress = () => new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');

/* What it has to keep, by name; "": nothing. A link to a place on the page takes it away, and the
 * next change of any of it brings all of it back. */
const kept = new Map(readAddress());

const keepInAddress = (name, value) => {
	const before = kept.get(name) ?? '';
	kept.set(name, value);
	if (before !== value)
		writeAddress();
};

const writeAddress = () => {
	const address = new URLSearchParams([...kept].filter(([, value]) => value));
	history.replaceState(null, '', address.size ? '#' + address : location.pathname + location.search);
};

/* --- sorting --- */

/* What is not a number is NaN. */
const numberOf = (text) => {
	const special = /^([-+]?)inf/i.exec(text);
	return special ? Number(special[1] + 'Infinity') : parseFloat(text);
};

const order = new Intl.Collator('en', {numeric: true});

/* Ascending; what is absent or not a number comes last either way. */
const compareKeys = (a, b, sign) => {
	if (typeof a === 'string')
		return sign * order.compare(a, b);
	return isNaN(a) || isNaN(b) ? isNaN(a) - isNaN(b) : a < b ? -sign : a > b ? sign : 0;
};

/* A new list in the order of a key of each item; direction: 1, -1, or 0 for the one it is in. */
const sorted = (items, keyOf, direction) => {
	if (!direction)
		return items;
	const keyed = items.map((item) => ({item, key: keyOf(item)}));
	return keyed.sort((a, b) => compareKeys(a.key, b.key, direction)).map(({item}) => item);
};

/* Heads become buttons; `sort` is called with a column's place and a direction. Returns a function
 * that presses one, of the same arguments. */
const setUpHeads = (heads, sort) => {
	const press = (column, direction) => {
		heads.forEach((head) => head.removeAttribute('aria-sort'));
		if (direction)
			heads[column].setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
		sort(column, direction);
	};
	heads.forEach((head, column) => {
		if (head.classList.contains('still'))
			return;
		const button = make('button', {type: 'button'}, ...head.childNodes);
		/* Numbers start with the largest. */
		const turns = head.classList.contains('n') ? [-1, 1, 0] : [1, -1, 0];
		button.addEventListener('click', () => {
			const now = {descending: -1, ascending: 1}[head.getAttribute('aria-sort')] ?? 0;
			press(column, turns[(turns.indexOf(now) + 1) % turns.length]);
		});
		head.append(button);
	});
	return press;
};

const setUpSorting = (table) => {
	const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
	const original = [...body.rows];
	const keyOf = (column) => (row) => {
		const cell = row.cells[column], text = cell ? cell.dataset.value ?? cell.textContent : '';
		return heads[column].classList.contains('n') ? numberOf(text) : text;
	};
	setUpHeads(heads, (column, direction) => body.append(...sorted(original, keyOf(column), direction)));
};

/* --- filtering --- */

const addChoice = (bar, facet, items, valuesOf) => {
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

/*
 * Fills a bar: a search field and a choice for each facet that tells items apart, which the address
 * keeps under `prefix`. valuesOf(item, facet) and textOf(item), in small letters, are of an item;
 * `apply` is called with those that fit. Returns what reads the bar from the address again, and
 * what empties it.
 */
const setUpBar = (bar, items, {prefix, valuesOf, textOf, apply}) => {
	const noun = bar.dataset.noun ?? 'rows', controls = new Map();
	const search = make('input', {type: 'search', autocomplete: 'off'});
	const shown = make('output', {'aria-live': 'polite'}), clear = make('button', {type: 'button'}, 'Show all');

	const refresh = () => {
		const words = search.value.toLowerCase().split(/\s+/).filter((word) => word);
		const wanted = [...controls].filter(([facet, control]) => facet !== 'text' && control.value);
		const left = items.filter((item) =>
			wanted.every(([facet, control]) => valuesOf(item, facet).includes(control.value)) &&
			words.every((word) => textOf(item).includes(word)));
		const whole = left.length === items.length;
		apply(left);
		shown.textContent = `${whole ? '' : count(left.length) + ' of '}${count(items.length)} ${noun}`;
		clear.hidden = whole;
	};
	const fill = (valueOf) => {
		for (const [facet, control] of controls) {
			control.value = valueOf(facet);
			keepInAddress(prefix + facet, control.value ?? '');
		}
		refresh();
	};

	bar.setAttribute('role', 'search');
	bar.setAttribute('aria-label', 'Filter ' + noun);
	bar.append(make('label', {}, 'text ', search));
	controls.set('text', search);
	for (const facet of (bar.dataset.facets ?? '').split(' ').filter((word) => word)) {
		const choice = addChoice(bar, facet, items, valuesOf);
		if (choice)
			controls.set(facet, choice);
	}
	bar.append(shown, clear);
	for (const [facet, control] of controls)
		control.addEventListener('input', () => {
			keepInAddress(prefix + facet, control.value);
			refresh();
		});
	clear.addEventListener('click', () => {
		fill(() => '');
		search.focus();
	});
	const read = () => fill((facet) => kept.get(prefix + facet) ?? '');
	read();
	return {read, empty: () => fill(() => '')};
};

/* What leads to an element goes with it. isShown(id): undefined for what is not one of those. */
const follow = (isShown) => {
	for (const point of all('a.point')) {
		const is = isShown(point.getAttribute('href').slice(1));
		if (is !== undefined)
			point.classList.toggle('filtered', !is);
	}
	for (const follower of all('[data-of]')) {
		const is = isShown(follower.dataset.of);
		if (is !== undefined)
			follower.toggleAttribute('hidden', !is);
	}
	all('svg.strips').forEach(setStops);
};

const setUpFilters = (bar) => {
	const name = bar.dataset.for, texts = new Map();
	const items = all('.' + name, bar.closest('section.own') ?? document);
	/* What is about some of the items, and which. */
	const parts = all(`[data-with="${name}"]`).map((part) => {
		const facets = Object.keys(part.dataset).filter((facet) => facet !== 'with');
		const about = (item) => facets.every((facet) => item.dataset[facet] === part.dataset[facet]);
		return {part, about: items.filter(about)};
	});
	/* Names that are hidden too, as those of a facet that is not a column. */
	const textOf = (item) => {
		if (!texts.has(item))
			texts.set(item, [item.textContent, ...Object.values(item.dataset)].join('\n').toLowerCase());
		return texts.get(item);
	};
	const apply = (left) => {
		const shown = new Set(left);
		for (const item of items)
			item.hidden = !shown.has(item);
		follow((id) => {
			const at = document.getElementById(id);
			return at && at.classList.contains(name) ? !at.hidden : undefined;
		});
		for (const {part, about} of parts)
			part.hidden = about.every((item) => item.hidden);
	};

	if (!items.length)
		return;
	const valuesOf = (item, facet) => (item.dataset[facet] ?? '').split('\n').filter((value) => value);
	const {read, empty} = setUpBar(bar, items, {prefix: name + '.', valuesOf, textOf, apply});
	addEventListener('hashchange', () => {
		const target = document.getElementById(location.hash.slice(1));
		if (location.hash.includes('='))
			read();
		/* A link into what is filtered out shows it. */
		if (target && target.hidden && target.classList.contains(name)) {
			const address = location.hash;
			empty();
			location.replace(address);
		}
	});
};

/* --- the contents --- */

/* Short: what a heading says before a comma or a number of its own. */
const setUpContents = (nav) => {
	const sections = all('main > section').filter((section) => section.querySelector('h2'));
	sections.forEach((section, place) => {
		section.id = section.id || 'part-' + (place + 1);
		nav.append(make('a', {href: '#' + section.id}, section.querySelector('h2').textContent.replace(/,.*| \(.*/, '')));
	});
	nav.setAttribute('aria-label', 'Contents');
	document.documentElement.classList.add('with-contents');
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

/* --- strips --- */

/* Of a dot, or of an arrow at the strip's end. */
const xOf = (point) => {
	const mark = point.querySelector('circle, path');
	return Number(mark.getAttribute('cx') ?? /^M([-\d.]+)/.exec(mark.getAttribute('d'))?.[1]);
};
const pointsOf = (strip) => all('a.point:not(.filtered)', strip);

/* One stop a strip: the point that had it last, if it is still shown. */
const setStops = (svg) => {
	for (const points of all('g', svg).map(pointsOf)) {
		const stop = points.find((point) => point.getAttribute('tabindex') === '0') ?? points[0];
		points.forEach((point) => point.setAttribute('tabindex', point === stop ? 0 : -1));
	}
};

const setUpStrips = (svg) => {
	svg.addEventListener('keydown', (event) => {
		const [along, across] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key] ?? [0, 0];
		const from = event.target.closest('a.point');
		if (!along && !across || !from)
			return;
		event.preventDefault();
		/* Of the page, for there is one in each card. */
		const now = all('svg.strips g').map((strip) => pointsOf(strip).sort((a, b) => xOf(a) - xOf(b))).filter((points) => points.some((point) => point.getClientRects().length));
		const strip = now.findIndex((points) => points.includes(from));
		const points = now[strip + across] ?? [];
		const to = along ? points[points.indexOf(from) + along] : points.reduce((best, point) =>
			!best || Math.abs(xOf(point) - xOf(from)) < Math.abs(xOf(best) - xOf(from)) ? point : best, null);
		to?.focus();
	});
	svg.addEventListener('focusin', (event) => {
		const to = event.target.closest('a.point');
		for (const point of to ? all('a.point', to.closest('g')) : [])
			point.setAttribute('tabindex', point === to ? 0 : -1);
	});
	setStops(svg);
};

/* --- figures --- */

const draw = (tag, attributes = {}, ...children) => {
	const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
	for (const name in attributes)
		made.setAttribute(name, attributes[name]);
	made.append(...children);
	return made;
};

const shorten = (text, letters) => text.length <= letters ? text :
	text.slice(0, Math.ceil(letters / 2) - 1) + '…' + text.slice(text.length - Math.floor(letters / 2));

/* Round numbers from low to high, about so many; none where their distance is not a number. */
const roundTicks = (low, high, about, least = 0) => {
	const span = (high / 4 - low / 4) * 4 / about, power = 10 ** Math.floor(Math.log10(span));
	const step = Math.max(least, power * [1, 2, 5, 10].find((factor) => factor * power >= span * 0.999));
	const ticks = [];
	for (let at = Math.ceil(low / step); isFinite(step) && step > 0 && at * step <= high && ticks.length < 2 * about; at++)
		ticks.push(at * step);
	return {ticks, step};
};

/* As many digits as tell a tick from the next one. */
const tickText = (value, step) => {
	const power = Math.floor(Math.log10(step) + 1e-9), size = Math.floor(Math.log10(Math.abs(value) || 1));
	return value === 0 ? '0' : power < -6 || size > 6 ? value.toExponential(Math.max(0, Math.min(size - power, 15))) :
		value.toFixed(Math.max(0, -power));
};

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

/* Many points by themselves: lines without length, whose ends are round. */
const dotsOf = (points) => points.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join('');

const numbersOf = (text) => text.trim() ? text.trim().split(' ').map(numberOf) : [];

/* The frame of a figure in its own units, as lib/report/svg.c has it. */
const FRAME = {width: 480, height: 220, left: 86, right: 468, top: 38, bottom: 176, room: 7};

/* Halves first: the range of two huge values is not a double. */
const shareOf = (value, [low, high]) => (Math.min(Math.max(value, low), high) / 2 - low / 2) / (high / 2 - low / 2);
const placeX = (x, range) => FRAME.left + (FRAME.right - FRAME.left) * shareOf(x, range);
const placeY = (y, range) => FRAME.bottom - FRAME.room - (FRAME.bottom - FRAME.top - 2 * FRAME.room) * shareOf(y, range);

/* A range of one value is widened, so that it is in the middle. */
const widened = ([low, high], by) => high > low ? [low, high] : [low - by, high + by];

/* A frame with its axes: `names` are those of x, which are whole; else x are decades. */
const frameOf = (title, xRange, yRange, {xLabel, yLabel, names}) => {
	const svg = draw('svg', {class: 'plot', viewBox: `0 0 ${FRAME.width} ${FRAME.height}`, role: 'img', 'aria-label': title});
	const add = (attributes, text) => svg.append(draw('text', attributes, text));
	const {ticks, step} = roundTicks(...yRange, 6);
	svg.append(draw('path', {class: 'axis', d: `M${FRAME.left} ${FRAME.bottom}H${FRAME.right}`}));
	for (const tick of ticks) {
		const text = tickText(tick, step), y = placeY(tick, yRange);
		svg.append(draw('line', {class: 'grid', x1: FRAME.left, y1: y, x2: FRAME.right, y2: y}));
		add({class: 'tick', x: FRAME.left - 6, y: y + 4, 'text-anchor': 'end',
			...text.length > 9 ? {textLength: 78, lengthAdjust: 'spacingAndGlyphs'} : {}}, text);
	}
	const addX = (x, anchor, text) => add({class: 'tick', x: placeX(x, xRange), y: FRAME.bottom + 17, 'text-anchor': anchor}, text);
	if (names)
		[...new Set([0, names.length - 1])].forEach((x, i) => addX(x, i ? 'end' : 'start', shorten(names[x], 16)));
	else
		for (const x of roundTicks(...xRange, 5, 1).ticks)
			addX(x, 'middle', String(Number((10 ** x).toPrecision(6))));
	add({class: 'label', x: (FRAME.left + FRAME.right) / 2, y: FRAME.height - 6, 'text-anchor': 'middle'}, xLabel);
	add({class: 'label', x: 4, y: 14}, yLabel);
	return svg;
};

/* An area of the frame, a line where it has no width; infinite ends are the frame's edges. */
const addArea = (svg, {kind, left, right, low, high}, xRange, yRange) => {
	if (left > xRange[1] || right < xRange[0] || low > yRange[1] || high < yRange[0])
		return NaN;
	const x = left <= xRange[0] ? FRAME.left : placeX(left, xRange), end = right >= xRange[1] ? FRAME.right : placeX(right, xRange);
	const y = high >= yRange[1] ? FRAME.top : placeY(high, yRange), below = low <= yRange[0] ? FRAME.bottom : placeY(low, yRange);
	svg.append(left === right ? draw('line', {class: kind, x1: x, y1: y, x2: x, y2: below}) :
		draw('rect', {class: kind, x, y, width: end - x, height: below - y}));
	return x;
};

/* One text is above the frame, where no curve is; those of several areas are a line apart. */
const addAreas = (svg, areas, xRange, yRange) => {
	const places = areas.map((area) => addArea(svg, area, xRange, yRange));
	const told = areas.map((area, i) => [area, places[i]]).filter(([{text}, x]) => text && !isNaN(x));
	return told.map(([{kind, text}, x], i) => draw('text', {class: kind, x: x > FRAME.width / 2 ? x - 4 : x + 4,
		y: told.length === 1 ? FRAME.top - 5 : FRAME.top + 12 + i % 3 * 16, 'text-anchor': x > FRAME.width / 2 ? 'end' : 'start'}, text));
};

/* The range of values; what stands out and areas widen it as far as that leaves the others to be
 * seen. */
const rangeOfRuns = (runs, areas) => {
	const finite = (values) => values.filter(isFinite), plain = finite(runs.filter(({odd}) => !odd).map(({value}) => value));
	const odd = finite(runs.filter((run) => run.odd).map(({value}) => value));
	const own = plain.length ? plain : odd, low = Math.min(...own), high = Math.max(...own), by = 1.5 * (high - low);
	const more = [...odd, ...finite(areas.flatMap((area) => [area.low, area.high]))];
	const range = by > 0 ? [Math.min(low, ...more.map((value) => Math.max(value, low - by))), Math.max(high, ...more.map((value) => Math.min(value, high + by)))] :
		[Math.min(low, ...more), Math.max(high, ...more)];
	return widened(range, Math.abs(range[0]) * 0.1 || 1);
};

/* table.runs: the runs of a series in time, a row each, of class "look" where it stands out, and
 * what is told of them in spans of class "area". A figure takes its place. */
const drawRuns = (table) => {
	const runs = [...table.tBodies[0].rows].map(({cells: [name, value], className}) =>
		({name: name.textContent, value: numberOf(value.textContent), odd: className === 'look'}));
	const areas = all('.area', table.parentElement).map(({dataset: {kind, left, right, low, high}, textContent: text}) =>
		({kind, text, left: numberOf(left), right: numberOf(right), low: numberOf(low), high: numberOf(high)}));
	if (!runs.some(({value}) => isFinite(value)))
		return;
	const yRange = rangeOfRuns(runs, areas), xRange = widened([0, runs.length - 1], 1);
	const beyond = runs.filter(({value}) => isFinite(value) && (value < yRange[0] || value > yRange[1])).length;
	const label = table.tHead.rows[0].cells[1].textContent;
	const svg = frameOf(table.dataset.title, xRange, yRange, {xLabel: 'run', names: runs.map(({name}) => name),
		yLabel: beyond ? `${label} (${count(beyond)} beyond the frame)` : label});
	const texts = addAreas(svg, areas, xRange, yRange);
	const points = runs.map(({name, value, odd}, i) => ({name, value, odd, x: placeX(i, xRange), y: placeY(value, yRange)}));
	svg.append(draw('path', {class: 'line0 thin', d: pathOf(points.filter(({odd}) => !odd).map(({x, y}) => [x, y]))}));
	for (const {name, value, odd, x, y} of points.filter((point) => isFinite(point.value))) {
		const over = value > yRange[1], mark = odd ? 'line2' : 'line1';
		svg.append(over || value < yRange[0] ?
			draw('path', {class: mark + ' beyond', d: `M${x - 4} ${over ? FRAME.top + 7 : FRAME.bottom - 7}h8l-4 ${over ? -7 : 7}z`}) :
			draw('circle', {class: mark, cx: x.toFixed(1), cy: y.toFixed(1), r: 3}, draw('title', {}, `${name}: ${Number(value.toPrecision(8))}`)));
	}
	svg.append(...texts);
	table.closest('.wide').replaceWith(svg);
};

/* table.sizes: how far each run of a golden is from the middle, in its row's data; on one
 * logarithmic scale, of twelve decades at most, with zeros left of it. */
const drawSizes = (table) => {
	const WIDTH = 480, ZERO = 10, FIRST = 54, LAST = 462;
	const strips = [...table.tBodies[0].rows].map((row) => ({row, values: numbersOf(row.dataset.values),
		odd: new Set(numbersOf(row.dataset.odd)), limit: numberOf(row.cells[1].textContent)}));
	const powers = strips.flatMap(({values, limit}) => [...values, limit]).filter((value) => value > 0 && isFinite(value)).map(Math.log10);
	const high = powers.length ? Math.ceil(powers.reduce((a, b) => Math.max(a, b))) : 0;
	const low = Math.max(Math.min(powers.length ? Math.floor(powers.reduce((a, b) => Math.min(a, b))) : -1, high - 1), high - 12);
	const place = (value) => value === 0 ? ZERO : FIRST + (LAST - FIRST) * (Math.min(Math.max(Math.log10(value), low), high) - low) / (high - low);
	const strip = (height, ...children) => draw('svg', {class: 'sizes', viewBox: `0 0 ${WIDTH} ${height}`, 'aria-hidden': 'true'}, ...children);
	for (const {row, values, odd, limit} of strips) {
		const points = (stands) => dotsOf(values.map((value, i) => [value, i]).filter(([value, i]) => !isNaN(value) && odd.has(i) === stands)
			.map(([value]) => [place(value), 8]));
		row.cells[0].append(strip(16, draw('path', {class: 'grid', d: `M0 8H${WIDTH}`}),
			...limit > 0 ? [draw('path', {class: 'limit', d: `M${place(limit).toFixed(1)} 1v14`})] : [],
			draw('path', {class: 'dots', d: points(false)}), draw('path', {class: 'odd', d: points(true)})));
	}
	const axis = strip(46, draw('text', {class: 'tick', x: ZERO, y: 16, 'text-anchor': 'middle'}, '0'));
	for (let at = low; at <= high; at += Math.ceil((high - low) / 6))
		axis.append(draw('text', {class: 'tick', x: place(10 ** at), y: 16, 'text-anchor': 'middle'}, (10 ** at).toExponential(0)));
	axis.append(draw('text', {class: 'label', x: (FIRST + LAST) / 2, y: 40, 'text-anchor': 'middle'}, 'mean |centre - value| / |centre| of a run'));
	table.createTFoot().insertRow().insertCell().append(axis);
};

/* td with data-trend: a letter a run, of 62 that go from the smallest to the largest. */
const drawTrend = (cell) => {
	const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
	const points = [...cell.dataset.trend].map((letter, i) => [3 + 5 * i, LETTERS.includes(letter) ? 17 - 14 * LETTERS.indexOf(letter) / 61 : NaN]);
	cell.append(draw('svg', {class: 'trend', viewBox: `0 0 ${3 + 5 * points.length} 20`, 'aria-hidden': 'true'}, draw('path', {d: pathOf(points)}),
		draw('path', {class: 'odd', d: dotsOf(numbersOf(cell.dataset.odd).map((place) => points[place] ?? [NaN]).filter(([, y]) => isFinite(y)))})));
};

/* table.map: how many series each run is far out of, a column a run. Its second cell has how many
 * there are, and how many break there. The darker, the larger a share. */
const drawMap = (table) => {
	const odd = [...table.tHead.rows[0].cells].map((head) => head.classList.contains('odd'));
	for (const {cells} of table.tBodies[0].rows) {
		const have = numbersOf(cells[1].dataset.have), breaks = numbersOf(cells[1].dataset.breaks);
		[...cells].slice(2).forEach((cell, i) => {
			const far = Number(cell.textContent);
			if (!far)
				cell.textContent = have[i] ? '' : '·';
			else
				cell.classList.add('share-' + (far < have[i] ? Math.ceil(20 * far / have[i]) : 20));
			cell.classList.toggle('odd', odd[i + 2]);
			cell.classList.toggle('from', breaks[i] > 0);
			if (breaks[i] > 0)
				cell.title = `${count(breaks[i])} series ${breaks[i] === 1 ? 'breaks' : 'break'} here`;
		});
	}
};

/* Of `n` values in order of size that which is drawn `i`th, as opdiff_view.c has it. */
const drawnPlace = (i, n) => n > 400 ? Math.floor(i * (n - 1) / 399) : i;

/* figure.distribution: spans with the values of a line each, drawn as the share of values up to
 * each on a logarithmic axis, from the share of zeros on; eight lines a figure. */
const drawDistribution = (figure) => {
	const lines = all('[data-values]', figure).map(({dataset}) => ({name: dataset.name, n: Number(dataset.n), values: numbersOf(dataset.values)}));
	const told = lines.map(({name, n, values}) => ({name, points: values.flatMap((x, i) => {
		const shares = [(i ? drawnPlace(i - 1, n) + 1 : 0) / n, (drawnPlace(i, n) + 1) / n];
		return !(x > 0) ? [] : i && values[i - 1] > 0 ? [[x, shares[1]]] : [[x, shares[0]], [x, shares[1]]];
	})})).filter(({points}) => points.length);
	const parts = [];
	for (let from = 0; from < told.length; from += 8) {
		const shown = told.slice(from, from + 8), decades = shown.flatMap(({points}) => points.map(([x]) => Math.log10(x)).filter(isFinite));
		const xRange = widened([decades.reduce((a, b) => Math.min(a, b), Infinity), decades.reduce((a, b) => Math.max(a, b), -Infinity)], 1), yRange = [0, 1];
		const svg = frameOf(figure.querySelector('figcaption').firstChild.textContent, xRange, yRange, {xLabel: figure.dataset.label, yLabel: 'share of operators'});
		const texts = figure.dataset.equal === undefined ? [] :
			addAreas(svg, [{kind: 'mark', text: 'equal', left: 0, right: 0, low: -Infinity, high: Infinity}], xRange, yRange);
		shown.forEach(({points}, i) => svg.append(draw('path', {class: `line${i} thin`, d: pathOf(points.filter(([x]) => isFinite(x)).map(([x, y]) => [placeX(Math.log10(x), xRange), placeY(y, yRange)]))})));
		svg.append(...texts);
		parts.push(svg, make('p', {class: 'legend'}, ...shown.filter(({name}) => name).map(({name}, i) => make('span', {class: 'line' + i}, name))));
	}
	figure.append(...parts);
	figure.hidden = !parts.length;
};

/* What is folded is drawn as it is opened. */
const drawOnce = (selector, drawOne) => {
	for (const drawn of all(selector)) {
		const folded = drawn.closest('details:not([open])');
		if (folded)
			folded.addEventListener('toggle', () => drawOne(drawn), {once: true});
		else
			drawOne(drawn);
	}
};

/* Before all that listens to the same. What was seen stays, and a link to a place takes away nothing
 * of what is kept. */
addEventListener('hashchange', () => {
	for (const name of location.hash.includes('=') ? [...kept.keys()] : [])
		if (name !== 'seen')
			kept.delete(name);
	readAddress().forEach((value, name) => kept.set(name, value));
	if ([...kept.values()].some((value) => value))
		setTimeout(writeAddress);
});
all('div.pictures').forEach(setUpPictures);
all('table.sorts').forEach(setUpSorting);
all('svg.strips').forEach(setUpStrips);
all('nav.contents').forEach(setUpContents);
all('div.filters:not([data-for=row])').forEach(setUpFilters);
drawOnce('table.runs', drawRuns);
drawOnce('table.sizes', drawSizes);
drawOnce('figure.distribution', drawDistribution);
drawOnce('table.map', drawMap);
drawOnce('#series table', (table) => all('[data-trend]', table).forEach(drawTrend));
document.documentElement.classList.add('drawn');
