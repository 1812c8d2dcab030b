/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_FAULT_H
#define REGILD_TESTS_HUB_FAULT_H

#include "hub/reply.h"

#include <stdint.h>

/*
 * What goes wrong, on purpose: `--fault SIDE:KIND[,KEY=VALUE…]`, see README.md. A fault counts the
 * requests of its side that match it and strikes some of them, by their number alone.
 */
typedef enum { SIDE_API = 1, SIDE_STORE = 2 } side;

typedef struct fault fault;

typedef struct {
	fault *items;
	size_t count, capacity;
} fault_list;

#define FAULTS_A_REQUEST 32

/* The faults that strike one request. */
typedef struct {
	const fault *items[FAULTS_A_REQUEST];
	size_t count;
} fault_strikes;

struct hub;

/* RG_E_USAGE for what is no such thing. */
RG_CHECKED rg_error *fault_add(fault_list *list, const char *text);
void fault_release(fault_list *list);

/* Counts the request and says which faults strike it. Not safe for several threads at once. */
void fault_count(fault_list *list, side which, const char *path, fault_strikes *out);
/* What has to happen before the request is answered. */
void fault_before(const fault_strikes *strikes, request *req);
/* … and afterwards, to the answer and to how it is sent. */
void fault_after(const fault_strikes *strikes, const struct hub *state, const request *req,
		 reply *out);
/* "cut+slow": the names of those that strike; "" where there are none. */
void fault_names(const fault_strikes *strikes, char *out, size_t size);

#endif
