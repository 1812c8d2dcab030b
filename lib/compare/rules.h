/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_RULES_H
#define REGILD_COMPARE_RULES_H

#include "compare/checks_metric.h"
#include "golden/dtype.h"

/*
 * A rule is how a tool was seen to decide that two arrays are equal, with the tool's own
 * parameters and its surprises. man/regild-equal.7 is the table for people; tests/parts/rules.sh
 * runs the tools.
 */

/* Two values in the same position. */
typedef struct {
	double old, fresh;      /* the nearest doubles */
	long double was, is;    /* with every digit of whole numbers */
	rg_dtype from, to;      /* the types of the arrays */
	bool old_f32, both_f32; /* these arrays compute in float32 */
	bool both_whole;        /* both arrays have only whole numbers */
	bool new_whole;         /* the new one has */
	bool alone;             /* there are no others */
	bool typed;             /* both arrays are tensors, as JavaScript's typed arrays are */
} rg_tool_pair;

/* The values that are not equal: how many, and the sums of |old| and |old - new|. */
typedef struct {
	size_t count;
	long double old, off;
	bool same_bits; /* all values of both arrays have */
} rg_tool_sums;

typedef enum {
	RG_SHAPE_SAME,
	RG_SHAPE_SCALAR,    /* a value without dimensions is compared with each element */
	RG_SHAPE_STRETCHED, /* numpy's broadcasting */
	RG_SHAPE_SKIPPED,   /* other shapes are not compared, and pass */
} rg_tool_shape;

typedef enum {
	RG_TOOL_DATA = 1,        /* attributes of NetCDF and HDF5 are not compared */
	RG_TOOL_SCALARS = 2,     /* nor are tensors without dimensions */
	RG_TOOL_MASKS = 4,       /* a masked element equals anything */
	RG_TOOL_RAW = 8,         /* elements are compared as they are stored, unmasked and packed */
	RG_TOOL_NA = 16,         /* a cell NA is not NaN */
	RG_TOOL_DIMENSIONS = 32, /* compares the names of dimensions, with RG_TOOL_DATA */
} rg_tool_trait;

typedef struct rg_tool_rule {
	const char *name, *follows; /* the tool and its version */
	bool (*equal)(const rg_tool_pair *v, const double *p);
	/* Has the last word on arrays with values that are not equal; NULL: they fail. */
	bool (*whole)(const rg_tool_sums *s, const double *p, double *mean);
	rg_tool_shape shape;
	unsigned traits; /* rg_tool_trait */
	/* Other types are not compared, and pass; NULL: all are compared. */
	bool (*types)(rg_dtype old, rg_dtype fresh);
	/* Their names are the tool's, as keys of git's configuration are written: '-' for '_', and
	 * an option without its dashes. NULL: it cannot be set. A default of NaN: not given. */
	struct {
		const char *name;
		double standard;
	} parameters[RG_TOOL_PARAMETERS];
} rg_tool_rule;

/* NULL: no rule has this name. */
const rg_tool_rule *rg_tool_rule_find(const char *name);

/* Would the new values pass, by limits->rule? A block function may fail. */
RG_CHECKED rg_error *rg_tool_rule_judge(rg_checks_result *out, const rg_checks_limits *limits,
					const rg_metric *old, const rg_metric *fresh);

#endif
