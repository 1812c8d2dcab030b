/* SPDX-License-Identifier: Apache-2.0 */
#include "config/config_internal.h"

#include "base/memory.h"
#include "base/number.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

rg_error *rg_config_add(rg_config *config, rg_config_level level, const char *name,
			const char *value, const char *from)
{
	if (config->count >= RG_CONFIG_SETTINGS_MAX)
		return rg_error_new(RG_E_LIMIT, "configuration: more than %d settings",
				    RG_CONFIG_SETTINGS_MAX);
	if (strlen(name) > RG_CONFIG_NAME_MAX)
		return rg_error_new(RG_E_LIMIT, "configuration: a name of more than %d bytes",
				    RG_CONFIG_NAME_MAX);
	rg_grow(&config->settings, &config->capacity, config->count + 1, sizeof(rg_config_item));
	rg_config_item *s = &config->settings[config->count];
	s->name = rg_arena_copy(&config->arena, name, strlen(name));
	s->value = rg_arena_copy(&config->arena, value, strlen(value));
	s->from = from;
	s->order = (uint64_t)level << 32 | config->count;
	config->count++;
	return NULL;
}

/* The place of the first setting whose name begins with the prefix, or would. Names are in order as
 * far as that reaches. */
static size_t first_with_prefix(const rg_config_item *settings, size_t count, const char *prefix,
				size_t length)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strncmp(settings[middle].name, prefix, length) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

rg_config_item *rg_config_find(const rg_config *config, const char *key)
{
	char name[RG_CONFIG_NAME_MAX + 1];
	rg_config_item *found = NULL;

	if (strlen(key) > RG_CONFIG_NAME_MAX)
		return NULL; /* such a one was refused when it was read */
	memcpy(name, key, strlen(key) + 1);
	/* libgit2 writes names so: only a subsection keeps its case. */
	const char *first = strchr(name, '.'), *last = strrchr(name, '.');
	for (char *at = name; *at; at++)
		if (!first || at < first || at > last)
			*at = (char)tolower((unsigned char)*at);
	/* The last of those with the whole name counts. */
	for (size_t i = first_with_prefix(config->settings, config->count, name, strlen(name) + 1);
	     i < config->count && !strcmp(config->settings[i].name, name); i++)
		found = &config->settings[i];
	return found;
}

const char *rg_config_get(const rg_config *config, const char *key)
{
	const rg_config_item *found = rg_config_find(config, key);
	return found ? found->value : NULL;
}

bool rg_config_is_default(const rg_config *config, const char *key)
{
	const rg_config_item *found = rg_config_find(config, key);
	return !found || !found->from;
}

bool rg_config_layout_is_assumed(const rg_config *config)
{
	static const char *const keys[] = {"jobs.name", "jobs.artifact", "jobs.target",
					   "jobs.members", "regild.root"};

	/* Somebody's own [source] has no [jobs] beside it. */
	if (rg_config_find(config, "regild.layout") || !rg_config_find(config, "jobs.name"))
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!rg_config_is_default(config, keys[i]))
			return false;
	return true;
}

const char *rg_config_goldens(const rg_config *config)
{
	return config->goldens;
}

const char *rg_config_variants(const rg_config *config)
{
	return config->variants;
}

const char *rg_config_limiting_files(const rg_config *config)
{
	return config->limiting_files;
}

const char *rg_config_own_files(const rg_config *config)
{
	return config->own_files;
}

bool rg_config_is_from_clone(const rg_config *config, const char *key)
{
	const rg_config_item *found = rg_config_find(config, key);
	return found && found->from && !strcmp(found->from, RG_CONFIG_FILE);
}

rg_error *rg_config_size(const rg_config *config, const char *key, uint64_t fallback, uint64_t *out)
{
	const char *value = rg_config_get(config, key);
	*out = fallback;
	if (value && !rg_size_parse(value, out))
		return rg_config_blame(config, key,
				       rg_error_new(RG_E_USAGE,
						    "%s: '%s' is not a size such as 64k or 256M",
						    key, value));
	return NULL;
}

rg_error *rg_config_golden_max(const rg_config *config, size_t *out)
{
	uint64_t max;
	RG_TRY(rg_config_size(config, "regild.maxFile", RG_CONFIG_GOLDEN_MAX, &max));
	*out = rg_buf_most(max);
	return NULL;
}

rg_error *rg_config_name_golden_max(rg_error *err)
{
	if (!err || rg_error_get_code(err) != RG_E_LIMIT)
		return err;
	rg_error *named = rg_error_new(RG_E_LIMIT, "%s (regild.maxFile)", rg_error_message(err));
	rg_error_free(err);
	return named;
}

/* The value's file goes in front of the message: it has to be corrected there. */
static rg_error *blame(const rg_config_item *s, rg_error *err)
{
	return s && s->from ? rg_error_wrap(err, "%s", s->from) : err;
}

rg_error *rg_config_blame(const rg_config *config, const char *key, rg_error *err)
{
	return blame(rg_config_find(config, key), err);
}

bool rg_config_subsection(const rg_config *config, const char *section, size_t index,
			  const char **name)
{
	char prefix[RG_CONFIG_NAME_MAX + 2];
	int length = snprintf(prefix, sizeof(prefix), "%s.", section);

	if (length < 0 || length > RG_CONFIG_NAME_MAX)
		return false;
	size_t first = first_with_prefix(config->subsections, config->subsection_count, prefix,
					 (size_t)length);
	if (index >= config->subsection_count - first)
		return false;
	const char *found = config->subsections[first + index].name;
	if (strncmp(found, prefix, (size_t)length) != 0)
		return false;
	*name = found + length;
	return true;
}

bool rg_config_subsection_key(const rg_config *config, const char *section, const char *name,
			      size_t index, const char **key)
{
	char prefix[RG_CONFIG_NAME_MAX + 2];
	int length = snprintf(prefix, sizeof(prefix), "%s.%s.", section, name);
	const char *last = "";
	size_t i;

	if (length < 0 || length > RG_CONFIG_NAME_MAX)
		return false;
	for (i = first_with_prefix(config->settings, config->count, prefix, (size_t)length);
	     i < config->count; i++) {
		const char *full = config->settings[i].name;
		if (strncmp(full, prefix, (size_t)length) != 0)
			return false;
		if (!strcmp(full, last))
			continue;
		last = full;
		/* A dot means a subsection "NAME.MORE". */
		if (!strchr(full + length, '.') && !index--) {
			*key = full + length;
			return true;
		}
	}
	return false;
}

static const rg_config_item *find_in_subsection(const rg_config *config, const char *section,
						const char *name, const char *key)
{
	char full[RG_CONFIG_NAME_MAX + 1];
	int length = snprintf(full, sizeof(full), "%s.%s.%s", section, name, key);

	/* One that does not fit was refused when it was read. */
	return length < 0 || length > RG_CONFIG_NAME_MAX ? NULL : rg_config_find(config, full);
}

const char *rg_config_subsection_get(const rg_config *config, const char *section, const char *name,
				     const char *key)
{
	const rg_config_item *found = find_in_subsection(config, section, name, key);
	return found ? found->value : NULL;
}

bool rg_config_subsection_value(const rg_config *config, const char *section, const char *name,
				const char *key, size_t index, const char **value)
{
	const rg_config_item *last = find_in_subsection(config, section, name, key), *first = last;
	if (!last)
		return false;
	while (first > config->settings && !strcmp(first[-1].name, last->name) &&
	       first[-1].from == last->from)
		first--;
	if (index > (size_t)(last - first))
		return false;
	*value = first[index].value;
	return true;
}

rg_error *rg_config_subsection_blame(const rg_config *config, const char *section, const char *name,
				     const char *key, rg_error *err)
{
	return blame(find_in_subsection(config, section, name, key), err);
}

bool rg_config_subsection_is_default(const rg_config *config, const char *section, const char *name,
				     const char *key)
{
	const rg_config_item *found = find_in_subsection(config, section, name, key);
	return found && !found->from;
}
