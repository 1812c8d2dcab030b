/* SPDX-License-Identifier: Apache-2.0 */
#include "source/name_pattern.h"

#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PARTS_MAX = 2 * RG_FIELD_COUNT + 1 };

static const char *const field_names[RG_FIELD_COUNT] = {
	"stage", "test", "tag", "run", "unique", "file", "repeat", "restart", "folder"};

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
};

static bool find_field(const char *name, size_t length, rg_field *out)
{
	size_t i;

	for (i = 0; i < RG_FIELD_COUNT; i++)
		if (strlen(field_names[i]) == length && !memcmp(field_names[i], name, length)) {
			*out = (rg_field)i;
			return true;
		}
	return false;
}

bool rg_name_pattern_has(const rg_name_pattern *pattern, rg_field field)
{
	size_t i;

	for (i = 0; i < pattern->count; i++)
		if (pattern->parts[i].is_field && pattern->parts[i].field == field)
			return true;
	return false;
}

static rg_error *refuse_field(const char *name, size_t length, unsigned allowed)
{
	char known[64] = "";
	size_t used = 0, i;

	for (i = 0; i < RG_FIELD_COUNT && used < sizeof(known); i++)
		if (allowed & 1u << i)
			used += (size_t)snprintf(known + used, sizeof(known) - used, "%s{%s}",
						 used ? ", " : "", field_names[i]);
	return rg_error_new(RG_E_USAGE, "{%.*s} is not one of its fields: %s", (int)length, name,
			    known);
}

static rg_error *add_field(rg_name_pattern *pattern, const char *name, size_t length,
			   unsigned allowed)
{
	rg_field field;

	if (!find_field(name, length, &field) || !(allowed & 1u << field))
		return refuse_field(name, length, allowed);
	if (rg_name_pattern_has(pattern, field))
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

	while (*p) {
		size_t length = strcspn(p, "{");
		const char *end;

		/* Every field appears once, so that the parts cannot be more than PARTS_MAX. */
		if (length)
			pattern->parts[pattern->count++] = (part){.text = p, .length = length};
		p += length;
		if (!*p)
			break;
		end = strchr(p, '}');
		if (!end)
			return rg_error_new(RG_E_USAGE, "a '{' without '}'");
		RG_TRY(add_field(pattern, p + 1, (size_t)(end - p - 1), allowed));
		p = end + 1;
	}
	if (allowed & RG_FIELDS_OPTIONAL)
		return NULL;
	if (allowed & 1u << RG_FIELD_FILE) {
		/* A target, or a member's path: they may name it in full, whatever the test. */
		if (!rg_name_pattern_has(pattern, RG_FIELD_FILE))
			return rg_error_new(RG_E_USAGE, "{file} is missing");
	} else if (!rg_name_pattern_has(pattern, RG_FIELD_TEST)) {
		return rg_error_new(RG_E_USAGE, "{test} is missing");
	}
	return NULL;
}

rg_error *rg_name_pattern_new(rg_name_pattern **out, const char *pattern, unsigned allowed,
			      const char *key)
{
	rg_name_pattern *made = calloc(1, sizeof(*made));
	rg_error *err;

	*out = NULL;
	if (!made)
		return rg_error_nomem();
	err = rg_strdup(&made->text, pattern);
	if (!err)
		err = rg_error_wrap(compile(made, allowed), "%s '%s'", key, pattern);
	if (err)
		rg_name_pattern_free(made);
	else
		*out = made;
	return err;
}

void rg_name_pattern_free(rg_name_pattern *pattern)
{
	if (!pattern)
		return;
	free(pattern->text);
	free(pattern);
}

/* Does it stand for one part of a path? */
static bool is_one_part(rg_field field)
{
	return field == RG_FIELD_STAGE || field == RG_FIELD_REPEAT || field == RG_FIELD_RESTART ||
	       field == RG_FIELD_FOLDER;
}

static bool field_allows(rg_field field, const char *start, size_t length,
			 const rg_name_fields *fixed)
{
	const rg_field_value *wanted = fixed ? &fixed->fields[field] : NULL;

	if (!length || *start == ' ' || start[length - 1] == ' ')
		return false;
	if (is_one_part(field) && memchr(start, '/', length))
		return false;
	return !wanted || !wanted->start ||
	       (wanted->length == length && !strncasecmp(wanted->start, start, length));
}

/* The shortest extent that a field can have in what is left of a name: the last one takes all of
 * it, a fixed one what its text has. *most is the longest, and under the shortest where there is
 * none. */
static size_t least_extent(const part *field, bool is_last, size_t length,
			   const rg_name_fields *fixed, size_t *most)
{
	const rg_field_value *wanted = fixed ? &fixed->fields[field->field] : NULL;
	size_t least = is_last ? length : 1;

	*most = length;
	if (!wanted || !wanted->start)
		return least;
	*most = wanted->length < length ? wanted->length : length;
	return wanted->length > least ? wanted->length : least;
}

/*
 * Matches parts[0 … count - 1] against the whole of `text`. Each field is tried from its longest
 * extent down; patterns have few of them, and literals between them cut the search short.
 */
static bool match_parts(const part *parts, size_t count, const char *text, size_t length,
			const rg_name_fields *fixed, rg_name_fields *out)
{
	size_t taken, least;

	if (!count)
		return length == 0;
	if (!parts->is_field)
		return parts->length <= length && !strncasecmp(parts->text, text, parts->length) &&
		       match_parts(parts + 1, count - 1, text + parts->length,
				   length - parts->length, fixed, out);
	for (least = least_extent(parts, count == 1, length, fixed, &taken);
	     taken && taken >= least; taken--) {
		if (!field_allows(parts->field, text, taken, fixed) ||
		    !match_parts(parts + 1, count - 1, text + taken, length - taken, fixed, out))
			continue;
		out->fields[parts->field] = (rg_field_value){text, taken};
		return true;
	}
	return false;
}

bool rg_name_match(const rg_name_pattern *pattern, const char *name, const rg_name_fields *fixed,
		   rg_name_fields *out)
{
	const part *last = &pattern->parts[pattern->count - 1];
	size_t length = strlen(name);

	*out = (rg_name_fields){0};
	if (match_parts(pattern->parts, pattern->count, name, length, fixed, out))
		return true;
	if (pattern->count < 3 || !last->is_field || last->field != RG_FIELD_TAG)
		return false;
	*out = (rg_name_fields){0};
	return match_parts(pattern->parts, pattern->count - 2, name, length, fixed, out);
}

rg_error *rg_name_glob(char **out, const rg_name_pattern *pattern, const char *file)
{
	rg_error *err;
	rg_buf text;
	size_t i, k;

	*out = NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	for (i = 0; i < pattern->count; i++) {
		const part *p = &pattern->parts[i];

		if (p->is_field)
			rg_buf_str(&text, p->field == RG_FIELD_FILE ? file : "*");
		for (k = 0; !p->is_field && k < p->length; k++) {
			if (strchr("*?[]\\!", p->text[k]))
				rg_buf_char(&text, '\\');
			rg_buf_char(&text, p->text[k]);
		}
	}
	err = rg_buf_check(&text, "a glob");
	if (!err && !(*out = rg_buf_detach(&text)))
		err = rg_error_nomem();
	rg_buf_release(&text);
	return err;
}

rg_error *rg_name_expand(char **out, const rg_name_pattern *pattern, const rg_name_fields *fields)
{
	rg_error *err;
	rg_buf text;
	size_t i;

	*out = NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	for (i = 0; i < pattern->count; i++) {
		const part *p = &pattern->parts[i];

		if (!p->is_field)
			rg_buf_add(&text, p->text, p->length);
		else
			rg_buf_add(&text, fields->fields[p->field].start,
				   fields->fields[p->field].length);
	}
	err = rg_buf_check(&text, "a target's path");
	if (!err && !(*out = rg_buf_detach(&text)))
		err = rg_error_nomem();
	rg_buf_release(&text);
	return err;
}

char *rg_name_fold(rg_arena *arena, const char *text, size_t length)
{
	char *copy = rg_arena_copy(arena, text, length), *p;

	for (p = copy; p && *p; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
		else if (strchr("\":<>|*?\\/\r\n", *p))
			*p = '-';
	}
	return copy;
}
