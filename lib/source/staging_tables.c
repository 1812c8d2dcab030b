/* SPDX-License-Identifier: Apache-2.0 */
#include "source/staging_tables.h"

#include "base/memory.h"
#include "base/file.h"
#include "golden/sections.h"
#include "golden/table_merge.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The most bytes of a table that is made. */
#define TABLE_MAX ((size_t)1 << 30)

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "shard-9" before "shard-10". */
static int compare_natural(const char *a, const char *b)
{
	while (*a && *b) {
		if (!is_digit(*a) || !is_digit(*b)) {
			if (*a != *b)
				return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
			a++;
			b++;
			continue;
		}
		a += strspn(a, "0");
		b += strspn(b, "0");
		size_t x = strspn(a, "0123456789");
		size_t y = strspn(b, "0123456789");
		int order = x != y ? (x < y ? -1 : 1) : strncmp(a, b, x);
		if (order)
			return order;
		a += x;
		b += y;
	}
	return (*a != 0) - (*b != 0);
}

int rg_table_parts_compare(const rg_table_part *a, const rg_table_part *b)
{
	int order = a->shard && b->shard ? compare_natural(a->shard, b->shard) : 0;
	return order ? order : compare_natural(a->artifact->name, b->artifact->name);
}

/* --- making one --- */

typedef struct {
	size_t count;
	rg_table_shard *shards;
	rg_buf *bytes;
} make_state;

static void make_state_release(make_state *m)
{
	for (size_t i = 0; i < m->count; i++)
		rg_buf_release(&m->bytes[i]);
	free(m->bytes);
	free(m->shards);
}

static rg_error *write_table(const rg_buf *table, const char *path, rg_manifest_golden *golden)
{
	int fd;
	RG_TRY(rg_file_make(&fd, path));
	rg_error *err = rg_write_all(fd, table->data, table->length, path);
	close(fd);
	golden->size = table->length;
	golden->written = (struct stat){0};
	return err ? err : rg_sha256_hex(table->data, table->length, golden->sha256);
}

/* Explains what is wrong with the parts. */
static const char *format_why(const rg_table_part *parts, const rg_error *err, const char *target,
			      const size_t *clash, rg_arena *arena)
{
	const rg_manifest_artifact *a = parts[clash[0]].artifact, *b = parts[clash[1]].artifact;
	const char *message = rg_error_message(err);

	if (rg_error_get_code(err) == RG_E_CONFLICT)
		return rg_arena_textf(
			arena, "%s: artifacts %llu '%s' and %llu '%s' do not go together: %s",
			target, (unsigned long long)a->id, a->name, (unsigned long long)b->id,
			b->name, message);
	return rg_arena_textf(arena, "%s: artifact %llu '%s': %s", target,
			      (unsigned long long)a->id, a->name, message);
}

rg_error *rg_table_parts_write(const rg_table_part *parts, size_t count,
			       const rg_fetch_options *options, rg_arena *arena,
			       rg_manifest_golden *golden, const char **made, const char **why,
			       size_t *bad)
{
	const rg_rule *rule = parts[0].file->rule;
	const rg_table_shape shape = {.name = golden->target,
				      .rule = rg_golden_manner(golden, options->formats).rule,
				      .columns = rule->columns,
				      .digits = (unsigned)rule->digits};
	RG_AUTO(make_state)
	m = {count, rg_calloc(count, sizeof(*m.shards)), rg_calloc(count, sizeof(*m.bytes))};
	RG_AUTO(rg_buf) table = rg_buf_of(TABLE_MAX);
	size_t clash[2];

	*made = *why = NULL;
	*bad = SIZE_MAX;
	for (size_t i = 0; i < count; i++)
		rg_buf_init(&m.bytes[i], rg_buf_most(parts[i].file->size) + 1);
	for (size_t i = 0; i < count; i++) {
		RG_TRY(rg_file_read(&m.bytes[i], parts[i].file->part));
		m.shards[i] =
			(rg_table_shard){parts[i].file->path, {m.bytes[i].data, m.bytes[i].length}};
	}
	RG_AUTO_PTR(rg_error) err = rg_table_merge(&table, m.shards, count, &shape, clash);
	rg_error_code code = err ? rg_error_get_code(err) : 0;
	if (code == RG_E_PARSE || code == RG_E_LIMIT || code == RG_E_CONFLICT) {
		*bad = code == RG_E_CONFLICT ? SIZE_MAX : clash[0];
		*why = format_why(parts, err, golden->target, clash, arena);
		return NULL;
	}
	if (err)
		return RG_TAKE(err);
	golden->rewrite = true;
	golden->digits = rule->digits;
	*made = rg_arena_textf(arena, "%s.table", parts[0].file->part);
	return write_table(&table, *made, golden);
}

rg_table_manner rg_golden_manner(const rg_manifest_golden *golden, const rg_golden_options *formats)
{
	return (rg_table_manner){
		.name = golden->target,
		.rule = rg_table_rule_of(formats, golden->target),
		.digits = (unsigned)golden->digits,
	};
}

rg_error *rg_golden_rewrite(const rg_table_manner *manner, size_t max, const rg_buf *old,
			    rg_buf *fresh)
{
	RG_AUTO(rg_buf) out = rg_buf_of(max);

	RG_TRY(rg_table_rewrite(&out, (rg_bytes){old->data, old->length},
				(rg_bytes){fresh->data, fresh->length}, manner));
	const rg_buf before = *fresh;
	*fresh = out;
	out = before;
	return NULL;
}
