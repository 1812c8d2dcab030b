/* SPDX-License-Identifier: Apache-2.0 */
#include "update/record.h"

#include "base/memory.h"
#include "base/file.h"
#include "base/fields.h"

#include <stdlib.h>
#include <string.h>

static const char schema[] = "regild-update-log";

enum { RECORD_MAX = 256 << 20, MODE_MAX = 07777, INDEX_MODE_MAX = 0177777 };

static const char *const kind_texts[] = {
	[RG_RECORD_UPDATE] = "update",
	[RG_RECORD_UNDO] = "undo",
	[RG_RECORD_RESET] = "reset",
};
enum { KINDS = sizeof(kind_texts) / sizeof(*kind_texts) };

const char *rg_record_kind_text(rg_record_kind kind)
{
	return kind_texts[kind];
}

void rg_record_init(rg_record *record)
{
	*record = (rg_record){0};
	rg_arena_init(&record->arena);
}

void rg_record_release(rg_record *record)
{
	free(record->entries);
	rg_arena_release(&record->arena);
	rg_record_init(record);
}

rg_entry *rg_record_add(rg_record *record, const char *path)
{
	rg_entry *entry = RG_PUSH(record->entries, record->count, record->capacity);
	*entry = (rg_entry){.path = rg_arena_text(&record->arena, path)};
	return entry;
}

bool rg_record_touches_index(const rg_record *record)
{
	for (size_t i = 0; i < record->count; i++)
		if (record->entries[i].index.known)
			return true;
	return false;
}

static const rg_json_field side_fields[] = {RG_JSON_FIELD(rg_side, size),
					    RG_JSON_FIELD(rg_side, offset),
					    RG_JSON_FIELD(rg_side, sha256),
					    {0}};
static const rg_json_field record_fields[] = {RG_JSON_FIELD(rg_record, id),
					      RG_JSON_FIELD(rg_record, of),
					      RG_JSON_FIELD(rg_record, about),
					      {0}};

static void put_side(rg_json_out *json, const char *key, const rg_side *side)
{
	if (!side->exists)
		return;
	rg_json_key_open(json, key, '{');
	rg_json_key_count(json, "mode", side->mode);
	rg_json_put_fields(json, side_fields, side, NULL);
	rg_json_close(json, '}');
}

/* An empty object: the index had no entry. */
static void put_index(rg_json_out *json, const rg_index_side *index)
{
	if (!index->known)
		return;
	rg_json_key_open(json, "index", '{');
	if (*index->id) {
		rg_json_key_count(json, "mode", index->mode);
		rg_json_key_text(json, "id", index->id);
	}
	rg_json_close(json, '}');
}

rg_error *rg_record_write(const rg_record *record, rg_buf *out)
{
	rg_json_out json;
	rg_json_document(&json, out, schema);
	rg_json_key_text(&json, "kind", kind_texts[record->kind]);
	rg_json_key_count(&json, "time", record->time > 0 ? (uint64_t)record->time : 0);
	rg_json_put_fields(&json, record_fields, record, NULL);
	rg_json_key_open(&json, "entries", '[');
	for (size_t i = 0; i < record->count; i++) {
		rg_json_open_flat(&json, '{');
		rg_json_key(&json, "path");
		rg_json_path(&json, record->entries[i].path);
		put_side(&json, "old", &record->entries[i].old);
		put_side(&json, "new", &record->entries[i].new_side);
		put_index(&json, &record->entries[i].index);
		rg_json_close(&json, '}');
	}
	rg_json_close(&json, ']');
	rg_json_close(&json, '}');
	return rg_buf_check(out, "journal");
}

static rg_error *get_side(const rg_json_in *in, const cJSON *item, const char *key, rg_side *out)
{
	const cJSON *object;
	uint64_t mode;

	if (!rg_json_member(item, key))
		return NULL;
	RG_TRY(rg_json_get_object(in, item, key, &object));
	out->exists = true;
	RG_TRY(rg_json_get_count(in, object, "mode", MODE_MAX, &mode));
	out->mode = (mode_t)mode;
	return rg_json_get_fields(in, object, side_fields, out);
}

static rg_error *get_index(const rg_json_in *in, const cJSON *item, rg_index_side *out)
{
	const cJSON *object;
	const char *id;
	uint64_t mode;

	if (!rg_json_member(item, "index"))
		return NULL;
	RG_TRY(rg_json_get_object(in, item, "index", &object));
	RG_TRY(rg_json_get_optional(in, object, "id", &id));
	out->known = true;
	if (!id)
		return NULL;
	if (strlen(id) != sizeof(out->id) - 1 ||
	    strspn(id, "0123456789abcdef") != sizeof(out->id) - 1)
		return rg_json_wrong(in, object, "id", "is not 40 lower-case hexadecimal digits");
	memcpy(out->id, id, sizeof(out->id));
	RG_TRY(rg_json_get_count(in, object, "mode", INDEX_MODE_MAX, &mode));
	out->mode = (unsigned)mode;
	return NULL;
}

static rg_error *get_entries(rg_record *record, const rg_json_in *in)
{
	const cJSON *entries, *item;
	size_t count;

	RG_TRY(rg_json_get_objects(in, in->root, "entries", &entries, &count));
	cJSON_ArrayForEach(item, entries)
	{
		const char *path;
		RG_TRY(rg_json_get_path(in, item, "path", &path));
		rg_entry *entry = rg_record_add(record, path);
		RG_TRY(get_side(in, item, "old", &entry->old));
		RG_TRY(get_side(in, item, "new", &entry->new_side));
		RG_TRY(get_index(in, item, &entry->index));
	}
	return NULL;
}

/* Paths may hold bytes that are not UTF-8. */
rg_error *rg_record_parse(rg_record *out, const char *text, size_t length)
{
	RG_AUTO_PTR(cJSON) root = NULL;
	uint64_t when;
	size_t kind;

	RG_TRY(rg_json_parse_bytes(&root, text, length));
	const rg_json_in in = {root, &out->arena};
	RG_TRY(rg_json_get_head(&in, schema));
	RG_TRY(rg_json_get_word(&in, root, "kind", kind_texts, KINDS, &kind));
	out->kind = (rg_record_kind)kind;
	RG_TRY(rg_json_get_count(&in, root, "time", INT64_MAX, &when));
	out->time = (int64_t)when;
	RG_TRY(rg_json_get_fields(&in, root, record_fields, out));
	return get_entries(out, &in);
}

rg_error *rg_record_save(const rg_record *record, const char *dir)
{
	RG_AUTO_FREE char *path = rg_path_join(dir, "record.json");
	RG_AUTO(rg_buf) text = rg_buf_of(RECORD_MAX);
	RG_TRY(rg_record_write(record, &text));
	return rg_file_replace(path, text.data, text.length, 0666);
}

rg_error *rg_record_load(rg_record *out, const char *dir)
{
	RG_AUTO_FREE char *path = rg_path_join(dir, "record.json");
	RG_AUTO(rg_buf) text = rg_buf_of(RECORD_MAX);
	RG_TRY(rg_file_read_regular(&text, path));
	return rg_error_wrap(rg_record_parse(out, text.data, text.length), "%s", path);
}
