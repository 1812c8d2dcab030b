/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CONFIG_CONFIG_H
#define REGILD_CONFIG_CONFIG_H

#include "base/cleanup.h"
#include "worktree/worktree.h"

#include <stdint.h>

/*
 * Settings, in rising order: a layout's (regild.layout; the built-in one is Megatron-LM's, unless a
 * [source "NAME"] names artifacts and [jobs] is not set), `.regild` at the
 * repository's root, git's own configuration (regild.*; [jobs] as regild.jobs.*, [metric "X"] as
 * regild.metric.X.*, and so on). Flags are the commands' own and come last.
 */
typedef struct rg_config rg_config;

/* Bytes of a full name ("metric.lm loss.flag") and how many settings there may be: more are refused
 * (RG_E_LIMIT) when they are read. */
enum { RG_CONFIG_NAME_MAX = 1000, RG_CONFIG_SETTINGS_MAX = 20000 };

/* `worktree` may be NULL: defaults and git's global configuration only. RG_E_USAGE with file and
 * line for a `.regild` that cannot be read, and for a root that is not a path inside the
 * repository; a setting that is not known is a warning in rg_config_warnings (keys of [metric "X"],
 * [tensor "X"] and [table "X"] are for their readers to know). A `.regild` comes with a clone:
 * RG_E_USAGE for one that is a link or includes another file, which may hold secrets. */
RG_CHECKED rg_error *rg_config_load(rg_config **out, rg_worktree *worktree);
void rg_config_free(rg_config *config);
RG_FREE_AT(rg_config)
/* NULL-terminated, owned by the config. */
const char *const *rg_config_warnings(const rg_config *config);

/* "regild.root", "regild.maxFile", … (case matters in a subsection only): NULL where neither set
 * nor defaulted. The root comes as paths below it begin, "" for the repository's top. Owned by the
 * config. */
const char *rg_config_get(const rg_config *config, const char *key);
/* Has nobody set a layout, a root or what CI jobs are called, so that Megatron-LM's is taken? */
bool rg_config_layout_is_assumed(const rg_config *config);
/* Has nobody set it? */
bool rg_config_is_default(const rg_config *config, const char *key);
/* Did `.regild` set it, which comes with a clone, and is not to be trusted as the user is? */
bool rg_config_is_from_clone(const rg_config *config, const char *key);
/* regild.files without the targets of [source "NAME"], which count as files of the repository but
 * are not looked for in artifacts; NULL: not set. */
const char *rg_config_own_files(const rg_config *config);
/* The globs that limit the files which a [source] takes as they are ("target = {path}"):
 * regild.files, where somebody has set it; NULL: nothing limits them. */
const char *rg_config_limiting_files(const rg_config *config);
/* The globs of goldens, for rg_globs_take: regild.files without names of variants. */
const char *rg_config_goldens(const rg_config *config);
/* The text between a golden's name and its variant's (base/variant.h), by regild.variants. */
const char *rg_config_variants(const rg_config *config);
/* A size ("256M") or count; `fallback` where it is not set; RG_E_USAGE where it is not a size. */
RG_CHECKED rg_error *rg_config_size(const rg_config *config, const char *key, uint64_t fallback,
				    uint64_t *out);

/* The largest golden that is taken, in bytes: regild.maxFile, or by default so many, as far as a
 * buffer holds that (base/buf.h). */
#define RG_CONFIG_GOLDEN_MAX ((size_t)1 << 30)
RG_CHECKED rg_error *rg_config_golden_max(const rg_config *config, size_t *out);
/* Adds the name of that setting to an error about its limit (RG_E_LIMIT); takes `err`, which may be
 * NULL or another one, and returns it. */
RG_CHECKED rg_error *rg_config_name_golden_max(rg_error *err);

/* Puts where a value was set (".regild: ") in front of an error about it; takes `err`, which may be
 * NULL, and returns it. */
RG_CHECKED rg_error *rg_config_blame(const rg_config *config, const char *key, rg_error *err);

/*
 * The subsections of a section, e.g. "metric" or "tensor", in the order in which they first appear:
 * *name is the pattern. False when `index` is past the last.
 */
bool rg_config_subsection(const rg_config *config, const char *section, size_t index,
			  const char **name);
/* The keys that a subsection has, ascending. False when `index` is past the last. */
bool rg_config_subsection_key(const rg_config *config, const char *section, const char *name,
			      size_t index, const char **key);
/* The value of a key in a subsection or NULL: ("metric", "lm loss", "noise"). */
const char *rg_config_subsection_get(const rg_config *config, const char *section, const char *name,
				     const char *key);
/* The values of a key that may be set several times, in their order: those of the highest place
 * that sets it, .regild's or git's own configuration's. False when `index` is past the last. */
bool rg_config_subsection_value(const rg_config *config, const char *section, const char *name,
				const char *key, size_t index, const char **value);
/* As rg_config_blame. */
RG_CHECKED rg_error *rg_config_subsection_blame(const rg_config *config, const char *section,
						const char *name, const char *key, rg_error *err);
/* Is that value the built-in one? */
bool rg_config_subsection_is_default(const rg_config *config, const char *section, const char *name,
				     const char *key);

#endif
