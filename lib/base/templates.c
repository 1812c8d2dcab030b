/* SPDX-License-Identifier: Apache-2.0 */
#include "base/templates.h"

#include <string.h>

const char *rg_template_text(const char *name)
{
	const struct rg_template *t = rg_templates;
	while (t->name && strcmp(t->name, name) != 0)
		t++;
	return t->name ? t->text : "";
}
