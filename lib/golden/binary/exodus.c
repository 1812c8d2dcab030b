/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/rules.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

/* Exodus: the results of finite elements in NetCDF. Its variables are numbered, and others hold
 * their names. */

/* More variables are not looked through for each other's names. */
enum { VARIABLES_MAX = 1 << 14 };

static rg_binary_item *find(const rg_binary_file *file, const char *path)
{
	for (size_t i = 0; i < file->count; i++)
		if (!strcmp(file->items[i].path, path))
			return &file->items[i];
	return NULL;
}

/* "vals_elem_var2eb1" is the second name of name_elem_var, in block eb1. */
static void rename_result(rg_binary_file *file, rg_binary_item *item)
{
	char kind[8], list[32];
	uint64_t number;
	int start = 0;

	if (sscanf(item->path, "/vals_%7[a-z]_var%n", kind, &start) != 1 || !start)
		return;
	const char *digits = item->path + start;
	const size_t length = strspn(digits, "0123456789");
	if (!rg_uint64_parse(digits, length, &number))
		return;
	snprintf(list, sizeof(list), "/name_%s_var", kind);
	const rg_binary_item *names = find(file, list);
	const char *block = digits + length;
	if (names && names->texts && number && number <= names->tensor.count)
		item->path = rg_arena_textf(file->arena, "/%s/%s%s%s", kind, block,
					    *block ? "/" : "", names->texts[number - 1]);
}

/* All values of the whole model at a time are in one variable: each becomes a series. */
static rg_error *split_globals(rg_binary_file *file)
{
	const rg_binary_item *names = find(file, "/name_glo_var");
	const rg_binary_item *all = find(file, "/vals_glo_var");

	if (!names || !names->texts || !all || all->values != RG_WIRE_NUMBERS || all->why ||
	    all->tensor.dimensions != 2 || all->tensor.shape[1] != (int64_t)names->tensor.count)
		return NULL;
	return rg_binary_split(file, "/global", (size_t)(all - file->items), names->texts, NULL);
}

rg_error *rg_binary_exodus_rules(rg_binary_file *file, rg_golden_builder *builder)
{
	static const char *const left_out[] = {"/qa_records", "/info_records"};
	bool dropped = false;

	if (!file->count || file->count > VARIABLES_MAX ||
	    !rg_binary_attribute(file->items, "floating_point_word_size"))
		return NULL;
	for (size_t i = 0; i < file->count; i++) {
		rename_result(file, &file->items[i]);
		file->items[i].dimension_names = NULL; /* Exodus's own: num_nodes and its like */
	}
	for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++) {
		rg_binary_item *item = find(file, left_out[i]);
		if (item)
			item->dropped = dropped = true;
	}
	if (dropped)
		rg_golden_builder_note(builder, RG_NOTE_READ,
				       "qa_records and info_records, which say when, are left out");
	return split_globals(file);
}
