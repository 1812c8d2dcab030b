#include "golden/series.h"

#include "golden/builder.h"
#include "golden/digits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 *	{"NAME": {"start_step": 1, "end_step": 50, "step_interval": 1, "values": {"1": 10.9, …}}, …}
 *
 * Functions return false where the text is not plainly this; the scanner's place is then lost.
 */
typedef struct {
	const char *at, *end;
	rg_golden_builder builder;
	rg_error *err; /* memory ran out */
} scanner;

static inline void skip_blanks(scanner *s)
{
	while (s->at < s->end &&
	       (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r'))
		s->at++;
}

static inline bool take(scanner *s, char c)
{
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

static inline bool take_sign(scanner *s, char c)
{
	skip_blanks(s);
	return take(s, c);
}

/* A comma before the next member (*more), or the closing brace. */
static inline bool take_separator(scanner *s, bool *more)
{
	skip_blanks(s);
	*more = take(s, ',');
	return *more || take(s, '}');
}

/* A string of printable ASCII without escapes, which is itself UTF-8 and has no NUL. */
static bool take_name(scanner *s, const char **name, size_t *length)
{
	const char *start;

	if (!take_sign(s, '"'))
		return false;
	start = s->at;
	while (s->at < s->end && *s->at != '"') {
		unsigned char c = (unsigned char)*s->at++;

		if (c == '\\' || c < 0x20 || c > 0x7e)
			return false;
	}
	*name = start;
	*length = (size_t)(s->at - start);
	return take(s, '"');
}

/* Up to 15 digits: a whole number that a double holds too. */
static bool take_integer(scanner *s, int64_t *out)
{
	int digits = 0;

	*out = 0;
	while (s->at < s->end && *s->at >= '0' && *s->at <= '9' && digits++ < 15)
		*out = *out * 10 + (*s->at++ - '0');
	return digits > 0 && digits <= 15;
}

static bool take_word(scanner *s, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0)
		return false;
	s->at += length;
	return true;
}

static bool take_value(scanner *s, double *out)
{
	skip_blanks(s);
	if (s->at == s->end)
		return false;
	if (*s->at == '"' || *s->at == 'N') {
		*out = NAN;
		return take_word(s, "\"nan\"") || take_word(s, "NaN");
	}
	return rg_series_number(&s->at, s->end, out);
}

/* Steps count on, so that the text of the next one is known as long as only its last digit changes.
 */
typedef struct {
	int64_t step, stride; /* the last one, and how far it is from the one before */
	unsigned known;       /* how many of the next ones differ in their last digit only */
	uint64_t next,
		change; /* the next one's text with the quote behind it; what is added to that */
	unsigned length, spare; /* of that text, and bits of `next` that are not its */
	rg_digits_usual digits;
} counting;

/* Any step of up to 15 digits, up to and with the quote behind it. */
static bool take_any_step(counting *c, const char **at)
{
	const char *p = *at;
	unsigned count;
	int64_t step;

	if (!rg_digits_take(&p, &c->digits, &step, &count) || *p != '"')
		return false;
	c->stride = step - c->step;
	c->step = step;
	c->known = 0;
	if (count < RG_DIGITS_EIGHT && c->stride > 0 && c->stride < 10) {
		c->known = (unsigned)((9 - step % 10) / c->stride);
		c->change = (uint64_t)c->stride << 8 * (count - 1);
		c->next = rg_digits_load(*at) + c->change;
		c->length = count + 1;
		c->spare = 64 - 8 * c->length;
	}
	*at = p + 1;
	return true;
}

static inline bool take_step(counting *c, const char **at)
{
	if (!c->known || (rg_digits_load(*at) ^ c->next) << c->spare)
		return take_any_step(c, at);
	c->known--;
	c->step += c->stride;
	c->next += c->change;
	*at += c->length;
	return true;
}

enum { STEP_ROOM = 24 };

/* As many entries as are written as json.dump writes them: «"1": 10.9, "2": 10.8»; false where not
 * even the first is. */
static bool take_usual_entries(scanner *s)
{
	rg_digits_usual_number usual = {0};
	counting steps = {0};
	const char *p = s->at;
	bool any = false;

	while (s->end - p >= STEP_ROOM + RG_DIGITS_ROOM && *p++ == '"') {
		double value;

		if (!take_step(&steps, &p) || p[0] != ':' || p[1] != ' ')
			break;
		p += 2;
		if (!rg_digits_number(&p, &usual, &value))
			break;
		s->err = rg_golden_builder_value(&s->builder, steps.step, value);
		if (s->err)
			break;
		s->at = p;
		any = true;
		if (memcmp(p, ", \"", 3) != 0)
			break;
		p += 2;
	}
	return any;
}

/* Whatever else an entry may look like. */
static bool take_entry(scanner *s)
{
	int64_t step;
	double value;

	if (!take(s, '"') || !take_integer(s, &step) || !take(s, '"') || !take_sign(s, ':') ||
	    !take_value(s, &value))
		return false;
	s->err = rg_golden_builder_value(&s->builder, step, value);
	return !s->err;
}

static bool take_values(scanner *s)
{
	bool more;

	if (!take_sign(s, '{'))
		return false;
	if (take_sign(s, '}'))
		return true;
	do {
		skip_blanks(s);
		if ((!take_usual_entries(s) && !take_entry(s)) || s->err ||
		    !take_separator(s, &more))
			return false;
	} while (more);
	return true;
}

enum { HAS_START = 1, HAS_END = 2, HAS_INTERVAL = 4, HAS_VALUES = 8 };

typedef struct {
	unsigned has;
	int64_t start, end, interval;
} block;

static bool take_block_integer(scanner *s, block *b, unsigned bit, int64_t *out)
{
	const char *start;

	skip_blanks(s);
	start = s->at;
	if (b->has & bit || !take_integer(s, out))
		return false;
	b->has |= bit;
	return *start != '0' || s->at == start + 1;
}

static bool take_block_member(scanner *s, block *b)
{
	const char *name;
	size_t length;

	if (!take_name(s, &name, &length) || !take_sign(s, ':'))
		return false;
	if (length == 6 && !memcmp(name, "values", 6)) {
		if (b->has & HAS_VALUES)
			return false;
		b->has |= HAS_VALUES;
		return take_values(s);
	}
	if (length == 10 && !memcmp(name, "start_step", 10))
		return take_block_integer(s, b, HAS_START, &b->start);
	if (length == 8 && !memcmp(name, "end_step", 8))
		return take_block_integer(s, b, HAS_END, &b->end);
	if (length == 13 && !memcmp(name, "step_interval", 13))
		return take_block_integer(s, b, HAS_INTERVAL, &b->interval);
	return false;
}

static bool take_metric(scanner *s)
{
	const unsigned steps = HAS_START | HAS_END | HAS_INTERVAL;
	const char *name;
	size_t length;
	block b = {0};
	rg_metric *metric;
	bool more;

	if (!take_name(s, &name, &length) || !take_sign(s, ':') || !take_sign(s, '{'))
		return false;
	do {
		if (!take_block_member(s, &b) || !take_separator(s, &more))
			return false;
	} while (more);
	if (!(b.has & HAS_VALUES))
		return false;
	s->err = rg_golden_builder_series(&s->builder, name, length, &metric);
	if (s->err)
		return false;
	if ((b.has & steps) == steps) {
		metric->start_step = b.start;
		metric->end_step = b.end;
		metric->step_interval = b.interval;
	}
	return true;
}

static bool take_document(scanner *s)
{
	bool more;

	if (!take_sign(s, '{'))
		return false;
	do {
		if (!take_metric(s) || !take_separator(s, &more))
			return false;
	} while (more);
	skip_blanks(s);
	return s->at == s->end;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const rg_metric *)a)->name, ((const rg_metric *)b)->name);
}

/* Sorts; of names that stand twice json.c knows which to take. */
static bool names_differ(rg_golden_builder *builder)
{
	size_t i;

	qsort(builder->metrics, builder->count, sizeof(*builder->metrics), compare_names);
	for (i = 1; i < builder->count; i++)
		if (!strcmp(builder->metrics[i - 1].name, builder->metrics[i].name))
			return false;
	return true;
}

rg_error *rg_series_read(rg_golden *golden, const rg_input *in, bool *taken)
{
	const char *text = in->data;
	scanner s = {.at = text, .end = text + in->size};

	rg_golden_builder_init(&s.builder, golden, in->size);
	*taken = take_document(&s) && names_differ(&s.builder);
	if (*taken)
		s.err = rg_golden_builder_finish(&s.builder);
	rg_golden_builder_release(&s.builder);
	if (!*taken)
		rg_arena_release(&golden->arena);
	return s.err;
}
