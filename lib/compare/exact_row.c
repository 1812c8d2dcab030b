/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/exact_row.h"

#include "compare/record_texts.h"
#include "compare/text_align.h"
#include "golden/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes of an excerpt: of any text, and of a status, which is a few words. */
enum { EXCERPT = 24, WORDS = 64 };

static bool continues_character(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Up to `most` bytes of a text from `at` on, beginning and ending between characters. */
static const char *text_excerpt(rg_arena *arena, const rg_metric *metric, size_t at, size_t most)
{
	while (at > 0 && at < metric->count && continues_character(metric->text[at]))
		at--;
	size_t end = metric->count - at > most ? at + most : metric->count;
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
	case RG_METRIC_TEXTS:
		return "texts by record";
	case RG_METRIC_UNREADABLE:
		return metric->unreadable;
	case RG_METRIC_SERIES:
	case RG_METRIC_OPAQUE: /* has a row of its own */
		break;
	}
	return metric->records ? "numbers by record" : "a series";
}

/* The first byte or token that differs; the shorter one's length where one begins the other. */
static size_t first_difference(const rg_metric *old, const rg_metric *fresh)
{
	size_t shorter = old->count < fresh->count ? old->count : fresh->count, i = 0;
	if (old->kind != RG_METRIC_TOKENS)
		while (i < shorter && old->text[i] == fresh->text[i])
			i++;
	else
		while (i < shorter && old->tokens[i] == fresh->tokens[i])
			i++;
	return i;
}

static const char *type_excerpt(rg_arena *arena, const rg_tensor *tensor)
{
	char text[RG_TENSOR_TYPE_TEXT];
	rg_tensor_type_text(tensor, text);
	return rg_arena_text(arena, text);
}

static const char *value_excerpt(rg_arena *arena, const rg_tensor *tensor, size_t at)
{
	char text[RG_DOUBLE_REPR_SIZE];
	rg_tensor_element_text(tensor, at, text);
	return rg_arena_text(arena, text);
}

bool rg_are_comparable(const rg_metric *old, const rg_metric *fresh)
{
	if (old->kind != RG_METRIC_SERIES || fresh->kind != RG_METRIC_SERIES)
		return false;
	/* Steps of two tables that were not aligned are not the same records. */
	if (old->records != fresh->records)
		return false;
	return !old->tensor || !fresh->tensor || rg_tensor_same_shape(old->tensor, fresh->tensor);
}

rg_error *rg_exact_row_fill(rg_row *row, rg_arena *arena, const rg_metric *old,
			    const rg_metric *fresh)
{
	const size_t most = old->scale ? WORDS : EXCERPT;
	bool texts = old->kind == RG_METRIC_TEXT;

	if (old->kind != fresh->kind || old->records != fresh->records) {
		row->old_excerpt = rg_arena_text(arena, kind_excerpt(old));
		row->new_excerpt = rg_arena_text(arena, kind_excerpt(fresh));
		return NULL;
	}
	if (rg_is_text_metric(old) && rg_is_text_metric(fresh))
		return rg_text_row_fill(row, arena, old, fresh);
	if (old->kind == RG_METRIC_TEXTS)
		return rg_record_texts_compare(row, arena, old, fresh);
	if (old->kind == RG_METRIC_SERIES) {
		row->old_excerpt = type_excerpt(arena, old->tensor);
		row->new_excerpt = type_excerpt(arena, fresh->tensor);
		return NULL;
	}
	size_t at = first_difference(old, fresh);
	row->identical = at == old->count && at == fresh->count;
	if (row->identical)
		return NULL;
	row->first_diff_known = true;
	row->first_diff = (int64_t)at;
	if (old->kind == RG_METRIC_UNREADABLE) {
		row->old_excerpt = rg_arena_text(arena, old->unreadable);
		row->new_excerpt = rg_arena_text(arena, fresh->unreadable);
		return NULL;
	}
	/* Words say more than what is left of them after the letters that they share. */
	if (texts && old->count <= most && fresh->count <= most)
		at = 0;
	row->old_excerpt = texts ? text_excerpt(arena, old, at, most)
				 : token_excerpt(arena, old, at);
	row->new_excerpt = texts ? text_excerpt(arena, fresh, at, most)
				 : token_excerpt(arena, fresh, at);
	return NULL;
}

void rg_exact_row_of_tensors(rg_row *row, rg_arena *arena, const rg_metric *old,
			     const rg_metric *fresh)
{
	size_t at = (size_t)row->first_diff;
	row->kind = RG_ROW_EXACT;
	row->old_excerpt = value_excerpt(arena, old->tensor, at);
	row->new_excerpt = value_excerpt(arena, fresh->tensor, at);
}
