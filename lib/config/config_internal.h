/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CONFIG_CONFIG_INTERNAL_H
#define REGILD_CONFIG_CONFIG_INTERNAL_H

#include "base/error.h"
#include "base/memory.h"
#include "config/config.h"

/* config.c fills these settings, and config_lookup.c searches them. */

#define RG_CONFIG_FILE ".regild"

/* One setting, by its full name "section.key" or "section.subsection.key". */
typedef struct {
	const char *name;
	const char *value;
	const char *from; /* RG_CONFIG_FILE; NULL: built in */
	uint64_t order;   /* later ones win */
} rg_config_item;

/* The later level counts where two set one name. */
typedef enum { RG_LEVEL_BUILT_IN, RG_LEVEL_LAYOUT, RG_LEVEL_SET } rg_config_level;

struct rg_config {
	rg_config_item *settings; /* once loaded, ascending by name, then by order */
	size_t count, capacity;
	const char **warnings;
	size_t warning_count, warning_capacity;
	rg_config_item *
		subsections; /* "metric.lm loss"; by section, and inside one as they first appear */
	size_t subsection_count;
	const char *own_files; /* regild.files, but for the targets of [source]; NULL: not set */
	const char *limiting_files;     /* the same, where somebody has set it */
	const char *goldens, *variants; /* rg_config_goldens, rg_config_variants */
	rg_arena arena;
};

/* config_lookup.c: adds a setting. */
RG_CHECKED rg_error *rg_config_add(rg_config *config, rg_config_level level, const char *name,
				   const char *value, const char *from);

/* presets.c: adds the settings of the layout, the built-in one or regild.layout's, after all
 * others. */
RG_CHECKED rg_error *rg_config_add_layout(rg_config *config);

/* The last of the settings with that name, which is the value that won, or NULL. For a config whose
 * settings are sorted. */
rg_config_item *rg_config_find(const rg_config *config, const char *key);

#endif
