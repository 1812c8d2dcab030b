/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CONFIG_PRESETS_H
#define REGILD_CONFIG_PRESETS_H

/*
 * The layouts that regild knows: each is templates/NAME.regild, which `init --layout NAME` writes
 * and regild.layout reads.
 */
typedef struct {
	const char *name;
	const char *file; /* the template's */
	const char *root; /* where the goldens usually are: what is filled in for {{root}} */
} rg_preset;

/* NULL: there is none of that name. */
const rg_preset *rg_preset_find(const char *name);

#endif
