/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing passes unseen. Of a golden of every format
 *
 * - one byte is another, at every place in turn. Then there is a row that differs, a loss, a golden
 *   that cannot be read, or the line that only its layout differs; and how many places that line is
 *   about is known;
 * - one number is another, or is taken out, or put in. Then a gate with `--fail-on changed` breaks,
 *   and one with `--fail-above '*=X' --fail-on nonfinite,lost,new` breaks unless the number has a
 *   figure at or under X. Both ways: the changed golden is the old side, too.
 *
 * With TEST_LONG each byte has several other values, and is taken out. UNSEEN_SHOW=NAME prints the
 * places of a golden where the layout alone differs, and the numbers that have no figure.
 */
#include "unit.h"

#include "each_format.h"

#include "base/number.h"
#include "compare/compare_pairs.h"
#include "compare/gate.h"
#include "golden/binary/child.h"
#include "golden/binary/formats.h"
#include "golden/binary/child.h"
#include "story/story.h"

#include <stdio.h>
#include <stdlib.h>

static const rg_column_context context = {"", "", "**", NULL, false, false};

/* X of the gate, and a change under it. */
#define LIMIT       "1e-3"
#define CONDITIONS  "nonfinite,lost,new"
#define UNDER_LIMIT 1.0001

typedef struct {
	const golden_case *golden;
	rg_buf old, fresh;
	size_t at; /* the place */
	size_t unreadable, told, layout, unseen;
} edits;

static rg_error *load(void *from, size_t worker, size_t index, rg_pair *pair)
{
	const edits *e = from;
	(void)worker;
	(void)index;
	pair->name = (rg_file_name){e->golden->name, NULL};
	pair->old_side =
		(rg_input){.name = e->golden->name, .data = e->old.data, .size = e->old.length};
	pair->new_side =
		(rg_input){.name = e->golden->name, .data = e->fresh.data, .size = e->fresh.length};
	return NULL;
}

/* Reads both sides as the projects of these goldens do. */
static void compare_sides(rg_comparison *out, edits *e)
{
	static const char *const models[] = {"model"};
	static const rg_tensor_type raw = {.pattern = "raw*", .dtype = "float32"};
	static const rg_table_rule tables[] = {
		{.pattern = "spaced*"},
		{.pattern = "headless*", .header = RG_HEADER_NO},
		{.pattern = "long*",
		 .keys = models,
		 .key_count = 1,
		 .metric = "metric",
		 .value = "value",
		 .tolerance = "tol"},
	};
	static const rg_golden_options options = {.run_index = -1,
						  .tensor_types = &raw,
						  .tensor_type_count = 1,
						  .table_rules = tables,
						  .table_rule_count = 3};
	const rg_pair_source source = {
		.count = 1, .workers = 1, .load = load, .context = e, .options = &options};

	rg_comparison_init(out);
	assert_success(rg_compare_pairs(out, &source));
}

static void edits_init(edits *e, const golden_case *golden)
{
	*e = (edits){.golden = golden};
	rg_buf_init(&e->old, 1 << 20);
	rg_buf_init(&e->fresh, 1 << 20);
}

static void edits_release(edits *e)
{
	rg_buf_release(&e->old);
	rg_buf_release(&e->fresh);
}

static void print_place(const golden_case *golden, const rg_buf *text, size_t at)
{
	fprintf(stderr, "%s: %zu: ", golden->name, at);
	for (size_t i = at < 24 ? 0 : at - 24; i < at + 16 && i < text->length; i++) {
		unsigned char c = (unsigned char)text->data[i];
		fprintf(stderr, i == at ? "[%c]" : "%c", c >= 0x20 && c < 0x7f ? c : '.');
	}
}

static bool is_shown(const golden_case *golden)
{
	const char *wanted = getenv("UNSEEN_SHOW");
	return wanted && !strcmp(wanted, golden->name);
}

/* --- bytes --- */

static bool breaks(const rg_comparison *c, const char *limit, const char *conditions)
{
	rg_breach_list breaches = {0};
	rg_gate gate;

	rg_gate_init(&gate);
	if (limit)
		assert_success(rg_gate_add(&gate, limit));
	assert_success(rg_gate_add_conditions(&gate, conditions));
	rg_gate_evaluate(&gate, c, &breaches);
	const bool broken = breaches.count > 0;
	rg_breach_list_release(&breaches);
	rg_gate_release(&gate);
	return broken;
}

/* Wants a comparison of both sides to tell of the byte. */
static void hold_byte(edits *e, bool counted)
{
	rg_comparison c;
	rg_story story;

	compare_sides(&c, e);
	const rg_summary summary = {.comparison = &c, .context = &context};
	const rg_file_outcome *file = &c.files[0];
	assert_success(rg_story_make(&story, &summary));
	if (c.unreadable) {
		e->unreadable += counted;
	} else if (file->layout) {
		const size_t said = file->layout == RG_LAYOUT_FORMATTING ? story.facts.formatted
									 : story.facts.unshown;
		if (!file->identical || (!said && !file->unread))
			fail_msg("%s: no fact is about byte %zu", e->golden->name, e->at);
		if (counted && is_shown(e->golden)) {
			print_place(e->golden, &e->old, e->at);
			fprintf(stderr, " to %02x\n", (unsigned char)e->fresh.data[e->at]);
		}
		e->layout += counted;
	} else {
		/* Tests that come or go are in lists of their own. */
		const bool listed = c.gap_count && rg_is_test_row(&c, &c.gaps[0]);
		if (!story.differing && !story.finding_count && !story.facts.placeholders &&
		    !listed)
			fail_msg("%s: nothing is said of byte %zu", e->golden->name, e->at);
		e->told += counted;
	}
	e->unseen += !c.unreadable && !breaks(&c, NULL, "changed");
	rg_story_release(&story);
	rg_comparison_release(&c);
}

/* Another digit for a digit, another letter for a letter. */
static char other(char c)
{
	if (c >= '0' && c <= '9')
		return c == '9' ? '8' : (char)(c + 1);
	return (char)(c ^ 1);
}

static void edit_all(edits *e, bool all)
{
	static const char more[] = {'\x02', '\x20', '\x40', '\x80'};
	for (e->at = 0; e->at < e->old.length; e->at++) {
		char *byte = &e->fresh.data[e->at], was = *byte;
		*byte = other(was);
		hold_byte(e, true);
		for (size_t i = 0; all && i < sizeof(more); i++) {
			*byte = (char)(was ^ more[i]);
			hold_byte(e, false);
		}
		*byte = was;
		if (!all)
			continue;
		memmove(byte, byte + 1, e->old.length - e->at - 1);
		e->fresh.length--;
		hold_byte(e, false);
		e->fresh.length++;
		memcpy(e->fresh.data, e->old.data, e->old.length);
	}
}

TEST(every_byte_is_told)
{
	const bool all = getenv("TEST_LONG") != NULL;
	bool as_expected = true;

	for (size_t i = 0; i < GOLDEN_CASES; i++) {
		edits e;
		if (golden_cases[i].packed)
			continue;
		edits_init(&e, &golden_cases[i]);
		golden_write(e.golden, &e.old);
		rg_buf_add(&e.fresh, e.old.data, e.old.length);
		edit_all(&e, all);
		if (e.layout != golden_cases[i].layout) {
			fprintf(stderr,
				"%s: the layout alone at %zu places, not %zu (of %zu; %zu "
				"unreadable)\n",
				e.golden->name, e.layout, golden_cases[i].layout, e.old.length,
				e.unreadable);
			as_expected = false;
		}
		if (e.unseen) {
			fprintf(stderr, "%s: %zu bytes pass --fail-on changed\n", e.golden->name,
				e.unseen);
			as_expected = false;
		}
		edits_release(&e);
	}
	assert_true(as_expected);
}

/* --- numbers --- */

/* The numbers that take the place of one. */
typedef enum {
	AS_IT_IS,
	UNDER, /* a change under the limit */
	TWICE,
	NEGATIVE,
	ZERO,
	TINY,
	TINY_TWICE,
	NOT_A_NUMBER,
	INFINITE,
	MINUS_INFINITE,
	A_TEXT,
	EMPTIED, /* null, or an empty cell */
	TAKEN_OUT,
	PUT_IN,
	WITHOUT_LINE,
	LINE_AGAIN,
	VARIANTS
} variant;

static const char *const variant_names[VARIANTS] = {
	"as it is",  "under the limit", "twice",     "negative", "0",
	"1e-300",    "2e-300",          "NaN",       "inf",      "-inf",
	"a text",    "emptied",         "taken out", "put in",   "without its line",
	"line again"};

/* A number in a golden: its bytes in a text, or which value of a binary one it is. */
typedef struct {
	size_t at, length;
	bool quoted, key; /* in JSON */
	double value;
} number_site;

typedef struct {
	edits edits;
	rg_buf plain; /* the golden, before it is packed */
	number_site site;
	rg_buf variants[VARIANTS];
	bool there[VARIANTS];
	double values[VARIANTS]; /* what the number is there; NaN too where it is no number */
	size_t tried, failed, passed, unscored;
	/* How many numbers a gate passes so, and where the first of them is. */
	size_t passes[2][VARIANTS][VARIANTS], where[2][VARIANTS][VARIANTS];
} walk;

static bool is_separator(char c)
{
	return !c || strchr(" \t\r\n,;=()[]{}|\"'<>:", c);
}

/* How long the number at the start of a word is, without a unit; 0: there is none. */
static size_t number_length(const char *word, size_t length)
{
	static const char digits[] = "0123456789";
	char text[64];
	char *end;

	if (!length || length >= sizeof(text))
		return 0;
	memcpy(text, word, length);
	text[length] = '\0';
	const size_t sign = text[0] == '-' || text[0] == '+';
	if (!strcasecmp(text + sign, "nan") || !strcasecmp(text + sign, "inf") ||
	    !strcasecmp(text + sign, "infinity"))
		return length;
	if (!strchr(digits, text[sign + (text[sign] == '.')]) || !text[sign])
		return 0;
	for (char *c = text; *c; c++)
		if (*c == 'D' && c[1] && strchr("+-0123456789", c[1]))
			*c = 'e';
	strtod(text, &end);
	return !end[strspn(end, "%abcdefghijklmnopqrstuvwxyz")] ? (size_t)(end - text) : 0;
}

static double value_of(const char *word, size_t length)
{
	char text[64];
	memcpy(text, word, length);
	text[length] = '\0';
	for (char *c = text; *c; c++)
		if (*c == 'D')
			*c = 'e';
	return strtod(text, NULL);
}

/* The next number of a text from `at` on. */
static bool next_site(const rg_buf *text, size_t at, number_site *out)
{
	while (at < text->length) {
		while (at < text->length && is_separator(text->data[at]))
			at++;
		size_t end = at;
		while (end < text->length && !is_separator(text->data[end]))
			end++;
		const size_t length = number_length(text->data + at, end - at);
		if (length) {
			*out = (number_site){.at = at,
					     .length = length,
					     .quoted = at && text->data[at - 1] == '"' &&
						       text->data[end] == '"',
					     .value = value_of(text->data + at, length)};
			const char *after = text->data + end + out->quoted;
			out->key = out->quoted && after[strspn(after, " ")] == ':';
			return true;
		}
		at = end;
	}
	return false;
}

static void put_text(walk *w, variant v, size_t from, size_t to, const char *text)
{
	rg_buf *out = &w->variants[v];
	rg_buf_add(out, w->plain.data, from);
	rg_buf_str(out, text);
	rg_buf_add(out, w->plain.data + to, w->plain.length - to);
	w->there[v] = true;
	w->values[v] = NAN;
}

static void put_number(walk *w, variant v, double value)
{
	const number_site *s = &w->site;
	const golden_writing written = w->edits.golden->written;
	char text[RG_DOUBLE_REPR_SIZE];

	if (isfinite(value))
		snprintf(text, sizeof(text), "%.17g", value);
	else if (written == WRITTEN_JSON && !s->quoted)
		snprintf(text, sizeof(text), "%s",
			 isnan(value) ? "NaN"
			 : value > 0  ? "Infinity"
				      : "-Infinity");
	else
		snprintf(text, sizeof(text), "%s%s%s", value < 0 ? "-" : "",
			 written == WRITTEN_YAML ? "." : "", isnan(value) ? "nan" : "inf");
	put_text(w, v, s->at, s->at + s->length, text);
	w->values[v] = value;
}

/* From where to where the number's member or element of JSON goes, without a comma. */
static void element_of(const walk *w, size_t *from, size_t *to, bool *member)
{
	const char *text = w->plain.data;
	*from = w->site.at - w->site.quoted;
	*to = w->site.at + w->site.length + w->site.quoted;
	size_t before = *from;
	while (before && text[before - 1] == ' ')
		before--;
	*member = before && text[before - 1] == ':';
	if (!*member)
		return;
	for (before -= 2; text[before - 1] != '"'; before--)
		;
	*from = before - 1;
}

static void put_json(walk *w)
{
	const number_site *s = &w->site;
	const char *text = w->plain.data;
	size_t from, to;
	bool member;

	put_text(w, A_TEXT, s->at, s->at + s->length, s->quoted ? "x" : "\"x\"");
	if (s->key)
		return;
	put_text(w, EMPTIED, s->at - s->quoted, s->at + s->length + s->quoted, "null");
	element_of(w, &from, &to, &member);
	put_text(w, PUT_IN, to, to, member ? ", \"added\": 7.5" : ", 7.5");
	if (text[to] == ',')
		to += 2;
	else if (from > 2 && text[from - 2] == ',')
		from -= 2;
	put_text(w, TAKEN_OUT, from, to, "");
}

/* The line that the number is in. */
static void put_lines(walk *w)
{
	const char *text = w->plain.data, *end = text + w->plain.length;
	const char *line = text + w->site.at;
	const char *next = memchr(line, '\n', (size_t)(end - line));
	char copy[512];

	next = next ? next + 1 : end;
	while (line > text && line[-1] != '\n')
		line--;
	if (line == text && next == end)
		return;
	assert_true(next - line < (int)sizeof(copy));
	memcpy(copy, line, (size_t)(next - line));
	copy[next - line] = '\0';
	put_text(w, WITHOUT_LINE, (size_t)(line - text), (size_t)(next - text), "");
	put_text(w, LINE_AGAIN, (size_t)(next - text), (size_t)(next - text), copy);
}

/* All that the number can be but itself. */
static void put_others(walk *w)
{
	const number_site *s = &w->site;
	const golden_case *golden = w->edits.golden;
	const double value = isfinite(s->value) ? s->value : 1.5;
	const char added[] = {golden->between, '7', '.', '5', '\0'};

	if (isfinite(s->value) && s->value != 0)
		put_number(w, UNDER, value * UNDER_LIMIT);
	put_number(w, TWICE, 2 * value);
	put_number(w, NEGATIVE, -value);
	put_number(w, ZERO, 0);
	put_number(w, TINY, 1e-300);
	put_number(w, TINY_TWICE, 2e-300);
	put_number(w, NOT_A_NUMBER, NAN);
	put_number(w, INFINITE, INFINITY);
	put_number(w, MINUS_INFINITE, -INFINITY);
	put_lines(w);
	if (golden->written == WRITTEN_JSON) {
		put_json(w);
		return;
	}
	put_text(w, A_TEXT, s->at, s->at + s->length, "x");
	put_text(w, EMPTIED, s->at, s->at + s->length, golden->between ? "" : "null");
	if (golden->between)
		put_text(w, PUT_IN, s->at + s->length, s->at + s->length, added);
}

/* Value `at` of a binary golden. */
static void put_values_of(walk *w, variant v, size_t at, double value)
{
	const golden_case *golden = w->edits.golden;
	double values[GOLDEN_VALUES + 1];
	size_t count = GOLDEN_VALUES;

	memcpy(values, golden_values, sizeof(golden_values));
	if (v == TAKEN_OUT) {
		memmove(values + at, values + at + 1, (count - at - 1) * sizeof(*values));
		count--;
	} else if (v == PUT_IN) {
		memmove(values + at + 1, values + at, (count - at) * sizeof(*values));
		values[at] = value;
		count++;
	} else {
		values[at] = value;
	}
	w->there[v] = golden->make(&w->variants[v], values, count);
	w->values[v] = v == TAKEN_OUT || v == PUT_IN ? NAN : value;
}

static void put_elements(walk *w, size_t at)
{
	const double value = golden_values[at];

	put_values_of(w, AS_IT_IS, at, value);
	put_values_of(w, UNDER, at, value * UNDER_LIMIT);
	put_values_of(w, TWICE, at, 2 * value);
	put_values_of(w, NEGATIVE, at, -value);
	put_values_of(w, ZERO, at, 0);
	put_values_of(w, TINY, at, 1e-30);
	put_values_of(w, TINY_TWICE, at, 2e-30);
	put_values_of(w, NOT_A_NUMBER, at, NAN);
	put_values_of(w, INFINITE, at, INFINITY);
	put_values_of(w, MINUS_INFINITE, at, -INFINITY);
	if (w->edits.golden->fixed)
		return;
	put_values_of(w, TAKEN_OUT, at, value);
	put_values_of(w, PUT_IN, at, 7.5);
}

/* --- */

static bool is_pair_under(variant from, variant to)
{
	return (from == AS_IT_IS && to == UNDER) || (from == UNDER && to == AS_IT_IS);
}

static void note(walk *w, int rule, variant from, variant to)
{
	const bool passed = rule == 1 && !is_pair_under(from, to);
	if (!w->passes[rule][from][to]++)
		w->where[rule][from][to] = w->site.at;
	w->passed += passed;
	w->failed += !passed;
}

/* Is there no number in its place? */
static bool has_no_number(variant v)
{
	return v == A_TEXT || v == EMPTIED || v == TAKEN_OUT || v == WITHOUT_LINE;
}

/* Does a gate of X see it? It must not where the number has a figure that is under X. */
static void hold_pair(walk *w, variant from, variant to, bool *scored)
{
	rg_comparison c;
	edits *e = &w->edits;

	rg_buf_clear(&e->old);
	rg_buf_clear(&e->fresh);
	rg_buf_add(&e->old, w->variants[from].data, w->variants[from].length);
	rg_buf_add(&e->fresh, w->variants[to].data, w->variants[to].length);
	w->tried++;
	compare_sides(&c, e);
	const bool seen = c.unreadable || breaks(&c, "*=" LIMIT, CONDITIONS);
	if (!c.unreadable && !breaks(&c, NULL, "changed"))
		note(w, 0, from, to);
	if (from == AS_IT_IS && to == UNDER)
		*scored = !seen;
	else if (is_pair_under(from, to) ? seen == *scored : !seen)
		if (!(w->values[from] == w->values[to]) &&
		    !(has_no_number(from) && has_no_number(to)))
			note(w, 1, from, to);
	rg_comparison_release(&c);
}

static void hold_site(walk *w)
{
	bool scored = true;

	for (variant v = 0; w->edits.golden->packed && v < VARIANTS; v++) {
		rg_buf plain = w->variants[v];
		if (!w->there[v])
			continue;
		rg_buf_init(&w->variants[v], 1 << 20);
		golden_pack(&w->variants[v], &plain);
		rg_buf_release(&plain);
	}
	for (variant from = 0; from < VARIANTS; from++)
		for (variant to = 0; to < VARIANTS; to++) {
			const rg_buf *a = &w->variants[from], *b = &w->variants[to];
			if (w->there[from] && w->there[to] &&
			    (a->length != b->length || memcmp(a->data, b->data, a->length) != 0))
				hold_pair(w, from, to, &scored);
		}
	w->unscored += !scored;
	if (!scored && is_shown(w->edits.golden)) {
		print_place(w->edits.golden, &w->plain, w->site.at);
		fprintf(stderr, " has no figure\n");
	}
}

static void clear_variants(walk *w)
{
	for (variant v = 0; v < VARIANTS; v++) {
		rg_buf_clear(&w->variants[v]);
		w->there[v] = false;
	}
}

static void walk_numbers(walk *w)
{
	const golden_case *golden = w->edits.golden;
	size_t at = 0;

	for (; golden->make && at < (golden->fixed ? 1 : GOLDEN_VALUES); at++) {
		clear_variants(w);
		w->site = (number_site){.at = at, .value = golden_values[at]};
		put_elements(w, at);
		hold_site(w);
	}
	while (golden->written != WRITTEN_BINARY && next_site(&w->plain, at, &w->site)) {
		clear_variants(w);
		put_text(w, AS_IT_IS, 0, 0, "");
		w->values[AS_IT_IS] = w->site.value;
		put_others(w);
		hold_site(w);
		at = w->site.at + w->site.length;
	}
}

static void print_failures(const walk *w)
{
	static const char *const rules[] = {"changed", "fail-above"};
	for (int rule = 0; rule < 2; rule++)
		for (variant from = 0; from < VARIANTS; from++)
			for (variant to = 0; to < VARIANTS; to++) {
				const size_t n = w->passes[rule][from][to];
				if (!n)
					continue;
				print_place(w->edits.golden, &w->plain, w->where[rule][from][to]);
				fprintf(stderr, ": %s %s at %s -> %s (%zu number%s)\n", rules[rule],
					rule && is_pair_under(from, to) ? "breaks" : "passes",
					variant_names[from], variant_names[to], n,
					n == 1 ? "" : "s");
			}
}

static size_t walk_golden(const golden_case *golden, size_t *tried)
{
	walk w = {0};

	edits_init(&w.edits, golden);
	rg_buf_init(&w.plain, 1 << 20);
	for (variant v = 0; v < VARIANTS; v++)
		rg_buf_init(&w.variants[v], 1 << 20);
	golden_write(golden, &w.plain);
	walk_numbers(&w);
	if (w.failed || w.passed != golden->implied || is_shown(golden))
		print_failures(&w);
	if (w.passed != golden->implied) {
		fprintf(stderr, "%s: %zu changes pass, not %zu\n", golden->name, w.passed,
			golden->implied);
		w.failed++;
	}
	if (w.unscored != golden->unscored) {
		fprintf(stderr, "%s: %zu numbers have no figure, not %zu\n", golden->name,
			w.unscored, golden->unscored);
		w.failed++;
	}
	*tried += w.tried;
	for (variant v = 0; v < VARIANTS; v++)
		rg_buf_release(&w.variants[v]);
	rg_buf_release(&w.plain);
	edits_release(&w.edits);
	return w.failed;
}

TEST(every_number_is_held)
{
	size_t tried = 0, failed = 0;

	for (size_t i = 0; i < GOLDEN_CASES; i++)
		failed += walk_golden(&golden_cases[i], &tried);
	printf("counted: %zu changes of a number in %d goldens, each seen by both gates\n", tried,
	       GOLDEN_CASES);
	assert_int_equal(failed, 0);
}

/* --- the registry --- */

/* The program is also the child that reads HDF5, NetCDF and FITS. */
__attribute__((constructor)) static void serve(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], RG_CHILD_COMMAND))
		rg_binary_serve(argv[2]);
	rg_child_program("/proc/self/exe");
}

/* Each golden is read by the reader that its case names, and each reader has one. */
TEST(every_format_has_a_golden)
{
	bool as_expected = true;

	for (size_t i = 0; i < GOLDEN_CASES; i++) {
		const golden_case *golden = &golden_cases[i];
		rg_comparison c;
		rg_buf plain;
		edits e;

		edits_init(&e, golden);
		rg_buf_init(&plain, 1 << 20);
		golden_write(golden, &plain);
		if (golden->packed)
			golden_pack(&e.old, &plain);
		else
			rg_buf_add(&e.old, plain.data, plain.length);
		rg_buf_add(&e.fresh, e.old.data, e.old.length);
		compare_sides(&c, &e);
		if (!c.files[0].format || strcmp(c.files[0].format, golden->format) != 0) {
			fprintf(stderr, "%s: is read by '%s', not by '%s': %s\n", golden->name,
				c.files[0].format ? c.files[0].format : "none", golden->format,
				c.files[0].why ? c.files[0].why : "");
			as_expected = false;
		}
		rg_comparison_release(&c);
		rg_buf_release(&plain);
		edits_release(&e);
	}
	for (const rg_format *const *format = rg_format_list; *format; format++) {
		size_t i = 0;
		while (i < GOLDEN_CASES && strcmp(golden_cases[i].format, (*format)->name) != 0)
			i++;
		if (i == GOLDEN_CASES) {
			fprintf(stderr, "no golden of format '%s'\n", (*format)->name);
			as_expected = false;
		}
	}
	assert_true(as_expected);
}
