/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/column_list.h"

#include "base/pattern.h"

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

const rg_table_rule *rg_table_rule_of(const rg_golden_options *options, const char *name)
{
	const rg_table_rule *best = NULL;
	size_t i, weight, best_weight = 0;

	for (i = 0; i < options->table_rule_count; i++) {
		const rg_table_rule *rule = &options->table_rules[i];

		if (!rg_glob_match_end(rule->pattern, name))
			continue;
		weight = rg_glob_weight(rule->pattern);
		if (!best || weight >= best_weight) {
			best = rule;
			best_weight = weight;
		}
	}
	return best;
}
