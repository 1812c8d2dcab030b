/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_METRIC_CLASS_H
#define REGILD_COMPARE_METRIC_CLASS_H

/* What a metric is of, by its name alone: the one table of that. In the order in which people look
 * at them. */
typedef enum {
	RG_CLASS_LOSS,
	RG_CLASS_COUNT, /* "num-zeros" */
	RG_CLASS_VALUE, /* all that no pattern names */
	RG_CLASS_TIME,  /* larger is slower */
	RG_CLASS_RATE,  /* of work in time: larger is not slower */
	RG_CLASS_MEMORY,
	RG_CLASSES
} rg_metric_class;

rg_metric_class rg_metric_class_of(const char *metric);

#endif
