#ifndef REGILD_CMD_FORMAT_OPTIONS_H
#define REGILD_CMD_FORMAT_OPTIONS_H

#include "command.h"
#include "golden/golden.h"

/* What the user says of goldens that do not say it themselves. */
typedef struct {
	const char *dtype, *shape; /* of raw tensors */
	option_integer run_index;  /* of opdiff results */
} format_arguments;

/* The options for readers, from flags and the [tensor "PATTERN"] sections. */
typedef struct {
	rg_golden_options options;
	rg_tensor_type *types; /* owned; options point at them */
} format_options;

/* `arguments` may be NULL. RG_E_USAGE for a type or shape that is none, naming where it stands.
 * `loaded` is released whatever comes back. */
RG_CHECKED rg_error *format_options_load(format_options *loaded, const environment *env,
					 const format_arguments *arguments);
void format_options_release(format_options *loaded);

#endif
