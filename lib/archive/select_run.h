/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_SELECT_RUN_H
#define REGILD_ARCHIVE_SELECT_RUN_H

#include "archive/select.h"

/* A selection under way, whatever it is from: what the kinds of archives have in common. */
typedef struct {
	rg_selection *out;
	const rg_zip_limits *limits;
	rg_selected_fn *take;
	void *context;
	uint64_t inner_members; /* of all zips inside the archive that were opened */
} rg_selecting;

/* "VIA!NAME", or NAME at the top; in the selection's arena. NULL out of memory. */
const char *rg_selecting_name(rg_selection *out, const char *via, const char *name);

void rg_selecting_refuse(rg_selection *out, const char *via, const char *name, const char *reason,
			 rg_error_code code, bool wanted);
/* One that its archive refused already. `wanted`: a pattern asks for it. */
void rg_selecting_refuse_member(rg_selection *out, const char *via, const char *name,
				rg_refused refused, const char *why, bool folder, bool wanted);
/* Turns an error about one member into a refusal (returns NULL); others come back. */
RG_CHECKED rg_error *rg_selecting_settle(rg_selection *out, const char *via, const char *name,
					 rg_error *err, bool of_member);

/* Hands `selected` out. *bad, which its `read` sets: it is not what it should be, which makes it a
 * refusal. */
RG_CHECKED rg_error *rg_selecting_hand_out(rg_selecting *run, const rg_selected *selected,
					   const bool *bad);

#endif
