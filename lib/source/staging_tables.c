/* SPDX-License-Identifier: Apache-2.0 */
#include "source/staging_tables.h"

#include "base/memory.h"
#include "base/file.h"
#include "golden/table_merge.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The bytes of a table that is made. */
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
	const rg_table_part *parts;
	size_t count;
	rg_table_shard *shards;
	rg_buf *bytes;
} making;

static rg_error *read_parts(making *m)
{
	for (size_t i = 0; i < m->count; i++) {
		const rg_taken_file *file = m->parts[i].file;
		RG_TRY(rg_file_read(&m->bytes[i], file->part));
		m->shards[i] = (rg_table_shard){file->path, {m->bytes[i].data, m->bytes[i].length}};
	}
	return NULL;
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

/* Of what is wrong with the parts, and takes the error. */
static void explain(const making *m, rg_error *err, const char *target, const size_t *clash,
		    rg_arena *arena, const char **why)
{
	const rg_manifest_artifact *a = m->parts[clash[0]].artifact;
	const rg_manifest_artifact *b = m->parts[clash[1]].artifact;
	const char *message = rg_error_message(err);

	if (rg_error_get_code(err) == RG_E_CONFLICT)
		*why = rg_arena_textf(
			arena, "%s: artifacts %llu '%s' and %llu '%s' do not go together: %s",
			target, (unsigned long long)a->id, a->name, (unsigned long long)b->id,
			b->name, message);
	else
		*why = rg_arena_textf(arena, "%s: artifact %llu '%s': %s", target,
				      (unsigned long long)a->id, a->name, message);
	rg_error_free(err);
}

static rg_error *make(making *m, const rg_fetch_options *options, rg_arena *arena,
		      rg_manifest_golden *golden, const char **made, const char **why, size_t *bad)
{
	const rg_rule *rule = m->parts[0].file->rule;
	const rg_table_shape shape = {.name = golden->target,
				      .rule = rg_golden_manner(golden, options->formats).rule,
				      .columns = rule->columns,
				      .digits = (unsigned)rule->digits};
	size_t clash[2];
	rg_error *err;
	rg_buf table;

	RG_TRY(read_parts(m));
	rg_buf_init(&table, TABLE_MAX);
	err = rg_table_merge(&table, m->shards, m->count, &shape, clash);
	if (err && (rg_error_get_code(err) == RG_E_PARSE || rg_error_get_code(err) == RG_E_LIMIT ||
		    rg_error_get_code(err) == RG_E_CONFLICT)) {
		*bad = rg_error_get_code(err) == RG_E_CONFLICT ? SIZE_MAX : clash[0];
		explain(m, err, golden->target, clash, arena, why);
		err = NULL;
	} else if (!err) {
		golden->rewrite = true;
		golden->digits = rule->digits;
		*made = rg_arena_textf(arena, "%s.table", m->parts[0].file->part);
		err = write_table(&table, *made, golden);
	}
	rg_buf_release(&table);
	return err;
}

rg_error *rg_table_parts_write(const rg_table_part *parts, size_t count,
			       const rg_fetch_options *options, rg_arena *arena,
			       rg_manifest_golden *golden, const char **made, const char **why,
			       size_t *bad)
{
	making m = {parts, count, rg_calloc(count, sizeof(*m.shards)),
		    rg_calloc(count, sizeof(*m.bytes))};
	*made = *why = NULL;

	*bad = SIZE_MAX;
	for (size_t i = 0; i < count; i++)
		rg_buf_init(&m.bytes[i], rg_buf_most(parts[i].file->size) + 1);
	rg_error *err = make(&m, options, arena, golden, made, why, bad);
	for (size_t i = 0; i < count; i++)
		rg_buf_release(&m.bytes[i]);
	free(m.bytes);
	free(m.shards);
	return err;
}

rg_table_manner rg_golden_manner(const rg_manifest_golden *golden, const rg_golden_options *formats)
{
	return (rg_table_manner){
		.name = golden->target,
		.rule = rg_table_rule_of(formats, golden->target),
		.digits = (unsigned)golden->digits,
	};
}
