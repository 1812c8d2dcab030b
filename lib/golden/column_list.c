/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/column_list.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void rg_cell_trim(const char **cell, size_t *length)
{
	while (*length && ((*cell)[0] == ' ' || (*cell)[0] == '\t')) {
		++*cell;
		--*length;
	}
	while (*length && ((*cell)[*length - 1] == ' ' || (*cell)[*length - 1] == '\t'))
		--*length;
}

rg_column_name rg_column_list_next(const char **rest)
{
	const char *comma = strchr(*rest, ',');
	rg_column_name name = {*rest, comma ? (size_t)(comma - *rest) : strlen(*rest)};

	*rest = comma ? comma + 1 : NULL;
	rg_cell_trim(&name.name, &name.length);
	return name;
}

bool rg_column_list_has(const char *list, const char *name, size_t length)
{
	while (list) {
		rg_column_name one = rg_column_list_next(&list);
		if (one.length == length && !memcmp(one.name, name, length))
			return true;
	}
	return false;
}

size_t rg_columns_find(const rg_column_name *columns, size_t count, const char *name, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (columns[i].length == length &&
		    (!length || !memcmp(columns[i].name, name, length)))
			return i;
	return SIZE_MAX;
}

rg_error *rg_columns_add(rg_column_name *columns, size_t *count, rg_arena *arena, const char *name,
			 size_t length)
{
	if (rg_columns_find(columns, *count, name, length) != SIZE_MAX)
		return rg_error_new(RG_E_PARSE, "two columns are both '%.*s'", (int)length, name);
	columns[(*count)++] = (rg_column_name){rg_arena_copy(arena, name, length), length};
	return NULL;
}

rg_error *rg_columns_name(rg_column_name *columns, size_t *count, rg_arena *arena,
			  const rg_table_rule *rule, size_t cells)
{
	const char *rest = rule ? rule->names : NULL;
	char number[24];

	while (rest && *count < RG_CSV_COLUMNS_MAX) {
		rg_column_name name = rg_column_list_next(&rest);
		RG_TRY(rg_columns_add(columns, count, arena, name.name, name.length));
	}
	if (*count)
		return NULL;
	for (size_t i = 0; i < cells; i++) {
		int length = snprintf(number, sizeof(number), "c%zu", i + 1);
		RG_TRY(rg_columns_add(columns, count, arena, number, (size_t)length));
	}
	return NULL;
}

/* The columns of a key, as far as all of them are there. */
static bool take_key(size_t *key, size_t *key_count, const rg_column_name *columns, size_t count,
		     const char *list)
{
	*key_count = 0;
	while (list) {
		rg_column_name name = rg_column_list_next(&list);
		size_t at = rg_columns_find(columns, count, name.name, name.length);

		if (at == SIZE_MAX || *key_count == count)
			return false;
		key[(*key_count)++] = at;
	}
	return true;
}

rg_error *rg_columns_key(size_t *key, size_t *key_count, const rg_column_name *columns,
			 size_t count, const rg_table_rule *rule)
{
	size_t keys = rule ? rule->key_count : 0;
	for (size_t i = 0; i < keys; i++)
		if (take_key(key, key_count, columns, count, rule->keys[i]))
			return NULL;
	if (keys)
		return rg_error_new(RG_E_PARSE,
				    "has no columns '%s', which [table \"%s\"] has as its key",
				    rule->keys[keys - 1], rule->pattern);
	key[0] = 0;
	*key_count = 1;
	return NULL;
}
