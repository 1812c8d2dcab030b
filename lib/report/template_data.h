/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_TEMPLATE_DATA_H
#define REGILD_REPORT_TEMPLATE_DATA_H

#include "report/columns.h"

#include <cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Building the data of templates.
 */

/* An object or list under `name`. */
cJSON *rg_build_object(cJSON *parent, const char *name);
cJSON *rg_build_list(cJSON *parent, const char *name);
/* An object at the end of a list. */
cJSON *rg_build_item(cJSON *list);
/* Adds the struct's keys by their table. */
void rg_build_fields(cJSON *object, const rg_json_field *fields, const void *from);
/* A list of such objects. */
void rg_build_items(cJSON *parent, const char *name, const rg_json_field *fields, const void *items,
		    size_t count, size_t stride);
/* NULL is null, which a template shows as nothing. */
void rg_build_text(cJSON *parent, const char *name, const char *text);
void rg_build_textf(cJSON *parent, const char *name, const char *format, ...) RG_PRINTF(3, 4);
void rg_build_count(cJSON *parent, const char *name, size_t count);
void rg_build_truth(cJSON *parent, const char *name, bool truth);
/* All that the parent has under a name: a view that was read may have it more than once. */
void rg_build_remove(cJSON *parent, const char *name);
/* Markup out of the buffer, which is emptied, in place of all that the parent has under the name: a
 * template writes it as it is. */
void rg_build_markup(cJSON *parent, const char *name, rg_buf *text);
/* Adds the text of the buffer, which is emptied. */
void rg_build_written(cJSON *parent, const char *name, rg_buf *text);

#endif
