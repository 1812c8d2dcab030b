/* SPDX-License-Identifier: Apache-2.0 */
#include "config/config_internal.h"

#include "base/buf.h"
#include "base/path.h"

#include <stdio.h>
#include <string.h>

/*
 * The targets of [source "NAME"] count as regild.files: a golden that a download puts somewhere is
 * one that comparisons, checks and updates see.
 */

static const char blanks[] = " \t\r\n";

/* A pattern's text as a glob: '*' for a field. */
static void add_glob(rg_buf *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const char *end = text[i] == '{' ? memchr(text + i, '}', length - i) : NULL;
		rg_buf_char(out, end ? '*' : text[i]);
		if (end)
			i = (size_t)(end - text);
	}
}

/*
 * The target with `file`, a name or a glob, for {file}. {path}, and a {test} or {job} that a part
 * of the path begins with, may be several folders.
 */
static void add_target(rg_buf *out, const char *target, const char *file, size_t length)
{
	static const char deep[][7] = {"{path}", "{test}", "{job}"};
	const char *p = target;
	size_t part;

	if (out->length)
		rg_buf_char(out, ' ');
	while (*p) {
		if (p == target || p[-1] == '/')
			for (size_t i = 0; i < sizeof(deep) / sizeof(*deep); i++)
				if (!strncmp(p, deep[i], strlen(deep[i])))
					rg_buf_str(out, "**/");
		part = strcspn(p, "/{");
		if (!strncmp(p, "{file}", 6)) {
			rg_buf_add(out, file, length);
			p += 6;
		} else if (*p == '{') {
			part = strcspn(p, "}");
			rg_buf_char(out, '*');
			p += part + (p[part] == '}');
		} else {
			for (size_t i = 0; i < part; i++) {
				/* A blank would end the glob. */
				if (strchr("*?[]\\!", p[i]))
					rg_buf_char(out, '\\');
				rg_buf_char(out, strchr(blanks, p[i]) ? '?' : p[i]);
			}
			p += part;
			if (*p == '/')
				rg_buf_char(out, *p++);
		}
	}
}

/* The right sides of "GLOB -> GLOB, GLOB -> GLOB". */
static void add_renamed(rg_buf *out, const char *target, const char *rename)
{
	for (const char *p = rename ? strstr(rename, "->") : NULL; p; p = strstr(p, "->")) {
		p += 2;
		p += strspn(p, blanks);
		size_t length = strcspn(p, ",\n");
		while (length && strchr(blanks, p[length - 1]))
			length--;
		add_target(out, target, p, length);
	}
}

/* The name of each member. */
static void add_members(rg_buf *out, const char *target, const char *members)
{
	size_t length;
	for (const char *p = members; *(p += strspn(p, blanks)); p += length) {
		rg_buf file;
		size_t start;

		length = strcspn(p, blanks);
		for (start = length; start && p[start - 1] != '/' && p[start - 1] != '!'; start--)
			;
		rg_buf_init(&file, RG_BUF_TEXT);
		add_glob(&file, p + start, length - start);
		if (file.length)
			add_target(out, target, file.data, file.length);
		rg_buf_release(&file);
	}
}

static void add_source(rg_buf *out, const rg_config *config, const char *name)
{
	const char *target = rg_config_subsection_get(config, "source", name, "target");
	const char *members = rg_config_subsection_get(config, "source", name, "members");
	const char *begin = rg_config_subsection_get(config, "source", name, "begin");
	const char *file;

	if (!target || !*target)
		return;
	if (!strstr(target, "{file}") && !strstr(target, "{path}")) {
		add_target(out, target, "", 0);
	} else if (members) {
		add_members(out, target, members);
		add_renamed(out, target,
			    rg_config_subsection_get(config, "source", name, "rename"));
	} else {
		/* A log's golden. */
		file = begin || rg_ends_with(target, ".txt") ? "*.txt" : "*.json";
		add_target(out, target, file, strlen(file));
	}
}

/* A section that takes every file as it is takes those that the project's own files name. */
static bool is_narrowed(rg_config *config, const char *source, const rg_setting *files)
{
	char key[RG_CONFIG_NAME_MAX + 32];
	const char *target = rg_config_subsection_get(config, "source", source, "target");
	snprintf(key, sizeof(key), "source.%s.members", source);
	rg_setting *members = rg_config_find(config, key);
	bool all = target && members && !strcmp(target, "{path}") && !strcmp(members->value, "**");

	if (!all || files->order >> 32 != RG_LEVEL_SET || !*files->value)
		return false;
	members->value = files->value;
	return true;
}

rg_error *rg_config_settle_files(rg_config *config)
{
	rg_setting *files = rg_config_find(config, "regild.files"); /* every layout has it */
	const char *name;
	rg_buf text;

	config->own_files = *files->value ? files->value : NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_str(&text, files->value);
	for (size_t i = 0; rg_config_subsection(config, "source", i, &name); i++)
		if (!is_narrowed(config, name, files))
			add_source(&text, config, name);
	rg_error *err = rg_buf_check(&text, "regild.files");
	/* Somebody said what the goldens are called. */
	if (!files->from && text.length > strlen(files->value))
		files->from = "[source]";
	if (!err)
		files->value = rg_arena_text(&config->arena, text.data);
	rg_buf_release(&text);
	return err;
}
