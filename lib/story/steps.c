/* SPDX-License-Identifier: Apache-2.0 */
#include "story/parts.h"

#include "base/memory.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* Names of steps or records that are kept, and read. */
enum { STEPS_KEPT = 24, STEPS_READ = 4096 };

typedef struct {
	const char *text;
	size_t length;
} word;

RG_ORDER(by_step, word,
	 RG_BY(strtoll(x->text, NULL, 10), strtoll(y->text, NULL, 10)) ||
		 RG_THEN(strncmp(x->text, y->text,
				 x->length < y->length ? x->length : y->length)) ||
		 RG_RISING(length));

/* A range of steps, "1..95", or one step. False: the word is no such thing. */
static bool read_range(const word *one, long long *first, long long *last)
{
	char *end;
	*first = *last = strtoll(one->text, &end, 10);
	if (end == one->text)
		return false;
	if (!strncmp(end, "..", 2))
		*last = strtoll(end + 2, &end, 10);
	return end == one->text + one->length;
}

/* Sorted words; those of steps that others have, too, go into one. */
static void append_words(rg_buf *out, const word *words, size_t count, bool by_record)
{
	size_t kept = 0, n;
	for (size_t i = 0; i < count; i += n) {
		long long first = 0, last = 0, next = 0, end = 0;
		bool is_range = !by_record && read_range(&words[i], &first, &last);
		bool same = true;

		for (n = 1; i + n < count; n++) {
			const bool repeats = !by_step(&words[i], &words[i + n]);
			if (!repeats &&
			    !(is_range && read_range(&words[i + n], &next, &end) && next <= last))
				break;
			same &= repeats;
			last = is_range && !repeats && end > last ? end : last;
		}
		if (++kept > STEPS_KEPT) {
			rg_buf_str(out, ", …");
			return;
		}
		rg_buf_str(out, out->length ? ", " : "");
		if (same)
			rg_buf_add(out, words[i].text, words[i].length);
		else
			rg_buf_printf(out, "%lld..%lld", first, last);
	}
}

void rg_story_join_steps(rg_buf *out, const char *const *texts, size_t count, bool by_record)
{
	RG_AUTO_FREE word *words = NULL;
	size_t found = 0, capacity = 0;

	for (size_t i = 0; i < count; i++)
		for (const char *at = texts[i]; at && *at && found < STEPS_READ;) {
			const char *end = strstr(at, ", ");
			const size_t length = end ? (size_t)(end - at) : strlen(at);
			*RG_PUSH(words, found, capacity) = (word){at, length};
			at = end ? end + 2 : NULL;
		}
	if (found && !by_record)
		qsort(words, found, sizeof(*words), by_step);
	append_words(out, words, found, by_record);
}
