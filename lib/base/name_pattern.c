/* SPDX-License-Identifier: Apache-2.0 */
#include "base/name_pattern.h"

#include "base/memory.h"
#include "base/buf.h"
#include "base/number.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PARTS_MAX = 2 * RG_FIELD_COUNT + 1, SEEN_MAX = 1024 };

static const char *const field_names[RG_FIELD_COUNT] = {
	"stage",  "test",    "tag", "run",  "unique",  "file",  "repeat", "restart",
	"folder", "variant", "job", "path", "attempt", "shard", "any"};

/* Literal text or a field. */
typedef struct {
	bool is_field;
	rg_field field;
	const char *text; /* into the copy */
	size_t length;
} part;

struct rg_name_pattern {
	char *text; /* a copy that the parts point into */
	part parts[PARTS_MAX];
	size_t count;
	bool one_part;   /* RG_FIELDS_ONE_PART */
	bool test_parts; /* RG_FIELDS_TEST_PARTS */
	bool blanks;     /* fields begin and end with blanks, too */
};

unsigned rg_name_pattern_fields(const rg_name_pattern *pattern)
{
	unsigned fields = 0;
	for (size_t i = 0; i < pattern->count; i++)
		if (pattern->parts[i].is_field)
			fields |= 1u << pattern->parts[i].field;
	return fields;
}

bool rg_name_pattern_has(const rg_name_pattern *pattern, rg_field field)
{
	return rg_name_pattern_fields(pattern) & 1u << field;
}

const char *rg_field_name(rg_field field)
{
	return field_names[field];
}

static rg_error *append_field(rg_name_pattern *pattern, const char *name, size_t length,
			      unsigned allowed)
{
	rg_field field = 0;
	while (field < RG_FIELD_COUNT &&
	       (strlen(field_names[field]) != length || memcmp(field_names[field], name, length)))
		field++;
	if (field == RG_FIELD_COUNT || !(allowed & 1u << field)) {
		RG_AUTO(rg_buf) known = rg_buf_of(RG_BUF_TEXT);
		for (size_t i = 0; i < RG_FIELD_COUNT; i++)
			if (allowed & 1u << i)
				rg_buf_printf(&known, "%s{%s}", known.length ? ", " : "",
					      field_names[i]);
		return rg_error_new(RG_E_USAGE, "{%.*s} is not one of its fields: %s", (int)length,
				    name, known.data);
	}
	if (field != RG_FIELD_ANY && rg_name_pattern_has(pattern, field))
		return rg_error_new(RG_E_USAGE, "{%s} appears twice", field_names[field]);
	if (pattern->count && pattern->parts[pattern->count - 1].is_field)
		return rg_error_new(RG_E_USAGE, "no text before {%s} tells where it begins",
				    field_names[field]);
	pattern->parts[pattern->count++] = (part){true, field, name, length};
	return NULL;
}

static rg_error *compile(rg_name_pattern *pattern, unsigned allowed)
{
	const char *p = pattern->text;
	pattern->one_part = allowed & RG_FIELDS_ONE_PART;
	pattern->test_parts = allowed & RG_FIELDS_TEST_PARTS & ~RG_FIELDS_ONE_PART;
	if (!*p)
		return rg_error_new(RG_E_USAGE, "is empty");
	while (*p) {
		size_t length = strcspn(p, "{");
		/* {any} may be there several times. */
		if (pattern->count + 2 > PARTS_MAX)
			return rg_error_new(RG_E_USAGE, "has too many fields");
		if (length)
			pattern->parts[pattern->count++] = (part){.text = p, .length = length};
		p += length;
		if (!*p)
			break;
		const char *end = strchr(p, '}');
		if (!end)
			return rg_error_new(RG_E_USAGE, "a '{' without '}'");
		RG_TRY(append_field(pattern, p + 1, (size_t)(end - p - 1), allowed));
		p = end + 1;
	}
	return NULL;
}

rg_error *rg_name_pattern_new(rg_name_pattern **out, rg_arena *arena, const char *pattern,
			      unsigned allowed, const char *key)
{
	rg_name_pattern *made = rg_arena_alloc(arena, sizeof(*made));
	*out = NULL;
	made->text = rg_arena_text(arena, pattern);
	RG_TRY(rg_error_wrap(compile(made, allowed), "%s '%s'", key, pattern));
	*out = made;
	return NULL;
}

/* Does it stand for one part of a path? */
static bool is_one_part(const rg_name_pattern *pattern, rg_field field)
{
	if (field == RG_FIELD_STAGE || field == RG_FIELD_REPEAT || field == RG_FIELD_RESTART ||
	    field == RG_FIELD_FOLDER)
		return true;
	return pattern->one_part && field != RG_FIELD_PATH &&
	       !(pattern->test_parts && field == RG_FIELD_TEST);
}

static bool field_allows(const rg_name_pattern *pattern, rg_field field, const char *start,
			 size_t length, const rg_name_fields *fixed)
{
	const rg_field_value *wanted = fixed ? &fixed->fields[field] : NULL;
	uint64_t number;
	if (!length || (!pattern->blanks && (*start == ' ' || start[length - 1] == ' ')))
		return false;
	if (is_one_part(pattern, field) && memchr(start, '/', length))
		return false;
	if (field == RG_FIELD_ATTEMPT && !rg_uint64_parse(start, length, &number))
		return false;
	return !wanted || !wanted->start ||
	       (wanted->length == length && !strncasecmp(wanted->start, start, length));
}

/* One match on its way. */
typedef struct {
	const rg_name_pattern *pattern;
	const char *name;
	const rg_name_fields *fixed;
	rg_name_fields *out;
	/* Bits: this part matches nothing from there on, so that no place is tried twice. */
	unsigned char failed[PARTS_MAX][SEEN_MAX / CHAR_BIT];
} match_state;

/* Matches parts[index … count - 1] against the whole of `text`. Each extent of a field is tried,
 * from its longest down. */
static bool match_parts(match_state *m, size_t index, size_t count, const char *text, size_t length)
{
	size_t at = (size_t)(text - m->name);
	if (index == count)
		return length == 0;
	const part *next = &m->pattern->parts[index];
	if (!next->is_field)
		return next->length <= length && !strncasecmp(next->text, text, next->length) &&
		       match_parts(m, index + 1, count, text + next->length, length - next->length);
	if (at < SEEN_MAX && m->failed[index][at / CHAR_BIT] & 1u << at % CHAR_BIT)
		return false;
	/* The last field takes all of the rest; a fixed one has the extent of its text. */
	size_t least = index + 1 == count ? length : 1, taken = length;
	if (m->fixed && m->fixed->fields[next->field].start) {
		const size_t wanted = m->fixed->fields[next->field].length;
		taken = wanted < length ? wanted : length;
		least = wanted > least ? wanted : least;
	}
	for (; taken && taken >= least; taken--)
		if (field_allows(m->pattern, next->field, text, taken, m->fixed) &&
		    match_parts(m, index + 1, count, text + taken, length - taken)) {
			m->out->fields[next->field] = (rg_field_value){text, taken};
			return true;
		}
	if (at < SEEN_MAX)
		m->failed[index][at / CHAR_BIT] |= (unsigned char)(1u << at % CHAR_BIT);
	return false;
}

static bool match_first(const rg_name_pattern *pattern, size_t count, const char *name,
			const rg_name_fields *fixed, rg_name_fields *out)
{
	match_state m = {.pattern = pattern, .name = name, .fixed = fixed, .out = out};
	*out = (rg_name_fields){0};
	return match_parts(&m, 0, count, name, strlen(name));
}

bool rg_name_match(const rg_name_pattern *pattern, const char *name, const rg_name_fields *fixed,
		   rg_name_fields *out)
{
	size_t count = pattern->count;
	if (match_first(pattern, count, name, fixed, out))
		return true;
	return count >= 3 && pattern->parts[count - 1].is_field &&
	       pattern->parts[count - 1].field == RG_FIELD_TAG &&
	       match_first(pattern, count - 2, name, fixed, out);
}

bool rg_name_match_but_for_blanks(const rg_name_pattern *pattern, const char *name)
{
	rg_name_pattern loose = *pattern;
	rg_name_fields fields;
	loose.blanks = true;
	return rg_name_match(&loose, name, NULL, &fields);
}

/* --- names.test --- */

#define PATH_FIELDS                                                        \
	(1u << RG_FIELD_STAGE | 1u << RG_FIELD_TEST | 1u << RG_FIELD_TAG | \
	 1u << RG_FIELD_VARIANT | 1u << RG_FIELD_FILE | 1u << RG_FIELD_PATH | 1u << RG_FIELD_ANY)

enum { PATTERN_SIZE = 1024 };

/* The next of the patterns; false at their end. It is compiled into `out`, whose text is `text`. */
static bool next_pattern(const char **patterns, rg_name_pattern *out, char text[PATTERN_SIZE],
			 rg_error **err)
{
	static const char blanks[] = " \t\r\n";
	const char *word = *patterns + strspn(*patterns, blanks);
	size_t length = strcspn(word, blanks);

	*err = NULL;
	*patterns = word + length;
	if (!length)
		return false;
	*out = (rg_name_pattern){.text = text};
	if (length >= PATTERN_SIZE) {
		*err = rg_error_new(RG_E_USAGE, "a pattern of more than %d bytes",
				    PATTERN_SIZE - 1);
		return true;
	}
	memcpy(text, word, length);
	text[length] = '\0';
	*err = rg_error_wrap(compile(out, PATH_FIELDS | RG_FIELDS_TEST_PARTS), "'%s'", text);
	return true;
}

rg_error *rg_path_names_check(const char *patterns)
{
	rg_name_pattern pattern;
	char text[PATTERN_SIZE];
	rg_error *err;

	while (next_pattern(&patterns, &pattern, text, &err)) {
		RG_TRY(err);
		if (!rg_name_pattern_has(&pattern, RG_FIELD_TEST))
			return rg_error_new(RG_E_USAGE, "'%s' has no {test}", text);
	}
	return NULL;
}

bool rg_path_names_match(const char *patterns, const char *path, rg_name_fields *out)
{
	rg_name_pattern pattern;
	char text[PATTERN_SIZE];
	rg_error *err;

	while (next_pattern(&patterns, &pattern, text, &err)) {
		if (!err && rg_name_match(&pattern, path, NULL, out))
			return true;
		rg_error_free(err);
	}
	*out = (rg_name_fields){0};
	return false;
}

void rg_fields_name_test(rg_name_fields *fields, const char *job)
{
	const rg_field_value whole = {job, strlen(job)};
	fields->fields[RG_FIELD_JOB] = whole;
	if (!fields->fields[RG_FIELD_TEST].start)
		fields->fields[RG_FIELD_TEST] = whole;
}

char *rg_name_glob(const rg_name_pattern *pattern, const char *file)
{
	rg_buf text = rg_buf_of(RG_BUF_ANY);
	for (size_t i = 0; i < pattern->count; i++) {
		const part *p = &pattern->parts[i];
		if (p->is_field)
			rg_buf_str(&text, p->field == RG_FIELD_FILE   ? file
					  : p->field == RG_FIELD_PATH ? "**"
								      : "*");
		for (size_t k = 0; !p->is_field && k < p->length; k++) {
			if (strchr("*?[]\\!", p->text[k]))
				rg_buf_char(&text, '\\');
			rg_buf_char(&text, p->text[k]);
		}
	}
	return rg_buf_detach(&text);
}

rg_error *rg_name_expand(char **out, const rg_name_pattern *pattern, const rg_name_fields *fields)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	*out = NULL;
	for (size_t i = 0; i < pattern->count; i++) {
		const part *p = &pattern->parts[i];
		const rg_field_value *value = &fields->fields[p->field];

		if (p->is_field && !value->start)
			return rg_error_new(RG_E_UNSAFE,
					    "its {%s}, which the target needs, is not known",
					    field_names[p->field]);
		rg_buf_add(&text, p->is_field ? value->start : p->text,
			   p->is_field ? value->length : p->length);
	}
	*out = rg_buf_detach(&text);
	return NULL;
}

char *rg_name_fold(rg_arena *arena, const char *text, size_t length)
{
	char *copy = rg_arena_copy(arena, text, length);
	for (char *p = copy; p && *p; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
		else if (strchr("\":<>|*?\\/\r\n", *p))
			*p = '-';
	}
	return copy;
}
