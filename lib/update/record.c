#include "update/record.h"

#include "base/file.h"
#include "update/document.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEMA_VERSION = 1, RECORD_MAX = 256 << 20, MODE_MAX = 07777 };

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

rg_error *rg_record_add(rg_record *record, const char *path, rg_entry **out)
{
	char *copy = rg_arena_copy(&record->arena, path, strlen(path));

	if (!copy)
		return rg_error_nomem();
	RG_TRY(rg_grow(&record->entries, &record->capacity, record->count + 1,
		       sizeof(*record->entries)));
	*out = &record->entries[record->count++];
	**out = (rg_entry){.path = copy};
	return NULL;
}

bool rg_side_equal(const rg_side *a, const rg_side *b)
{
	if (!a->exists || !b->exists)
		return a->exists == b->exists;
	return a->size == b->size && !((a->mode ^ b->mode) & 0100) && !strcmp(a->sha256, b->sha256);
}

static void put_side(rg_document_writer *w, cJSON *item, const char *key, const rg_side *side)
{
	cJSON *object;

	if (!side->exists)
		return;
	object = rg_document_put_object(w, item, key);
	rg_document_put_number(w, object, "mode", side->mode);
	rg_document_put_number(w, object, "size", side->size);
	rg_document_put_number(w, object, "offset", side->offset);
	rg_document_put_text(w, object, "sha256", side->sha256);
}

rg_error *rg_record_write(const rg_record *record, rg_buf *out)
{
	rg_document_writer w = {NULL};
	cJSON *root = cJSON_CreateObject(), *entries, *item;
	size_t i;

	rg_document_put_number(&w, root, "version", SCHEMA_VERSION);
	rg_document_put_number(&w, root, "id", record->id);
	rg_document_put_text(&w, root, "kind", kind_texts[record->kind]);
	rg_document_put_number(&w, root, "time", record->time > 0 ? (uint64_t)record->time : 0);
	rg_document_put_number(&w, root, "of", record->of);
	rg_document_put_text(&w, root, "about", record->about);
	entries = rg_document_put_array(&w, root, "entries");
	for (i = 0; i < record->count && !w.err; i++) {
		item = rg_document_put_item(&w, entries);
		rg_document_put_text(&w, item, "path", record->entries[i].path);
		put_side(&w, item, "old", &record->entries[i].old);
		put_side(&w, item, "new", &record->entries[i].new);
	}
	return rg_document_finish(&w, root, out, "journal");
}

static rg_error *get_side(const cJSON *item, const char *key, rg_side *out)
{
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(item, key);
	uint64_t mode;

	if (!object)
		return NULL;
	out->exists = true;
	RG_TRY(rg_document_get_number(object, "mode", MODE_MAX, &mode));
	out->mode = (mode_t)mode;
	RG_TRY(rg_document_get_number(object, "size", RG_DOCUMENT_NUMBER_MAX, &out->size));
	RG_TRY(rg_document_get_number(object, "offset", RG_DOCUMENT_NUMBER_MAX, &out->offset));
	return rg_document_get_sha256(object, "sha256", out->sha256);
}

static rg_error *get_entry(rg_record *record, const cJSON *item)
{
	const char *path = NULL;
	rg_entry *entry = NULL;

	RG_TRY(rg_document_get_path(&record->arena, item, "path", &path));
	RG_TRY(rg_record_add(record, path, &entry));
	RG_TRY(rg_error_wrap(get_side(item, "old", &entry->old), "%s", path));
	return rg_error_wrap(get_side(item, "new", &entry->new), "%s", path);
}

static rg_error *get_entries(rg_record *record, const cJSON *root)
{
	const cJSON *entries, *item;
	size_t count;

	RG_TRY(rg_document_get_array(root, "entries", &entries, &count));
	cJSON_ArrayForEach(item, entries)
	{
		RG_TRY(get_entry(record, item));
	}
	return NULL;
}

static rg_error *get_kind(const cJSON *root, rg_record_kind *out)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "kind"));
	int i;

	for (i = 0; text && i < KINDS; i++)
		if (!strcmp(text, kind_texts[i])) {
			*out = (rg_record_kind)i;
			return NULL;
		}
	return rg_document_wrong("kind", "is not a known one");
}

static rg_error *get_document(rg_record *record, const cJSON *root)
{
	uint64_t version, when;

	RG_TRY(rg_document_get_number(root, "version", RG_DOCUMENT_NUMBER_MAX, &version));
	if (version != SCHEMA_VERSION)
		return rg_error_new(RG_E_PARSE, "version %llu, but this regild reads version %d",
				    (unsigned long long)version, SCHEMA_VERSION);
	RG_TRY(rg_document_get_number(root, "id", RG_DOCUMENT_NUMBER_MAX, &record->id));
	RG_TRY(get_kind(root, &record->kind));
	RG_TRY(rg_document_get_number(root, "time", RG_DOCUMENT_NUMBER_MAX, &when));
	record->time = (int64_t)when;
	RG_TRY(rg_document_get_number(root, "of", RG_DOCUMENT_NUMBER_MAX, &record->of));
	RG_TRY(rg_document_get_text(&record->arena, root, "about", false, &record->about));
	return get_entries(record, root);
}

rg_error *rg_record_parse(rg_record *out, const char *text, size_t length)
{
	rg_error *err;
	cJSON *root;

	RG_TRY(rg_document_parse(&root, text, length));
	err = get_document(out, root);
	cJSON_Delete(root);
	return err;
}

rg_error *rg_record_save(const rg_record *record, const char *dir)
{
	rg_error *err;
	char *path;
	rg_buf text;

	RG_TRY(rg_path_join(&path, dir, "record.json"));
	rg_buf_init(&text, RECORD_MAX);
	err = rg_record_write(record, &text);
	if (!err)
		err = rg_file_replace(path, text.data, text.length, 0666);
	rg_buf_release(&text);
	free(path);
	return err;
}

rg_error *rg_record_load(rg_record *out, const char *dir)
{
	rg_error *err;
	char *path;
	rg_buf text;

	RG_TRY(rg_path_join(&path, dir, "record.json"));
	rg_buf_init(&text, RECORD_MAX);
	err = rg_file_read_regular(&text, path);
	if (!err)
		err = rg_error_wrap(rg_record_parse(out, text.data, text.length), "%s", path);
	rg_buf_release(&text);
	free(path);
	return err;
}
