/* SPDX-License-Identifier: Apache-2.0 */
#include "update/splice.h"

#include "base/json.h"

#include <string.h>

/* A stretch of bytes. */
typedef struct {
	const char *p, *end;
} span;

/* One member of an object, and where it is. */
typedef struct {
	span key;   /* with its quotes */
	span value; /* without blanks around it */
} member;

/* All that is needed to put a value into an object. */
typedef struct {
	span body;         /* the object, braces included */
	size_t count;      /* members */
	span separator;    /* between the first two members: comma and blanks */
	const char *after; /* after the last member's value, or after the brace */
} shape;

static const char *skip_blanks(span s)
{
	while (s.p < s.end && (*s.p == ' ' || *s.p == '\t' || *s.p == '\r' || *s.p == '\n'))
		s.p++;
	return s.p;
}

static rg_error *broken(void)
{
	return rg_error_new(RG_E_PARSE, "not a JSON object that a metric can be put into");
}

/* The place after the closing quote of the string that starts at s.p; NULL where it never ends. */
static const char *skip_string(span s)
{
	for (s.p++; s.p < s.end; s.p++) {
		if (*s.p == '"')
			return s.p + 1;
		if (*s.p == '\\')
			s.p++;
	}
	return NULL;
}

/* The place after the value that starts at s.p; NULL where it is broken. */
static const char *skip_value(span s)
{
	int depth = 0;
	do {
		s.p = skip_blanks(s);
		if (s.p == s.end)
			return NULL;
		if (*s.p == '"') {
			s.p = skip_string(s);
			if (!s.p)
				return NULL;
		} else if (*s.p == '{' || *s.p == '[') {
			s.p++;
			if (++depth > RG_JSON_DEPTH_MAX)
				return NULL;
		} else if (*s.p == '}' || *s.p == ']') {
			s.p++;
			depth--;
		} else if (*s.p == ',' || *s.p == ':') {
			s.p++;
		} else if (!*s.p) {
			return NULL; /* no JSON has a NUL outside of its strings' escapes */
		} else {
			while (s.p < s.end && *s.p && !strchr(",:]}[{\" \t\r\n", *s.p))
				s.p++;
		}
	} while (depth > 0);
	return depth < 0 ? NULL : s.p;
}

/* Reads the member that starts at s->p and goes past it. */
static bool next_member(span *s, member *out)
{
	s->p = skip_blanks(*s);
	if (s->p == s->end || *s->p != '"')
		return false;
	out->key.p = s->p;
	out->key.end = skip_string(*s);
	if (!out->key.end)
		return false;
	s->p = out->key.end;
	s->p = skip_blanks(*s);
	if (s->p == s->end || *s->p++ != ':')
		return false;
	out->value.p = skip_blanks(*s);
	s->p = out->value.p;
	out->value.end = skip_value(*s);
	s->p = out->value.end;
	return s->p != NULL;
}

/* Does the key, unescaped, equal `name`, or begin it before a '/'? *rest is what follows. */
static rg_error *match_key(span key, const char *name, const char **rest, bool *out)
{
	RG_AUTO_PTR(cJSON) parsed = NULL;
	RG_TRY(rg_json_parse(&parsed, key.p, (size_t)(key.end - key.p)));
	const char *text = cJSON_GetStringValue(parsed);
	size_t length = text ? strlen(text) : 0;
	*out = text && !strncmp(name, text, length) && (!name[length] || name[length] == '/');
	*rest = *out ? name + length : NULL;
	return text ? NULL : broken();
}

/* Walks an object's members; `hit` is the last one that is the metric or leads to it. */
static rg_error *walk(span object, const char *metric, shape *out, member *hit, const char **rest)
{
	span s = {skip_blanks(object), object.end};
	const char *end_of_first = NULL, *begins;

	*out = (shape){.body.p = s.p};
	*rest = NULL;
	if (s.p == s.end || *s.p != '{')
		return broken();
	out->after = ++s.p;
	s.p = skip_blanks(s);
	while (s.p < s.end && *s.p != '}') {
		member m;
		bool matches;

		begins = skip_blanks(s);
		if (!next_member(&s, &m))
			return broken();
		if (++out->count == 1)
			end_of_first = m.value.end;
		else if (out->count == 2)
			out->separator = (span){end_of_first, begins};
		out->after = m.value.end;
		RG_TRY(match_key(m.key, metric, &begins, &matches));
		if (matches && (!*begins || *m.value.p == '{')) {
			*hit = m;
			*rest = begins;
		}
		s.p = skip_blanks(s);
		if (s.p < s.end && *s.p == ',')
			s.p++;
		s.p = skip_blanks(s);
	}
	if (s.p == s.end)
		return broken();
	out->body.end = s.p + 1;
	return NULL;
}

static void append_span(rg_buf *out, span s)
{
	rg_buf_add(out, s.p, (size_t)(s.end - s.p));
}

/* Writes `object` with the new member after its last one. */
static void write_object(rg_buf *out, const shape *object, const member *fresh)
{
	append_span(out, (span){object->body.p, object->after});
	if (object->count > 1)
		append_span(out, object->separator);
	else if (object->count)
		rg_buf_str(out, ", ");
	append_span(out, (span){fresh->key.p, fresh->value.end});
	append_span(out, (span){object->after, object->body.end});
}

/* Level by level: the objects that the metric's path leads through on both sides. */
static rg_error *splice_objects(rg_buf *out, span old, span fresh, const char *metric, bool *found)
{
	member there, here;
	const char *rest, *old_rest;
	shape new_shape, old_shape;

	RG_TRY(walk(fresh, metric, &new_shape, &there, &rest));
	if (!rest)
		return NULL;
	RG_TRY(walk(old, metric, &old_shape, &here, &old_rest));
	/* Two ways to read one path ("a/b" as a key, "b" in "a") must be the same way. */
	if (old_rest && strlen(old_rest) != strlen(rest))
		return NULL;
	if (!old_rest && *rest)
		return NULL; /* no such request in the old file */
	if (!old_rest) {
		*found = true;
		append_span(out, (span){old.p, old_shape.body.p});
		write_object(out, &old_shape, &there);
		append_span(out, (span){old_shape.body.end, old.end});
		return NULL;
	}
	append_span(out, (span){old.p, here.value.p});
	if (*rest) {
		RG_TRY(splice_objects(out, here.value, there.value, rest + 1, found));
	} else {
		*found = true;
		append_span(out, there.value);
	}
	append_span(out, (span){here.value.end, old.end});
	return NULL;
}

rg_error *rg_splice(rg_buf *out, const rg_buf *old, const rg_buf *fresh, const char *metric,
		    bool *found)
{
	span old_span = {old->data, old->data + old->length};
	span new_span = {fresh->data, fresh->data + fresh->length};

	*found = false;
	RG_TRY(splice_objects(out, old_span, new_span, metric, found));
	if (!*found)
		rg_buf_clear(out);
	return rg_buf_check(out, "spliced golden");
}
