/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one script of every page. A page is whole without it. With it,
 *
 * <table class="sorts">: the heads become buttons that sort its rows. A head of class "n" is of
 * numbers; a cell sorts by its data-value, else by its text.
 *
 * <div class="filters" data-for="golden" data-facets="metric stage" data-noun="rows">: becomes a
 * search field, a choice for each facet, and the count of what is shown, of all elements of class
 * "golden", in the <section class="own"> that it is in, if any. Those say data-metric="…" and
 * data-stage="…"; several values have "\n" between them. A link of class "point" goes where the element
 * that it leads to goes; so does what says data-of="ID". What says data-with="golden" goes where no
 * element is left with the data that it has. The address keeps the choices.
 *
 * <div class="pictures"> with two pictures: a third one has both laid over each other, with a slider.
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
			const at = document.getElementById(point.hash.slice(1));
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

all('div.pictures').forEach(setUpPictures);
all('table.sorts').forEach(setUpSorting);
all('div.filters').forEach(setUpFilters);
})();
