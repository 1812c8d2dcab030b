/* SPDX-License-Identifier: Apache-2.0 */
#include "report/mustache_parse.h"

#include "base/memory.h"
#include "base/templates.h"

#include <stdlib.h>
#include <string.h>

static size_t count_lines(const char *from, const char *to)
{
	size_t count = 0;
	for (; from < to; from++)
		count += *from == '\n';
	return count;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* What is between the braces: the kind of the tag, and its name. */
static rg_token_kind read_kind(const char **name, size_t *length, bool triple)
{
	rg_token_kind kind = triple ? RG_TOKEN_RAW : RG_TOKEN_VALUE;
	if (!triple && *length) {
		switch (**name) {
		case '#':
			kind = RG_TOKEN_SECTION;
			break;
		case '^':
			kind = RG_TOKEN_INVERTED;
			break;
		case '/':
			kind = RG_TOKEN_END;
			break;
		case '&':
			kind = RG_TOKEN_RAW;
			break;
		case '!':
			kind = RG_TOKEN_COMMENT;
			break;
		case '>':
			kind = RG_TOKEN_PARTIAL;
			break;
		default:
			break;
		}
		if (kind != RG_TOKEN_VALUE) {
			++*name;
			--*length;
		}
	}
	while (*length && is_blank(**name)) {
		++*name;
		--*length;
	}
	while (*length && is_blank((*name)[*length - 1]))
		--*length;
	return kind;
}

bool rg_token_is_called(const char *name, size_t length, const char *wanted)
{
	return strlen(wanted) == length && !memcmp(name, wanted, length);
}

static bool is_name(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-",
			    name[i]))
			return false;
	return length > 0;
}

static void push(rg_token_list *list, const rg_token *item)
{
	rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(rg_token));
	list->items[list->count++] = *item;
}

static void push_text(rg_token_list *list, const char *text, size_t length, size_t line)
{
	const rg_token item = {.kind = RG_TOKEN_TEXT, .text = text, .length = length, .line = line};
	if (length)
		push(list, &item);
}

/* Splits "NAME|FILTER". False: that is not what follows the name. */
static bool take_filter(rg_token *tag)
{
	static const char plural[] = "plural:", shift[] = "shift", percent[] = "percent",
			  exact[] = "exact";
	const char *bar = memchr(tag->text, '|', tag->length);

	if (!bar)
		return true;
	if (tag->kind != RG_TOKEN_VALUE && tag->kind != RG_TOKEN_RAW)
		return false;
	const char *filter = bar + 1;
	size_t length = tag->length - (size_t)(filter - tag->text);
	tag->length = (size_t)(bar - tag->text);
	tag->filter = rg_token_is_called(filter, length, shift)     ? RG_FILTER_SHIFT
		      : rg_token_is_called(filter, length, percent) ? RG_FILTER_PERCENT
		      : rg_token_is_called(filter, length, exact)   ? RG_FILTER_EXACT
								    : RG_FILTER_PLURAL;
	if (tag->filter != RG_FILTER_PLURAL)
		return true;
	if (length < strlen(plural) || memcmp(filter, plural, strlen(plural)) != 0)
		return false;
	tag->forms = filter + strlen(plural);
	tag->forms_length = length - strlen(plural);
	return memchr(tag->forms, ',', tag->forms_length) != NULL;
}

static rg_error *push_tag(rg_token_list *list, rg_token_kind kind, const char *text, size_t length,
			  size_t line)
{
	rg_token tag = {.kind = kind, .text = text, .length = length, .line = line};
	if (take_filter(&tag) && is_name(tag.text, tag.length)) {
		push(list, &tag);
		return NULL;
	}
	return rg_error_new(RG_E_USAGE, "line %zu: '%.*s' is not a name", line,
			    length < 60 ? (int)length : 60, text);
}

/* Keeps account of which section is closed by which tag; the first `outside` of those that are open
 * are not this text's to close. */
static rg_error *nest(rg_token_list *list, size_t outside)
{
	size_t place = list->count - 1;
	const rg_token *tag = &list->items[place];
	size_t line = tag->line;

	if (tag->kind == RG_TOKEN_SECTION || tag->kind == RG_TOKEN_INVERTED) {
		if (list->depth == RG_TEMPLATE_DEPTH)
			return rg_error_new(RG_E_LIMIT, "line %zu: sections nested deeper than %d",
					    line, RG_TEMPLATE_DEPTH);
		list->open[list->depth++] = place;
	}
	if (tag->kind != RG_TOKEN_END)
		return NULL;
	if (list->depth == outside)
		return rg_error_new(RG_E_USAGE, "line %zu: '{{/%.*s}}' closes nothing", line,
				    (int)tag->length, tag->text);
	rg_token *section = &list->items[list->open[--list->depth]];
	if (section->length != tag->length || memcmp(section->text, tag->text, tag->length) != 0)
		return rg_error_new(RG_E_USAGE, "line %zu: '{{/%.*s}}' closes '{{#%.*s}}'", line,
				    (int)tag->length, tag->text, (int)section->length,
				    section->text);
	section->end = place;
	return NULL;
}

/* A tag that is alone on its line takes the line with it: moves *before back over the blanks in
 * front and returns where to go on. */
static const char *stand_alone(const char *start, const char **before, const char *after)
{
	const char *left = *before, *right = after;
	while (left > start && is_blank(left[-1]))
		left--;
	while (is_blank(*right))
		right++;
	if (*right == '\r' && right[1] == '\n')
		right++;
	if ((left > start && left[-1] != '\n') || (*right && *right != '\n'))
		return after;
	*before = left;
	return *right ? right + 1 : right;
}

static rg_error *parse(rg_token_list *list, const char *start, size_t partials);

/* A built-in text in the place of its tag. */
static rg_error *include(rg_token_list *list, const char *name, size_t length, size_t line,
			 size_t partials)
{
	const struct rg_template *t = rg_templates;
	while (t->name && !rg_token_is_called(name, length, t->name))
		t++;
	if (!t->name)
		return rg_error_new(RG_E_USAGE, "line %zu: there is no partial '%.*s'", line,
				    length < 60 ? (int)length : 60, name);
	if (partials == RG_TEMPLATE_PARTIALS)
		return rg_error_new(RG_E_LIMIT, "line %zu: partials nested deeper than %d", line,
				    RG_TEMPLATE_PARTIALS);
	return rg_error_wrap(parse(list, t->text, partials + 1), "%s", t->name);
}

/* What is inside of a tag that is no comment. */
static rg_error *add_tag(rg_token_list *list, rg_token_kind kind, const char *name, size_t length,
			 size_t line, size_t outside)
{
	RG_TRY(push_tag(list, kind, name, length, line));
	return nest(list, outside);
}

/* `partials`: how many texts this one is included by. */
static rg_error *parse(rg_token_list *list, const char *start, size_t partials)
{
	const char *p = start, *counted = start, *open;
	size_t line = 1, outside = list->depth;

	while ((open = strstr(p, "{{")) != NULL) {
		bool triple = open[2] == '{';
		const char *name = open + (triple ? 3 : 2), *before = open;
		const char *close = strstr(name, triple ? "}}}" : "}}");

		line += count_lines(counted, open);
		counted = open;
		if (!close)
			return rg_error_new(RG_E_USAGE, "line %zu: a tag without its '}}'", line);
		size_t length = (size_t)(close - name);
		close += triple ? 3 : 2;
		rg_token_kind kind = read_kind(&name, &length, triple);
		if (kind >= RG_TOKEN_SECTION)
			close = stand_alone(start, &before, close);
		push_text(list, p, before > p ? (size_t)(before - p) : 0, line);
		if (kind == RG_TOKEN_PARTIAL)
			RG_TRY(include(list, name, length, line, partials));
		else if (kind != RG_TOKEN_COMMENT)
			RG_TRY(add_tag(list, kind, name, length, line, outside));
		p = close;
	}
	if (list->depth > outside) {
		const rg_token *section = &list->items[list->open[list->depth - 1]];
		return rg_error_new(RG_E_USAGE, "line %zu: '{{#%.*s}}' is never closed",
				    section->line, (int)section->length, section->text);
	}
	push_text(list, p, strlen(p), line);
	return NULL;
}

rg_error *rg_tokens_parse(rg_token_list *list, const char *text)
{
	return parse(list, text, 0);
}

void rg_tokens_release(rg_token_list *list)
{
	free(list->items);
}
