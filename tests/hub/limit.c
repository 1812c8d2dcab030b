/* SPDX-License-Identifier: Apache-2.0 */
/* What both APIs do alike: count requests, and answer 304. */
#include "hub/hub.h"

#include "base/digest.h"

#include <string.h>
#include <time.h>

bool limit_take(hub *state)
{
	int64_t now = time(NULL);
	bool left;

	pthread_mutex_lock(&state->lock);
	if (now >= state->rate_reset) {
		state->rate_used = 0;
		state->rate_reset = now + state->rate_window;
	}
	left = state->rate_used < state->rate_limit;
	state->rate_used += left;
	pthread_mutex_unlock(&state->lock);
	return left;
}

uint64_t limit_used(hub *state, bool refund, int64_t *reset)
{
	uint64_t used;

	pthread_mutex_lock(&state->lock);
	if (refund && state->rate_used)
		state->rate_used--;
	used = state->rate_used;
	*reset = state->rate_reset;
	pthread_mutex_unlock(&state->lock);
	return used;
}

bool reply_revalidate(const request *req, reply *out)
{
	const char *known = request_header(req, "If-None-Match");
	char digest[RG_SHA256_HEX], tag[RG_SHA256_HEX + 8];
	rg_error *err;

	if (out->status != 200)
		return false;
	err = rg_sha256_hex(out->bytes, out->length, digest);
	if (err) {
		rg_error_free(err);
		out->failed = true;
		return false;
	}
	snprintf(tag, sizeof(tag), "W/\"%s\"", digest);
	reply_header(out, "ETag", "%s", tag);
	if (!known || !strstr(known, tag + 2))
		return false;
	out->status = 304;
	out->length = 0;
	return true;
}
