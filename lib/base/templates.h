/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_TEMPLATES_H
#define REGILD_BASE_TEMPLATES_H

/* The files of templates/ as they were when regild was built; a NULL name ends the list. */
struct rg_template {
	const char *name; /* "summary.md" */
	const char *text; /* NUL-terminated */
};

extern const struct rg_template rg_templates[];

/* The text of the one of that name; "" where there is none. */
const char *rg_template_text(const char *name);

#endif
