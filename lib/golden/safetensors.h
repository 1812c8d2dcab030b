/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_SAFETENSORS_H
#define REGILD_GOLDEN_SAFETENSORS_H

/*
 * Hugging Face's .safetensors (github.com/huggingface/safetensors, "Format"): eight bytes of header
 * size, a JSON object {NAME: {"dtype", "shape", "data_offsets"}}, the tensors. A series a tensor,
 * under its name. rg_format_safetensors in golden/format.h reads it; the header may be as large as
 * the format's own limit.
 */
#define RG_SAFETENSORS_HEADER_MAX 100000000

#endif
