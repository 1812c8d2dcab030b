#include "report/build.h"

#include "report/cells.h"
#include "report/templates.h"

#include <string.h>

const char *rg_template_text(const char *name)
{
	const struct rg_template *t = rg_templates;

	while (t->name && strcmp(t->name, name) != 0)
		t++;
	return t->text ? t->text : "";
}

cJSON *rg_build_object(bool *failed, cJSON *parent, const char *name)
{
	cJSON *made = name ? cJSON_AddObjectToObject(parent, name) : cJSON_CreateObject();

	if (made && !name && !cJSON_AddItemToArray(parent, made)) {
		cJSON_Delete(made);
		made = NULL;
	}
	*failed |= !made;
	return made;
}

cJSON *rg_build_list(bool *failed, cJSON *parent, const char *name)
{
	cJSON *made = cJSON_AddArrayToObject(parent, name);

	*failed |= !made;
	return made;
}

void rg_build_text(bool *failed, cJSON *parent, const char *name, const char *text)
{
	*failed |= !cJSON_AddStringToObject(parent, name, text);
}

void rg_build_count(bool *failed, cJSON *parent, const char *name, size_t count)
{
	*failed |= !cJSON_AddNumberToObject(parent, name, (double)count);
}

void rg_build_truth(bool *failed, cJSON *parent, const char *name, bool truth)
{
	*failed |= !cJSON_AddBoolToObject(parent, name, truth);
}

void rg_build_figure(bool *failed, cJSON *parent, const char *name, double figure)
{
	char text[RG_FIGURE_SIZE];

	rg_figure_text(figure, text);
	rg_build_text(failed, parent, name, text);
}
