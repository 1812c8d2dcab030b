#ifndef REGILD_UPDATE_DOCUMENT_H
#define REGILD_UPDATE_DOCUMENT_H

#include "base/buf.h"
#include "base/digest.h"
#include "base/memory.h"

#include <cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The state files of lib/update (manifest, record) through cJSON. Numbers are whole and at most
 * 2^53, which is what a double holds.
 */
#define RG_DOCUMENT_NUMBER_MAX ((uint64_t)1 << 53)
enum { RG_DOCUMENT_ITEMS_MAX = 1000000 };

/* Writing: the first failure sticks and is asked for at the end; what comes after it is harmless.
 */
typedef struct {
	rg_error *err;
} rg_document_writer;

void rg_document_fail(rg_document_writer *w, rg_error *err);
/* A NULL text is written as null. */
void rg_document_put_text(rg_document_writer *w, cJSON *object, const char *key, const char *text);
void rg_document_put_number(rg_document_writer *w, cJSON *object, const char *key, uint64_t number);
/* Owned by their parent; NULL after a failure. */
cJSON *rg_document_put_object(rg_document_writer *w, cJSON *parent, const char *key);
cJSON *rg_document_put_array(rg_document_writer *w, cJSON *parent, const char *key);
cJSON *rg_document_put_item(rg_document_writer *w, cJSON *array);
/* Prints `root` into `out` where nothing failed, frees it, and gives the first failure back. */
RG_CHECKED rg_error *rg_document_finish(rg_document_writer *w, cJSON *root, rg_buf *out,
					const char *what);

/* Parses a whole text; *out is the caller's to cJSON_Delete. RG_E_PARSE with the byte. */
RG_CHECKED rg_error *rg_document_parse(cJSON **out, const char *text, size_t length);
/* RG_E_PARSE "'KEY' WHAT". */
RG_CHECKED rg_error *rg_document_wrong(const char *key, const char *what);

/* Reading: RG_E_PARSE, naming the key, for what does not fit. Texts are copied into the arena; null
 * and a missing key are NULL unless `required`. A path has passed rg_path_check. */
RG_CHECKED rg_error *rg_document_get_text(rg_arena *arena, const cJSON *object, const char *key,
					  bool required, const char **out);
RG_CHECKED rg_error *rg_document_get_path(rg_arena *arena, const cJSON *object, const char *key,
					  const char **out);
RG_CHECKED rg_error *rg_document_get_number(const cJSON *object, const char *key, uint64_t max,
					    uint64_t *out);
RG_CHECKED rg_error *rg_document_get_sha256(const cJSON *object, const char *key,
					    char out[static RG_SHA256_HEX]);
/* A list of objects, and how many there are. */
RG_CHECKED rg_error *rg_document_get_array(const cJSON *object, const char *key, const cJSON **out,
					   size_t *count);

#endif
