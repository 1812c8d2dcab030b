/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_NAME_PATTERN_H
#define REGILD_BASE_NAME_PATTERN_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The name patterns of [jobs], [source] and [names]: literal text with fields in braces,
 * "{stage}/{test} - {tag}". Names are compared without regard to case. A field takes at least one
 * character and neither begins nor ends with a blank; {stage}, {repeat}, {restart} and {folder}
 * hold no '/', {attempt} is a number; where a name can be split in several ways the earlier field
 * takes as much as it can.
 */
typedef enum {
	RG_FIELD_STAGE,
	RG_FIELD_TEST,
	RG_FIELD_TAG,
	RG_FIELD_RUN,
	RG_FIELD_UNIQUE,
	RG_FIELD_FILE,
	RG_FIELD_REPEAT,
	RG_FIELD_RESTART,
	RG_FIELD_FOLDER,
	RG_FIELD_VARIANT,
	RG_FIELD_JOB,
	RG_FIELD_PATH,
	RG_FIELD_ATTEMPT,
	RG_FIELD_SHARD,
	RG_FIELD_ANY,
	RG_FIELD_COUNT,
} rg_field;

typedef struct {
	const char *start; /* into the name that was matched; NULL: the field is not in it */
	size_t length;
} rg_field_value;

typedef struct {
	rg_field_value fields[RG_FIELD_COUNT];
} rg_name_fields;

typedef struct rg_name_pattern rg_name_pattern;

/* With this bit in `allowed` no field but {path} holds a '/': the pattern is that of a path. */
#define RG_FIELDS_ONE_PART (1u << RG_FIELD_COUNT)
/* The same, but {test} holds one, too. */
#define RG_FIELDS_TEST_PARTS (RG_FIELDS_ONE_PART | 1u << (RG_FIELD_COUNT + 1))

/*
 * `allowed` is the set of fields that make sense, as bits 1 << RG_FIELD_…; `key` names the setting
 * in messages. RG_E_USAGE for an unknown or unclosed field, one other than {any} that appears
 * twice, and two without text between them. The pattern is in the arena.
 */
RG_CHECKED rg_error *rg_name_pattern_new(rg_name_pattern **out, rg_arena *arena,
					 const char *pattern, unsigned allowed, const char *key);
bool rg_name_pattern_has(const rg_name_pattern *pattern, rg_field field);
/* The fields that it has, as bits. */
unsigned rg_name_pattern_fields(const rg_name_pattern *pattern);
/* "test", "stage", …: what is in the braces. */
const char *rg_field_name(rg_field field);

/* Does the whole name fit? Fields that are set in `fixed` (may be NULL) match that text alone. A
 * pattern that ends with {tag} also fits a name without the tag and the text before it. */
bool rg_name_match(const rg_name_pattern *pattern, const char *name, const rg_name_fields *fixed,
		   rg_name_fields *out);

/* Would it fit if a field could begin and end with blanks? */
bool rg_name_match_but_for_blanks(const rg_name_pattern *pattern, const char *name);

/* Sets {job} to the whole of a job's name, and {test}, too, if it has no text yet. */
void rg_fields_name_test(rg_name_fields *fields, const char *job);

/*
 * names.test reads a golden's test from its path below the root: patterns of paths with {stage},
 * {test}, {variant} and {tag}, blanks between them; the first that fits counts. Fields point into
 * `path`; false if none fits. A pattern that makes no sense is RG_E_USAGE from the check, and fits
 * nothing.
 */
RG_CHECKED rg_error *rg_path_names_check(const char *patterns);
bool rg_path_names_match(const char *patterns, const char *path, rg_name_fields *out);

/* A glob for all names that fit, but for their case: `*` for each field, `**` for {path}, `file`, a
 * glob, for {file}. The caller's to free. */
char *rg_name_glob(const rg_name_pattern *pattern, const char *file);

/* The pattern with its fields put in, RG_E_UNSAFE where one of them is not known; *out is the
 * caller's to free. */
RG_CHECKED rg_error *rg_name_expand(char **out, const rg_name_pattern *pattern,
				    const rg_name_fields *fields);

/* A name as uploaders write it into an artifact's: lower-case ASCII, and '-' for the characters
 * that an artifact's name cannot hold (" : < > | * ? \ / and line ends). NULL: out of memory. */
char *rg_name_fold(rg_arena *arena, const char *text, size_t length);

#endif
