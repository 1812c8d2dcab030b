/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/record_key.h"

#include "base/memory.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum { CELLS_TEXTS, CELLS_WHOLE, CELLS_OTHER } cells_kind;

static cells_kind kind_of(const rg_record_column *cells, size_t records)
{
	if (cells->text_count || !cells->count)
		return cells->count ? CELLS_OTHER : CELLS_TEXTS;
	bool whole = cells->count == records && !cells->unit && !cells->many_units;
	for (size_t i = 0; whole && i < cells->count; i++)
		whole = cells->values[i] == floor(cells->values[i]);
	return whole ? CELLS_WHOLE : CELLS_OTHER;
}

RG_ORDER(compare_hashes, uint64_t, RG_BY(*x, *y));

static size_t count_different(const uint64_t *hashes, uint64_t *room, size_t count)
{
	size_t different = count > 0;
	memcpy(room, hashes, count * sizeof(*room));
	qsort(room, count, sizeof(*room), compare_hashes);
	for (size_t i = 1; i < count; i++)
		different += room[i] != room[i - 1];
	return different;
}

/* Adds a column's cells to the hashes of the records. */
static void hash_cells(uint64_t *to, const uint64_t *from, const rg_record_column *cells,
		       size_t records)
{
	memcpy(to, from, records * sizeof(*to));
	for (size_t i = 0; i < cells->count; i++) {
		uint64_t *hash = &to[cells->steps ? cells->steps[i] : (int64_t)i];
		*hash = rg_hash_bytes(*hash, &cells->values[i], sizeof(double));
	}
	for (size_t i = 0; i < cells->text_count; i++) {
		uint64_t *hash = &to[cells->texts[i].step];
		*hash = rg_hash_bytes(*hash, cells->texts[i].text, strlen(cells->texts[i].text));
	}
}

static size_t find(size_t key[static RG_RECORD_KEY_MAX], const rg_key_column *columns, size_t count,
		   size_t records)
{
	RG_AUTO_FREE uint64_t *hashes = rg_malloc((3 * records + 1) * sizeof(*hashes));
	uint64_t *next = hashes + records, *room = next + records;
	size_t used = 0, different = 1, numbers = 0, texts = 0;

	for (size_t i = 0; i < records; i++)
		hashes[i] = RG_HASH_NONE;
	for (size_t i = 0; i < count; i++) {
		numbers += columns[i].cells->count > 0;
		texts += columns[i].cells->text_count > 0;
	}
	for (cells_kind kind = CELLS_TEXTS; kind < CELLS_OTHER; kind++) {
		bool in_front = true;
		for (size_t i = 0; i < count && used < RG_RECORD_KEY_MAX; i++) {
			const cells_kind own = kind_of(columns[i].cells, records);
			in_front &= own != CELLS_OTHER;
			if (different == records || own != kind ||
			    (kind && (!texts || numbers < 2)) ||
			    (!in_front && strncasecmp(columns[i].name, "param", 5) != 0))
				continue;
			hash_cells(next, hashes, columns[i].cells, records);
			const size_t more = count_different(next, room, records);
			if (more == different)
				continue;
			different = more;
			memcpy(hashes, next, records * sizeof(*hashes));
			numbers -= kind;
			key[used++] = i;
		}
	}
	return different == records && numbers ? used : 0;
}

const char *rg_record_key_find(size_t key[static RG_RECORD_KEY_MAX], size_t *key_count,
			       rg_arena *arena, const rg_key_column *columns, size_t count,
			       size_t records)
{
	rg_buf list = rg_buf_of(RG_BUF_ANY);
	for (size_t i = 0; i < count; i++)
		rg_record_column_settle(columns[i].cells);
	*key_count = find(key, columns, count, records);
	for (size_t i = 0; i < *key_count; i++) {
		rg_buf_printf(&list, "%s%s", i ? "," : "", columns[key[i]].name);
		if (strchr(columns[key[i]].name, ',')) /* no list can have it */
			*key_count = 0;
	}
	if (!*key_count)
		rg_buf_clear(&list);
	return rg_buf_keep(&list, arena);
}

size_t rg_record_key_rank(const char *key)
{
	return !key ? 0 : *key ? strlen(key) : SIZE_MAX;
}

rg_table_rule rg_record_key_rule(const rg_table_rule *rule, const char *const *key)
{
	rg_table_rule by = rule ? *rule : (rg_table_rule){0};
	by.pattern = "*";
	by.keys = key;
	by.key_count = **key ? 1 : 0;
	by.by_place = !**key;
	return by;
}
