/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/check_rules.h"

#include "base/memory.h"
#include "base/file.h"
#include "base/path.h"
#include "config/yaml_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the configuration --- */

static rg_error *load_key(rg_checks *checks, const rg_config *config, const char *section,
			  const char *key)
{
	size_t count = 0;
	const char *value;

	while (rg_config_subsection_value(config, "check", section, key, count, &value))
		count++;
	RG_AUTO_FREE const char **values = rg_calloc(count + 1, sizeof(*values));
	for (size_t i = 0; i < count; i++)
		rg_config_subsection_value(config, "check", section, key, i, &values[i]);
	return rg_config_subsection_blame(config, "check", section, key,
					  count ? rg_checks_set(checks, section, key, values, count)
						: NULL);
}

rg_error *rg_checks_load(rg_checks **out, const rg_config *config)
{
	RG_AUTO_PTR(rg_checks) checks = rg_checks_new();
	const char *section, *key;

	*out = NULL;
	/* A check's rule says which keys it has. */
	for (size_t i = 0; rg_config_subsection(config, "check", i, &section); i++)
		RG_TRY(load_key(checks, config, section, "rule"));
	for (size_t i = 0; rg_config_subsection(config, "check", i, &section); i++)
		for (size_t k = 0; rg_config_subsection_key(config, "check", section, k, &key); k++)
			RG_TRY(load_key(checks, config, section, key));
	RG_TRY(rg_checks_finish(checks));
	*out = RG_TAKE(checks);
	return NULL;
}

static void append_file(rg_buf *out, const rg_checks_setting *setting)
{
	if (setting->name && (!out->data || !strstr(out->data, setting->file)))
		rg_buf_printf(out, "%s%s", out->length ? " " : "", setting->file);
}

rg_error *rg_checks_files(char **out, const rg_config *config)
{
	RG_AUTO_PTR(rg_checks) checks = NULL;

	*out = NULL;
	RG_TRY(rg_checks_load(&checks, config));
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	for (size_t i = 0; i < checks->count; i++) {
		append_file(&text, &checks->items[i].listed);
		for (size_t k = 0; k < checks->items[i].unless_count; k++)
			append_file(&text, &checks->items[i].unless[k]);
	}
	*out = rg_strdup(text.length ? text.data : "");
	return NULL;
}

/* --- the files beside a golden --- */

typedef struct rg_check_file {
	const char *name;   /* the check's */
	rg_yaml_file *yaml; /* NULL: there is no such file */
} check_file;

static rg_error *read_in_folder(const char *folder, const char *path, rg_buf *out)
{
	int fd;
	RG_AUTO_FREE char *full = rg_textf("%s%s", folder, path);
	rg_error *err = rg_file_open(&fd, full, O_NOFOLLOW);
	if (!err) {
		err = rg_file_read_descriptor(out, fd, full);
		close(fd); /* read-only: nothing can be lost */
	} else if (rg_error_errno(err) == ELOOP) {
		rg_error_free(err);
		err = rg_error_new(RG_E_USAGE, "is a link, which may lead anywhere");
	}
	return rg_error_drop_subject(err, full);
}

static rg_error *read_in_archive(const rg_members *archive, const char *path, rg_buf *out)
{
	const rg_member *member = rg_members_find(archive, path);
	return member ? rg_member_read(member, out) : rg_error_io(ENOENT, "%s", path);
}

/* *there is false where the golden has no such file beside it. */
static rg_error *read_bytes(const rg_check_place *place, const char *name, rg_buf *out, bool *there)
{
	RG_AUTO_FREE char *path = rg_path_sibling(place->path, name);
	rg_error *err = *place->tree ? rg_worktree_file_at(place->worktree, place->tree, path, out)
			: place->archive ? read_in_archive(place->archive, path, out)
					 : read_in_folder(place->folder, path, out);
	*there = !err;
	if (err && (rg_error_get_code(err) == RG_E_NOTFOUND || rg_error_errno(err) == ENOENT)) {
		rg_error_free(err);
		return NULL;
	}
	return err;
}

/* *out is NULL where there is no such file. */
static rg_error *find_yaml(rg_check_folder *folder, const char *name, rg_yaml_file **out)
{
	check_file *files = folder->files;
	for (size_t i = 0; i < folder->count; i++)
		if (!strcmp(files[i].name, name)) {
			*out = files[i].yaml;
			return NULL;
		}
	rg_grow(&folder->files, &folder->capacity, folder->count + 1, sizeof(*folder->files));
	bool there;

	*out = NULL;
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_YAML_BYTES_MAX);
	rg_error *err = read_bytes(folder->place, name, &bytes, &there);
	if (!err && there)
		err = rg_yaml_file_parse(out, bytes.data ? bytes.data : "", bytes.length);
	RG_TRY(rg_error_wrap(err, "%s", name));
	folder->files[folder->count++] = (check_file){name, *out};
	return NULL;
}

static rg_error *is_one(void *context, const rg_checks_setting *setting, bool *out)
{
	rg_yaml_file *yaml;
	*out = false;
	RG_TRY(find_yaml(context, setting->file, &yaml));
	const char *value = yaml ? rg_yaml_file_variable(yaml, setting->name) : NULL;
	*out = value && !strcmp(value, "1");
	return NULL;
}

static rg_error *list(void *context, const rg_checks_setting *setting, const char *const **names,
		      size_t *count)
{
	rg_yaml_file *yaml;
	*names = NULL;
	*count = 0;
	RG_TRY(find_yaml(context, setting->file, &yaml));
	if (!yaml)
		return NULL;
	return rg_error_wrap(rg_yaml_file_list(yaml, setting->name, names, count), "%s",
			     setting->file);
}

void rg_check_folder_open(rg_check_folder *folder, const rg_check_place *place,
			  rg_checks_beside *out)
{
	*folder = (rg_check_folder){.place = place};
	*out = (rg_checks_beside){is_one, list, folder};
}

void rg_check_folder_release(rg_check_folder *folder)
{
	for (size_t i = 0; i < folder->count; i++)
		rg_yaml_file_free(folder->files[i].yaml);
	free(folder->files);
}

rg_error *rg_check_folder_has(rg_check_folder *folder, const char *name, bool *out)
{
	rg_yaml_file *yaml;
	*out = false;
	RG_TRY(find_yaml(folder, name, &yaml));
	*out = yaml != NULL;
	return NULL;
}

rg_error *rg_check_rules_apply(const rg_checks *checks, rg_comparison *comparison,
			       const rg_golden *old, const rg_golden *fresh,
			       const rg_check_place *place)
{
	RG_AUTO(rg_check_folder) folder = {0};
	rg_checks_beside beside;

	rg_check_folder_open(&folder, place, &beside);
	return rg_checks_apply(checks, comparison, old, fresh, &beside);
}
