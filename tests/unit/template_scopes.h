/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UNIT_TEMPLATE_SCOPES_H
#define REGILD_UNIT_TEMPLATE_SCOPES_H

/*
 * A name that an item of a list lacks is looked for outside of it, as Mustache has it: a template
 * would print what is said of the whole as if it were said of the item. Each section of a template
 * over a list or an object of the data is rendered with an item that lacks each optional field,
 * once where the scopes around it have one of that name and once where none has. Both must say the
 * same.
 */
#include "unit/unit.h"

#include "report/mustache.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* May an item lack it? */
typedef bool optional_fn(const cJSON *item, const char *field);

typedef struct {
	const char *name; /* the template's */
	rg_token_list tokens;
	optional_fn *optional;
	const cJSON *scopes[RG_TEMPLATE_DEPTH + 1];
	size_t depth;
	size_t checked; /* sections, each with each of its item's optional fields */
	char fault[256];
} scope_walk;

static inline void write_as_it_is(rg_buf *out, const char *text, size_t length)
{
	rg_buf_add(out, text, length);
}

static inline rg_error *write_table(rg_buf *out, const char *lines, size_t length,
				    const rg_table_style *table_style)
{
	(void)table_style;
	rg_buf_add(out, lines, length);
	return NULL;
}

static inline const cJSON *find_in_scopes(const scope_walk *w, const rg_token *tag)
{
	const char *name = tag->text, *end = name + tag->length;
	const cJSON *value = NULL;
	char part[64];
	size_t i = w->depth;

	while (name <= end) {
		const char *dot = memchr(name, '.', (size_t)(end - name));

		snprintf(part, sizeof(part), "%.*s", (int)((dot ? dot : end) - name), name);
		if (name == tag->text)
			while (i-- && !value)
				value = cJSON_GetObjectItemCaseSensitive(w->scopes[i], part);
		else
			value = cJSON_GetObjectItemCaseSensitive(value, part);
		if (!value || !dot)
			break;
		name = dot + 1;
	}
	return value;
}

/* The section's body inside of all its scopes, of which the innermost lacks the field, and the
 * others too where `nowhere`. */
static inline char *render_without(const scope_walk *w, const rg_token *from, const rg_token *to,
				   const char *field, bool nowhere)
{
	const rg_mustache_style style = {.escape = write_as_it_is,
					 .code = write_as_it_is,
					 .html_code = write_as_it_is,
					 .table = write_table};
	const rg_mustache_limits limits = RG_MUSTACHE_ITEMS(SIZE_MAX);
	const char *body = strstr(from->text, "}}") + 2, *end = to->text;
	cJSON *view = cJSON_Duplicate(w->scopes[0], true), *at = view;
	char key[32];
	rg_buf text, out;
	size_t i;

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_init(&out, 1 << 24);
	while (strncmp(end, "{{", 2) != 0)
		end--;
	for (i = 1; i < w->depth; i++) {
		cJSON *inner = cJSON_Duplicate(w->scopes[i], true);

		if (nowhere)
			cJSON_DeleteItemFromObjectCaseSensitive(at, field);
		snprintf(key, sizeof(key), "scope-%zu", i);
		cJSON_AddItemToObject(at, key, inner);
		rg_buf_printf(&text, "{{#%s}}", key);
		at = inner;
	}
	cJSON_DeleteItemFromObjectCaseSensitive(at, field);
	rg_buf_add(&text, body, (size_t)(end - body));
	while (--i)
		rg_buf_printf(&text, "{{/scope-%zu}}", i);
	assert_success(rg_mustache_render(&out, text.data, view, &style, &limits));
	rg_buf_release(&text);
	cJSON_Delete(view);
	return rg_buf_detach(&out);
}

static inline void check_section(scope_walk *w, const rg_token *from, const rg_token *to)
{
	const cJSON *item = w->scopes[w->depth - 1], *field;

	cJSON_ArrayForEach(field, item)
	{
		char *with, *without;

		if (!w->optional(item, field->string))
			continue;
		with = render_without(w, from, to, field->string, false);
		without = render_without(w, from, to, field->string, true);
		if (strcmp(with ? with : "", without ? without : "") != 0)
			snprintf(w->fault, sizeof(w->fault),
				 "%s, line %zu: without '%s', an item of '%.*s' shows that of what "
				 "it is in",
				 w->name, from->line, field->string, (int)from->length, from->text);
		w->checked++;
		free(without);
		free(with);
	}
}

static inline void walk_tokens(scope_walk *w, size_t from, size_t to)
{
	size_t i;

	for (i = from; i < to; i++) {
		const rg_token *t = &w->tokens.items[i];
		const cJSON *value;

		if (t->kind != RG_TOKEN_SECTION && t->kind != RG_TOKEN_INVERTED)
			continue;
		value = t->kind == RG_TOKEN_SECTION ? find_in_scopes(w, t) : NULL;
		if (cJSON_IsArray(value))
			value = value->child;
		if (cJSON_IsObject(value)) {
			w->scopes[w->depth++] = value;
			check_section(w, t, &w->tokens.items[t->end]);
			walk_tokens(w, i + 1, t->end);
			w->depth--;
		} else {
			walk_tokens(w, i + 1, t->end);
		}
		i = t->end;
	}
}

/* How many fields were left out; w->fault says what is wrong, or is "". */
static inline size_t walk_scopes(scope_walk *w, const char *name, const char *text,
				 const cJSON *view, optional_fn *optional)
{
	*w = (scope_walk){.name = name, .optional = optional, .scopes = {view}, .depth = 1};
	assert_success(rg_tokens_parse(&w->tokens, text));
	walk_tokens(w, 0, w->tokens.count);
	rg_token_list_release(&w->tokens);
	return w->checked;
}

#endif
