/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_FAULT_KIND_H
#define REGILD_TESTS_HUB_FAULT_KIND_H

#include "hub/fault.h"

/* What each kind of fault does to a request and to its answer. */

typedef struct {
	const char *name;
	unsigned sides;
	bool needs_field;
	void (*before)(const fault *strike, request *req);
	void (*after)(const fault *strike, const struct hub *state, const request *req, reply *out);
} fault_kind;

struct fault {
	const fault_kind *kind;
	side which;
	uint64_t every, first; /* 0: not given */
	char *match, *field;   /* NULL: not given */
	double seconds;        /* below 0: not given */
	uint64_t bytes, value; /* UINT64_MAX: not given */
	uint64_t seen;         /* requests that match, so far */
};

extern const fault_kind fault_kinds[];
extern const size_t fault_kind_count;

#endif
