/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CONFIG_CONFIG_INTERNAL_H
#define REGILD_CONFIG_CONFIG_INTERNAL_H

#include "base/memory.h"
#include "config/config.h"

/* What config.c fills and config_lookup.c searches. */

#define RG_CONFIG_FILE ".regild"

/* One setting, by its full name "section.key" or "section.subsection.key". */
typedef struct {
	const char *name;
	const char *value;
	const char *from; /* RG_CONFIG_FILE; NULL: built in */
	size_t order;     /* later ones win */
} rg_setting;

struct rg_config {
	rg_setting *settings; /* once loaded, ascending by name, then by order */
	size_t count, capacity;
	const char **warnings;
	size_t warning_count, warning_capacity;
	rg_setting *
		subsections; /* "metric.lm loss"; by section, and inside one as they first appear */
	size_t subsection_count;
	rg_arena arena;
};

/* The last of the settings with that name, which is the value that won, or NULL. For a config whose
 * settings are sorted. */
rg_setting *rg_config_find(const rg_config *config, const char *key);

#endif
