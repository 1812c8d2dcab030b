/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_OPAQUE_VIEW_H
#define REGILD_REPORT_OPAQUE_VIEW_H

#include "base/fields.h"
#include "compare/row.h"

#include <cJSON.h>

/*
 * Adds the opaque goldens that differ as "opaque", a list of views, to *formats, which is made
 * where it is NULL; nothing where none differs. Lines and pictures of all goldens together are
 * bounded: beyond that, a view says that they are left out.
 */
RG_CHECKED rg_error *rg_opaque_view_add(cJSON **formats, const rg_comparison *comparison);

/* For markdown: gives each view its lines, `cap` of them, as a block of code that nothing in them
 * can end, whatever a JSON that was read has in its place. */
void rg_opaque_view_fence(cJSON *formats, size_t cap);
/* Takes them away again: they are not in JSON. */
void rg_opaque_view_unfence(cJSON *formats);

/* Has a view a picture to show? `formats` may be NULL. */
bool rg_opaque_view_has_pictures(const cJSON *formats);

/* The keys of that, in JSON. */
extern const rg_json_field rg_opaque_fields[];

#endif
