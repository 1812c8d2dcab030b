/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/metric_class.h"

#include "base/pattern.h"

#include <stddef.h>

/* The first that matches counts. */
static const struct {
	const char *pattern;
	rg_metric_class is;
} patterns[] = {
	{"*loss[-_ ]scale*", RG_CLASS_VALUE},
	{"*loss*", RG_CLASS_LOSS},
	{"*perplexity*", RG_CLASS_LOSS},
	{"mem-*", RG_CLASS_MEMORY},
	{"*memory*", RG_CLASS_MEMORY},
	{"*_mem", RG_CLASS_MEMORY},
	{"*throughput*", RG_CLASS_RATE},
	{"*time", RG_CLASS_TIME},
	{"*time[-_ ]*", RG_CLASS_TIME},
	{"*timing*", RG_CLASS_TIME},
	{"*latency*", RG_CLASS_TIME},
	{"*tpot*", RG_CLASS_TIME},
	{"*ttft*", RG_CLASS_TIME},
	{"num[-_]*", RG_CLASS_COUNT},
};

rg_metric_class rg_metric_class_of(const char *metric)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (rg_glob_match(patterns[i].pattern, metric,
				  RG_GLOB_ANY_SLASH | RG_GLOB_IGNORE_CASE))
			return patterns[i].is;
	return RG_CLASS_VALUE;
}
