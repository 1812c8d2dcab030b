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
