/* SPDX-License-Identifier: Apache-2.0 */
/* What an item of a report lacks is not taken from what it is in, in any built-in template. */
#include "unit.h"

#include "support/schema.h"
#include "unit/template_scopes.h"

#include "base/templates.h"

#include <stdlib.h>

/* --- a document with all that its schema has --- */

typedef struct {
	const cJSON *root;
	unsigned made; /* values, which are all different */
} filler;

static const cJSON *member(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const cJSON *resolve(const filler *f, const cJSON *schema)
{
	const char *reference = cJSON_GetStringValue(member(schema, "$ref"));
	const cJSON *choice;

	if (reference)
		return resolve(f, member(member(f->root, "$defs"), strrchr(reference, '/') + 1));
	cJSON_ArrayForEach(choice, member(schema, "anyOf"))
	{
		const char *type = cJSON_GetStringValue(member(choice, "type"));

		if (!type || strcmp(type, "null") != 0)
			return resolve(f, choice);
	}
	return schema;
}

/* The first of its types that is not null; "string" where it has none. */
static const char *type_of(const cJSON *schema)
{
	const cJSON *types = member(schema, "type"), *type;

	if (cJSON_IsString(types))
		return types->valuestring;
	cJSON_ArrayForEach(type, types)
	{
		if (strcmp(type->valuestring, "null") != 0)
			return type->valuestring;
	}
	return "string";
}

static cJSON *fill(filler *f, const cJSON *schema);

/* Which fields it may lack is in the field "?". */
static cJSON *fill_object(filler *f, const cJSON *schema)
{
	cJSON *object = cJSON_CreateObject(), *optional = cJSON_CreateObject();
	const cJSON *property, *name;

	cJSON_ArrayForEach(property, member(schema, "properties"))
	{
		cJSON_AddItemToObject(object, property->string, fill(f, property));
		cJSON_AddTrueToObject(optional, property->string);
	}
	cJSON_ArrayForEach(name, member(schema, "required"))
	{
		cJSON_DeleteItemFromObjectCaseSensitive(optional, name->valuestring);
	}
	cJSON_AddItemToObject(object, "?", optional);
	return object;
}

static cJSON *fill(filler *f, const cJSON *schema)
{
	const char *type;
	cJSON *list;
	char text[32];

	schema = resolve(f, schema);
	type = type_of(schema);
	f->made++;
	if (!strcmp(type, "object"))
		return fill_object(f, schema);
	if (!strcmp(type, "array")) {
		list = cJSON_CreateArray();
		cJSON_AddItemToArray(list, fill(f, member(schema, "items")));
		return list;
	}
	if (!strcmp(type, "boolean"))
		return cJSON_CreateTrue();
	if (!strcmp(type, "string")) {
		snprintf(text, sizeof(text), "text-%u", f->made);
		return cJSON_CreateString(text);
	}
	return cJSON_CreateNumber(100000 + f->made);
}

static bool schema_lets_it(const cJSON *item, const char *field)
{
	return cJSON_HasObjectItem(member(item, "?"), field);
}

/* --- the templates --- */

/* A page's own lists beside the story: html.c and coverage.c make them. */
static const char page_lists[] =
	"{\"coverage\": {\"outcomes\": [{\"outcome\": \"o\", \"missing\": true}], \"covered\": "
	"[{\"what\": \"w\", \"name\": \"n\", \"outcome\": \"o\", \"missing\": true, \"why\": \"y\"}"
	"]}}";

static void check(const char *name, const cJSON *view, size_t least)
{
	scope_walk walk;

	if (walk_scopes(&walk, name, rg_template_text(name), view, schema_lets_it) < least)
		fail_msg("%s: %zu fields were left out", name, walk.checked);
	if (*walk.fault)
		fail_msg("%s", walk.fault);
}

/* "(root)" of a page: the story, with the page's lists, tables and provenance. */
static cJSON *page_view(const cJSON *document)
{
	cJSON *view = cJSON_Duplicate(member(document, "story"), true);
	cJSON *lists = cJSON_Parse(page_lists);

	assert_non_null(lists);
	while (lists->child) {
		cJSON *list = cJSON_DetachItemViaPointer(lists, lists->child);

		cJSON_AddItemToObject(view, list->string, list);
	}
	cJSON_Delete(lists);
	cJSON_AddItemToObject(view, "table", cJSON_Duplicate(member(document, "page"), true));
	cJSON_AddItemToObject(view, "provenance",
			      cJSON_Duplicate(member(document, "provenance"), true));
	return view;
}

TEST(comparisons)
{
	cJSON *schema, *document, *page;
	const cJSON *formats;
	filler f;

	schema = schema_of_document("regild-compare");
	assert_non_null(schema);
	f = (filler){.root = schema};
	document = fill(&f, schema);
	formats = member(document, "formats");
	page = page_view(document);
	check("summary.md", member(document, "story"), 12);
	check("models.txt", member(document, "story"), 2);
	check("report.html", page, 16);
	check("cases.md", member(formats, "cases"), 0);
	check("cases.txt", member(formats, "cases"), 0);
	check("cases.html", member(formats, "cases"), 0);
	check("opaque.md", formats, 0);
	check("opaque.txt", formats, 0);
	check("opaque.html", formats, 0);
	check("opdiff.md", member(formats, "opdiff")->child, 0);
	check("opdiff.txt", member(formats, "opdiff")->child, 0);
	check("opdiff.html", member(formats, "opdiff")->child, 0);
	check("tables.html", formats, 0);
	cJSON_Delete(page);
	cJSON_Delete(document);
	cJSON_Delete(schema);
}

/* --- what is found --- */

static bool is_place(const cJSON *item, const char *field)
{
	(void)item;
	return !strcmp(field, "place");
}

TEST(what_falls_through_is_found)
{
	static const struct {
		const char *text;
		bool fault;
	} cases[] = {
		{"{{place}}{{#list}}{{name}}{{/list}}", false},
		{"{{#list}}{{name}} at {{place}}{{/list}}", true},
		{"{{#list}}{{#place}}at a place{{/place}}{{/list}}", true},
		{"{{#list}}{{^place}}nowhere{{/place}}{{/list}}", true},
		{"{{#list}}{{#in}}{{place}}{{/in}}{{/list}}", true},
		{"{{#in}}{{#list}}{{#code}}{{place}}{{/code}}{{/list}}{{/in}}", true},
		{"{{#list}}{{list.place}}{{/list}}", false},
	};
	cJSON *view = cJSON_Parse("{\"place\": \"all\", \"in\": {\"x\": 1}, \"list\": [{\"name\": "
				  "\"n\", \"place\": \"here\"}]}");
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		scope_walk walk;

		assert_true(walk_scopes(&walk, "t", cases[i].text, view, is_place) > 0);
		assert_int_equal(*walk.fault != '\0', cases[i].fault);
	}
	cJSON_Delete(view);
}
