/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_FORMAT_HOOKS_H
#define REGILD_REPORT_FORMAT_HOOKS_H

#include "base/fields.h"
#include "compare/compare_pairs.h"

#include <cJSON.h>

/* The call's choice in files of several runs or parts, as in rg_golden_options. */
typedef struct {
	int run_index;
	const char *old_part, *new_part;
} rg_format_request;

/*
 * How a format reports beside rows. Each pair of files is collected while it is loaded; what was
 * kept of all pairs makes the view, which templates/NAME.md, NAME.txt and NAME.html render.
 */
typedef struct {
	const char *name; /* the view's key in "formats", too */
	/* On any thread. NULL: nothing of the pair is the format's, or it cannot be read, which the
	 * comparison reports. */
	void *(*collect)(const rg_pair *pair, const rg_format_request *request);
	/* Makes an object of one pair or more, or a list of one for each file. Freed with
	 * cJSON_Delete; rg_summary_view_finish makes it ready for templates. */
	cJSON *(*view)(void *const *kept, size_t count, const rg_format_request *request);
	void (*free)(void *kept);
} rg_format_hooks;

extern const rg_format_hooks *const rg_format_hooks_list[]; /* NULL ends the list */

/* The keys of "formats", those of the hooks first. */
extern const rg_json_field rg_format_report_fields[];

#endif
