/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/fault_kind.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const fault_kind *find_kind(const char *name, side which)
{
	for (size_t i = 0; i < fault_kind_count; i++)
		if (strcmp(fault_kinds[i].name, name) == 0 && fault_kinds[i].sides & which)
			return &fault_kinds[i];
	return NULL;
}

static bool set_number(uint64_t *out, const char *text)
{
	return rg_uint64_parse(text, strlen(text), out);
}

static bool set_text(char **out, const char *text)
{
	free(*out);
	*out = strdup(text);
	return *out != NULL;
}

static bool set_key(fault *item, const char *key, const char *value)
{
	if (strcmp(key, "every") == 0)
		return set_number(&item->every, value);
	if (strcmp(key, "first") == 0)
		return set_number(&item->first, value);
	if (strcmp(key, "bytes") == 0)
		return set_number(&item->bytes, value);
	if (strcmp(key, "value") == 0)
		return set_number(&item->value, value);
	if (strcmp(key, "seconds") == 0)
		return rg_double_parse(value, strlen(value), &item->seconds);
	if (strcmp(key, "match") == 0)
		return set_text(&item->match, value);
	return strcmp(key, "field") == 0 && set_text(&item->field, value);
}

/* "api:cut,every=3" in pieces. `text` is cut up. */
static bool parse_fault(fault *item, char *text)
{
	char *kind = strchr(text, ':'), *save = NULL, *name;

	if (!kind)
		return false;
	*kind++ = '\0';
	item->which = strcmp(text, "api") == 0 ? SIDE_API : SIDE_STORE;
	if (item->which == SIDE_STORE && strcmp(text, "store") != 0)
		return false;
	name = strtok_r(kind, ",", &save);
	item->kind = name ? find_kind(name, item->which) : NULL;
	if (!item->kind)
		return false;
	for (char *key = strtok_r(NULL, ",", &save); key; key = strtok_r(NULL, ",", &save)) {
		char *value = strchr(key, '=');

		if (!value)
			return false;
		*value++ = '\0';
		if (!set_key(item, key, value))
			return false;
	}
	return item->field || !item->kind->needs_field;
}

rg_error *fault_add(fault_list *list, const char *text)
{
	fault *item;
	char *copy = NULL;
	bool fine;

	copy = rg_strdup(text);
	rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	item = &list->items[list->count++];
	*item = (fault){.seconds = -1, .bytes = UINT64_MAX, .value = UINT64_MAX};
	fine = parse_fault(item, copy);
	free(copy);
	return fine ? NULL : rg_error_new(RG_E_USAGE, "'%s' is no fault; see README.md", text);
}

void fault_release(fault_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].match);
		free(list->items[i].field);
	}
	free(list->items);
}

static bool strikes_now(const fault *item)
{
	if (item->first && item->seen > item->first)
		return false;
	return !item->every || item->seen % item->every == 0;
}

void fault_count(fault_list *list, side which, const char *path, fault_strikes *out)
{
	out->count = 0;
	for (size_t i = 0; i < list->count; i++) {
		fault *item = &list->items[i];

		if (item->which != which || (item->match && !strstr(path, item->match)))
			continue;
		item->seen++;
		if (strikes_now(item) && out->count < FAULTS_A_REQUEST)
			out->items[out->count++] = item;
	}
}

void fault_before(const fault_strikes *strikes, request *req)
{
	for (size_t i = 0; i < strikes->count; i++)
		if (strikes->items[i]->kind->before)
			strikes->items[i]->kind->before(strikes->items[i], req);
}

void fault_after(const fault_strikes *strikes, const struct hub *state, const request *req,
		 reply *out)
{
	for (size_t i = 0; i < strikes->count; i++)
		if (strikes->items[i]->kind->after)
			strikes->items[i]->kind->after(strikes->items[i], state, req, out);
}

void fault_names(const fault_strikes *strikes, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < strikes->count && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "+" : "",
					 strikes->items[i]->kind->name);
}
