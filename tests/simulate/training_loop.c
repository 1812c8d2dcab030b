/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/training.h"

#include "simulate/noise.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
	THREADS = 4,
	INPUTS = 8,
	HIDDEN_MAX = 24,
	WEIGHTS_MAX = HIDDEN_MAX * (INPUTS + 2) + 1,
	SAMPLES = 96,
	BATCH = 32,
	CHUNK = 4,
	CHUNKS = BATCH / CHUNK,
};
/* So large that runs part, and with gradients cut to 1 so small that they stay in bounds. */
#define LEARNING_RATE 0.3
#define MOMENTUM      0.9F

typedef struct {
	float x[INPUTS], y;
} sample;

typedef struct {
	size_t hidden, weights, first; /* of the batch's samples */
	float weight[WEIGHTS_MAX], speed[WEIGHTS_MAX], gradient[WEIGHTS_MAX];
	float loss, largest;
	sample seen[SAMPLES], unseen[SAMPLES];
	pthread_mutex_t lock;
	pthread_barrier_t begin, end;
	atomic_size_t next; /* chunk that nobody has taken */
	atomic_bool over;
} network;

/* A hidden unit has its inputs' weights, its bias and its weight for the output; a bias ends all.
 */
static float predict(const network *n, const sample *s, float *active)
{
	float out = n->weight[n->weights - 1];

	for (size_t h = 0; h < n->hidden; h++) {
		const float *w = n->weight + h * (INPUTS + 2);
		float sum = w[INPUTS];

		for (size_t i = 0; i < INPUTS; i++)
			sum += w[i] * s->x[i];
		active[h] = tanhf(sum);
		out += w[INPUTS + 1] * active[h];
	}
	return out;
}

static void add_sample(const network *n, const sample *s, float *gradient, float *loss,
		       float *largest)
{
	float active[HIDDEN_MAX];
	const float off = predict(n, s, active) - s->y, by = 2 * off / BATCH;

	*loss += off * off / BATCH;
	*largest = fmaxf(*largest, fabsf(off));
	gradient[n->weights - 1] += by;
	for (size_t h = 0; h < n->hidden; h++) {
		const float *w = n->weight + h * (INPUTS + 2);
		float *g = gradient + h * (INPUTS + 2);
		const float back = by * w[INPUTS + 1] * (1 - active[h] * active[h]);

		for (size_t i = 0; i < INPUTS; i++)
			g[i] += back * s->x[i];
		g[INPUTS] += back;
		g[INPUTS + 1] += by * active[h];
	}
}

/* Takes chunks as long as there are any, and adds what each gives as soon as it is there. */
static void *work(void *of_network)
{
	network *n = of_network;

	for (;;) {
		pthread_barrier_wait(&n->begin);
		if (atomic_load(&n->over))
			return NULL;
		for (size_t c; (c = atomic_fetch_add(&n->next, 1)) < CHUNKS;) {
			float gradient[WEIGHTS_MAX] = {0}, loss = 0, largest = 0;

			for (size_t i = 0; i < CHUNK; i++)
				add_sample(n, &n->seen[n->first + c * CHUNK + i], gradient, &loss,
					   &largest);
			sched_yield();
			pthread_mutex_lock(&n->lock);
			for (size_t i = 0; i < n->weights; i++)
				n->gradient[i] += gradient[i];
			n->loss += loss;
			n->largest = fmaxf(n->largest, largest);
			pthread_mutex_unlock(&n->lock);
		}
		pthread_barrier_wait(&n->end);
	}
}

static void make_network(network *n, unsigned golden)
{
	rg_random random = {golden + 1};

	n->hidden = HIDDEN_MAX - 4 * (size_t)(golden % 4);
	n->weights = n->hidden * (INPUTS + 2) + 1;
	for (size_t i = 0; i < n->weights; i++)
		n->weight[i] = (float)(0.6 * noise_normal(&random));
	for (size_t k = 0; k < 2 * SAMPLES; k++) {
		sample *s = k < SAMPLES ? &n->seen[k] : &n->unseen[k - SAMPLES];

		for (size_t i = 0; i < INPUTS; i++)
			s->x[i] = (float)noise_normal(&random);
		s->y = noise_uniform(&random) < 0.5 ? -1 : 1;
	}
}

static double size_of(const float *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (double)values[i] * (double)values[i];
	return sqrt(sum);
}

static void note(double *out, const network *n, size_t at)
{
	float active[HIDDEN_MAX];
	double unseen = 0;

	for (size_t i = 0; i < SAMPLES; i++) {
		const double off = (double)(predict(n, &n->unseen[i], active) - n->unseen[i].y);

		unseen += off * off / SAMPLES;
	}
	const double values[TRAINING_METRICS] = {(double)n->loss, size_of(n->gradient, n->weights),
						 size_of(n->weight, n->weights), (double)n->largest,
						 unseen};
	for (size_t m = 0; m < TRAINING_METRICS; m++)
		out[m * TRAINING_STEPS + at] = values[m];
}

void training_run(double *out, const training_case *c)
{
	network *n = calloc(1, sizeof(*n));
	pthread_t threads[THREADS];

	make_network(n, c->golden);
	pthread_mutex_init(&n->lock, NULL);
	pthread_barrier_init(&n->begin, NULL, THREADS + 1);
	pthread_barrier_init(&n->end, NULL, THREADS + 1);
	for (size_t t = 0; t < THREADS; t++)
		if (pthread_create(&threads[t], NULL, work, n))
			abort();
	for (size_t step = 0; step < TRAINING_STEPS * TRAINING_EACH; step++) {
		const float rate = (float)(LEARNING_RATE * (step >= c->from ? c->rate : 1));

		memset(n->gradient, 0, sizeof(n->gradient));
		n->loss = n->largest = 0;
		n->first = step * BATCH % SAMPLES;
		atomic_store(&n->next, 0);
		pthread_barrier_wait(&n->begin);
		pthread_barrier_wait(&n->end);
		if (step % TRAINING_EACH == 0)
			note(out, n, step / TRAINING_EACH);
		const float by = rate / fmaxf(1, (float)size_of(n->gradient, n->weights));
		for (size_t i = 0; i < n->weights; i++) {
			n->speed[i] = MOMENTUM * n->speed[i] - by * n->gradient[i];
			n->weight[i] += n->speed[i];
		}
	}
	atomic_store(&n->over, true);
	pthread_barrier_wait(&n->begin);
	for (size_t t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	pthread_barrier_destroy(&n->begin);
	pthread_barrier_destroy(&n->end);
	pthread_mutex_destroy(&n->lock);
	free(n);
}
