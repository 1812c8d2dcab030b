/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/heeded.h"

#include "base/cancel.h"
#include "base/memory.h"
#include "base/pattern.h"
#include "config/config.h"
#include "golden/text.h"
#include "place/place.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	const char *pattern;
	unsigned asked, found;
} answer;

struct rg_heeded {
	const rg_flow *flow;
	rg_golden_options options; /* that refuse nothing */
	pthread_mutex_t lock;
	answer *answers;
	size_t count, capacity;
};

static unsigned take_all(void *context, const char *pattern, unsigned settings)
{
	(void)context;
	(void)pattern;
	return settings;
}

/* The settings of the section that the golden heeds, if the section is its own. */
static unsigned heeds(const rg_golden_options *options, const rg_input *in, const char *pattern)
{
	RG_AUTO_PTR(rg_golden) golden = NULL;
	RG_AUTO_PTR(rg_error) err = rg_golden_read(&golden, in, options);
	if (err)
		return 0;
	const rg_table_rule *table = golden->table_rule;
	const rg_text_rule *text = golden->text_rule;
	unsigned found = golden->heeded & RG_SET_TENSOR;
	if (table && !strcmp(table->pattern, pattern))
		found |= golden->heeded & RG_SET_TABLE;
	if (text && !strcmp(text->pattern, pattern))
		found |= golden->heeded & RG_SET_TEXT;
	return found;
}

static rg_error *ask(const rg_heeded *h, answer *a)
{
	const rg_change_query query = {.base = RG_EMPTY_TREE,
				       .root = rg_config_get(h->flow->config, "regild.root"),
				       .files = rg_config_get(h->flow->config, "regild.files")};
	RG_AUTO_PTR(rg_worktree) worktree = NULL;
	RG_AUTO(rg_place) place;
	size_t max;

	rg_place_init(&place);
	RG_TRY(rg_worktree_open_again(&worktree, h->flow->worktree));
	RG_TRY(rg_place_list_git(&place, worktree, &query, NULL, 0));
	RG_TRY(rg_config_golden_max(h->flow->config, &max));
	RG_AUTO(rg_place_reader) reader = {0};
	rg_place_reader_init(&reader, &worktree, max);
	reader.place = &place;
	for (size_t i = 0; i < place.count && a->asked & ~a->found; i++) {
		rg_input in;
		if (!rg_glob_match_end(a->pattern, place.items[i].path))
			continue;
		RG_AUTO_PTR(rg_error) unread = rg_place_read(&reader, &place.items[i], &in);
		if (!unread)
			a->found |= heeds(&h->options, &in, a->pattern);
		RG_TRY(rg_cancel_check());
	}
	return NULL;
}

/* Goldens that cannot be asked heed nothing. */
static unsigned heeded_elsewhere(void *context, const char *pattern, unsigned settings)
{
	rg_heeded *h = context;
	size_t i = 0;

	pthread_mutex_lock(&h->lock);
	while (i < h->count &&
	       (strcmp(h->answers[i].pattern, pattern) != 0 || settings & ~h->answers[i].asked))
		i++;
	if (i == h->count) {
		answer *a = RG_PUSH(h->answers, h->count, h->capacity);
		*a = (answer){pattern, settings, 0};
		rg_error_free(ask(h, a));
	}
	const unsigned found = h->answers[i].found & settings;
	pthread_mutex_unlock(&h->lock);
	return found;
}

rg_heeded *rg_heeded_new(const rg_flow *flow, rg_golden_options *options)
{
	if (!flow->worktree)
		return NULL;
	rg_heeded *h = rg_calloc(1, sizeof(*h));
	h->flow = flow;
	h->options = *options;
	h->options.heeded_elsewhere = take_all;
	pthread_mutex_init(&h->lock, NULL);
	options->heeded_elsewhere = heeded_elsewhere;
	options->heeded_context = h;
	return h;
}

void rg_heeded_free(rg_heeded *heeded)
{
	if (!heeded)
		return;
	pthread_mutex_destroy(&heeded->lock);
	free(heeded->answers);
	free(heeded);
}
