/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_PTD_H
#define REGILD_GOLDEN_PTD_H

#include "golden/executorch/pte.h"

/*
 * ExecuTorch's external data (.ptd, extension/flat_tensor/serialize/flat_tensor.fbs, identifier
 * FT01): named tensors and other bytes that programs point to. Several names may share bytes.
 */
typedef struct {
	const char *name;
	bool is_tensor;
	rg_program_value as;    /* a tensor's type and shape, as programs say them */
	rg_tensor tensor;       /* `data` and `size` of what is no tensor, or cannot be read */
	const char *unreadable; /* why a tensor cannot be read; NULL: it can */
} rg_external_data;

typedef struct {
	rg_external_data *items; /* ascending by name */
	size_t count, capacity;
	rg_arena arena; /* owns the texts; `items` is malloc'd */
} rg_external_file;

/* Borrows `data`. `out` needs rg_external_file_release afterwards, whatever comes back. RG_E_PARSE
 * and RG_E_LIMIT for what is truncated or hostile. */
RG_CHECKED rg_error *rg_external_read(rg_external_file *out, const void *data, size_t size);
void rg_external_file_release(rg_external_file *file);
/* NULL where there is none. */
const rg_external_data *rg_external_find(const rg_external_file *file, const char *name);

/* Names that a program's external data may have: MODEL.ptd, and those that the exporter gives.
 * The caller's to free; NULL after the last. */
char *rg_external_file_name(const char *program, size_t index);

#endif
