#ifndef REGILD_BASE_JSON_OUT_H
#define REGILD_BASE_JSON_OUT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * JSON written straight into a buffer, for documents too large for a tree. Doubles as
 * rg_double_repr writes them, NaN and infinities as null. Texts are UTF-8; bytes that are not come
 * out as U+FFFD. Objects and arrays are laid out one member a line, `flat` ones on one line.
 */
typedef struct {
	rg_buf *out;
	unsigned depth;
	unsigned flat; /* depth from which on there are no line ends; 0: none */
	bool first;    /* nothing stands in the open object or array yet */
	bool keyed;    /* a key was written, its value comes */
} rg_json_out;

void rg_json_out_init(rg_json_out *json, rg_buf *out);
/* '{' or '[' */
void rg_json_open(rg_json_out *json, char bracket);
void rg_json_open_flat(rg_json_out *json, char bracket);
/* '}' or ']' */
void rg_json_close(rg_json_out *json, char bracket);
void rg_json_key(rg_json_out *json, const char *key);
/* NULL: null. */
void rg_json_text(rg_json_out *json, const char *text);
void rg_json_number(rg_json_out *json, double value);
void rg_json_count(rg_json_out *json, uint64_t value);
void rg_json_integer(rg_json_out *json, int64_t value);
void rg_json_truth(rg_json_out *json, bool value);

/* A key and its value at once. */
void rg_json_key_text(rg_json_out *json, const char *key, const char *text);
void rg_json_key_number(rg_json_out *json, const char *key, double value);
void rg_json_key_count(rg_json_out *json, const char *key, uint64_t value);
void rg_json_key_truth(rg_json_out *json, const char *key, bool value);

#endif
