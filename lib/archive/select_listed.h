/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_SELECT_LISTED_H
#define REGILD_ARCHIVE_SELECT_LISTED_H

#include "archive/select.h"

/* A selection under way, whatever it is from: what the kinds of archives have in common. */
typedef struct {
	rg_selection *out;
	rg_zip_limits limits;
	rg_selected_fn *take;
	void *context;
	uint64_t inner_members; /* of all zips inside the archive that were opened */
} rg_selecting;

/* `limits` NULL: the defaults. */
rg_selecting rg_selecting_of(rg_selection *out, const rg_zip_limits *limits, rg_selected_fn *take,
			     void *context);
/* Takes `err` over: why the member cannot be had. */
void rg_selecting_refuse(rg_selection *out, const char *via, const char *name, rg_error *err,
			 bool wanted);
/* The source of listed members' bytes: one of the two functions. */
typedef struct {
	rg_listed_read *read;
	/* For bytes that are at hand. *out is good until the next call; what fails, fails for this
	 * member alone. */
	rg_error *(*open)(void *source, size_t index, const rg_reader **out);
	void *source;
} rg_listed_source;

/* As rg_select_list. */
RG_CHECKED rg_error *rg_select_listed(rg_selecting *run, rg_listed *members, size_t member_count,
				      const rg_listed_source *source, const char *const *patterns,
				      size_t count);

#endif
