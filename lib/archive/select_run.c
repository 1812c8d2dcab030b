/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/select_run.h"

#include "base/memory.h"

#include <string.h>

const char *rg_selecting_name(rg_selection *out, const char *via, const char *name)
{
	size_t length = strlen(via), name_length = strlen(name);
	if (!length)
		return rg_arena_copy(&out->arena, name, name_length);
	char *full = rg_arena_alloc(&out->arena, length + name_length + 2);
	memcpy(full, via, length);
	full[length] = '!';
	memcpy(full + length + 1, name, name_length);
	return full;
}

void rg_selecting_refuse(rg_selection *out, const char *via, const char *name, const char *reason,
			 rg_error_code code, bool wanted)
{
	rg_grow(&out->refusals, &out->capacity, out->count + 1, sizeof(*out->refusals));
	rg_refusal *refusal = &out->refusals[out->count];
	refusal->name = rg_selecting_name(out, via, name);
	refusal->reason = rg_arena_copy(&out->arena, reason, strlen(reason));
	refusal->code = code;
	refusal->wanted = wanted;
	out->count++;
	out->wanted += wanted;
}

void rg_selecting_refuse_member(rg_selection *out, const char *via, const char *name,
				rg_refused refused, const char *why, bool folder, bool wanted)
{
	/* Which golden an unsafe name is to stand for, none can tell. */
	wanted = (wanted || refused == RG_REFUSED_NAME) && !folder;
	rg_selecting_refuse(out, via, name, why, rg_refused_code(refused), wanted);
}

rg_error *rg_selecting_settle(rg_selection *out, const char *via, const char *name, rg_error *err,
			      bool of_member)
{
	if (!err || !of_member)
		return err;
	rg_selecting_refuse(out, via, name, rg_error_message(err), rg_error_get_code(err), true);
	rg_error_free(err);
	return NULL;
}

rg_error *rg_selecting_hand_out(rg_selecting *run, const rg_selected *selected, const bool *bad)
{
	rg_error *err = run->take(run->context, selected);
	if (err)
		return rg_selecting_settle(run->out, selected->via, selected->path, err, *bad);
	run->out->taken++;
	run->out->bytes += selected->size;
	return NULL;
}
