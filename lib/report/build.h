#ifndef REGILD_REPORT_BUILD_H
#define REGILD_REPORT_BUILD_H

#include <cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Building the data of templates. cJSON's functions fail for want of memory only; *failed keeps
 * that, so that a caller can go on and ask once. A NULL parent is fine: something failed before.
 */

/* An object or list under `name`, or (objects, `name` NULL) at the end of a list. */
cJSON *rg_build_object(bool *failed, cJSON *parent, const char *name);
cJSON *rg_build_list(bool *failed, cJSON *parent, const char *name);
void rg_build_text(bool *failed, cJSON *parent, const char *name, const char *text);
void rg_build_count(bool *failed, cJSON *parent, const char *name, size_t count);
void rg_build_truth(bool *failed, cJSON *parent, const char *name, bool truth);
/* As rg_figure_text writes it. */
void rg_build_figure(bool *failed, cJSON *parent, const char *name, double figure);

#endif
