/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_SIMULATE_TRAINING_H
#define REGILD_TESTS_SIMULATE_TRAINING_H

#include <stddef.h>

/*
 * A training loop that is really nondeterministic: a small network in float32, whose gradients are
 * summed in the order in which four threads deliver them. Equal runs agree to a few bits at first
 * and part within a hundred steps, as those of large models do.
 */
enum { TRAINING_METRICS = 5, TRAINING_STEPS = 20, TRAINING_EACH = 10 };

typedef struct {
	unsigned golden; /* the data, the first weights and the network's width */
	double rate;     /* times the usual learning rate … */
	size_t from;     /* … from this step on, of TRAINING_STEPS * TRAINING_EACH */
} training_case;

/* Every TRAINING_EACH steps the loss, the size of the gradient, that of the weights, the largest
 * error and the loss of data that it does not train on: `out` has TRAINING_STEPS values of each,
 * metric by metric. */
void training_run(double *out, const training_case *c);

#endif
