#include "compare/exact.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { EXCERPT = 24 };

static bool continues_character(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Up to EXCERPT bytes of a text from `at` on, beginning and ending between characters. */
static const char *text_excerpt(rg_arena *arena, const rg_metric *metric, size_t at)
{
	size_t end;

	while (at > 0 && at < metric->count && continues_character(metric->text[at]))
		at--;
	end = metric->count - at > EXCERPT ? at + EXCERPT : metric->count;
	while (end > at && end < metric->count && continues_character(metric->text[end]))
		end--;
	return rg_arena_copy(arena, metric->text + at, end - at);
}

static const char *token_excerpt(rg_arena *arena, const rg_metric *metric, size_t at)
{
	char text[24] = "";

	if (at < metric->count)
		snprintf(text, sizeof(text), "%" PRId64, metric->tokens[at]);
	return rg_arena_copy(arena, text, strlen(text));
}

static const char *kind_excerpt(const rg_metric *metric)
{
	switch (metric->kind) {
	case RG_METRIC_TEXT:
		return "a text";
	case RG_METRIC_TOKENS:
		return "tokens";
	case RG_METRIC_SERIES:
		break;
	}
	return "a series";
}

static size_t first_text_difference(const rg_metric *old, const rg_metric *new, size_t shorter)
{
	size_t i = 0;

	while (i < shorter && old->text[i] == new->text[i])
		i++;
	return i;
}

static size_t first_token_difference(const rg_metric *old, const rg_metric *new, size_t shorter)
{
	size_t i = 0;

	while (i < shorter && old->tokens[i] == new->tokens[i])
		i++;
	return i;
}

rg_error *rg_compare_exact(rg_row *row, rg_arena *arena, const rg_metric *old, const rg_metric *new)
{
	size_t shorter = old->count < new->count ? old->count : new->count, at;
	bool texts = old->kind == RG_METRIC_TEXT;

	if (old->kind != new->kind) {
		row->old_excerpt = kind_excerpt(old);
		row->new_excerpt = kind_excerpt(new);
		return NULL;
	}
	at = texts ? first_text_difference(old, new, shorter)
		   : first_token_difference(old, new, shorter);
	row->identical = at == shorter && old->count == new->count;
	if (row->identical)
		return NULL;
	row->first_diff_known = true;
	row->first_diff = (int64_t)at;
	/* Words say more than what is left of them behind the letters that they share. */
	if (texts && old->count <= EXCERPT && new->count <= EXCERPT)
		at = 0;
	row->old_excerpt = texts ? text_excerpt(arena, old, at) : token_excerpt(arena, old, at);
	row->new_excerpt = texts ? text_excerpt(arena, new, at) : token_excerpt(arena, new, at);
	return row->old_excerpt && row->new_excerpt ? NULL : rg_error_nomem();
}
