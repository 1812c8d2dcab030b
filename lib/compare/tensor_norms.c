#include "compare/tensor_norms.h"

#include <math.h>

/* Sums of squares between these, of however many elements, have lost nothing that counts, and their
 * ratios are doubles. */
#define SMALL 0x1p-450
#define LARGE 0x1p500

/* A value beyond 2^250 or under 2^-225 is a double's square away from both ends after it. */
enum { STEP = 600 };

static int exponent_of(double sum)
{
	if (!(sum <= LARGE))
		return -STEP;
	return sum < SMALL ? STEP : 0;
}

bool rg_tensor_norms_begin(rg_tensor_norms *out, const rg_tensor_sums *sums)
{
	*out = (rg_tensor_norms){
		.err = sums->abs_err == 0 ? 0 : exponent_of(sums->err2),
		.ref = sums->old_is_zero ? 0 : exponent_of(sums->ref2),
		.new = sums->new_is_zero ? 0 : exponent_of(sums->new2),
	};
	return sums->count && (out->err || out->ref || out->new);
}

rg_error *rg_tensor_norms_add(void *norms, const double *old, const double *new, size_t count)
{
	rg_tensor_norms *n = norms;
	const double by = ldexp(1, n->err), by_ref = ldexp(1, n->ref), by_new = ldexp(1, n->new);
	size_t i;

	for (i = 0; i < count; i++) {
		double ref = old[i] * by_ref, other = new[i] * by_new, err;

		if (!isfinite(old[i]) || !isfinite(new[i]))
			continue;
		/* A difference may be past all doubles where both sides are none too large. */
		err = n->err < 0 ? new[i] * by - old[i] * by : (new[i] - old[i]) * by;
		rg_sum_add(&n->err2, err * err);
		rg_sum_add(&n->ref2, ref * ref);
		rg_sum_add(&n->new2, other * other);
		rg_sum_add(&n->product, ref * other);
		rg_sum_add(&n->abs_err, fabs(err));
		rg_sum_add(&n->signed_err, err);
	}
	return NULL;
}

/* Brings a scaled sum of squares near 1, so that such sums can be divided; returns the exponent
 * that this took. */
static int centre(double *sum, int exponent)
{
	int half = exponent && *sum > 0 ? ilogb(*sum) / 2 : 0;

	*sum = ldexp(*sum, -2 * half);
	return -half;
}

void rg_tensor_norms_finish(const rg_tensor_norms *norms, rg_tensor_sums *sums)
{
	int err, ref, new;

	sums->err2 = rg_sum_total(&norms->err2);
	sums->ref2 = rg_sum_total(&norms->ref2);
	sums->new2 = rg_sum_total(&norms->new2);
	err = centre(&sums->err2, norms->err);
	ref = centre(&sums->ref2, norms->ref);
	new = centre(&sums->new2, norms->new);
	sums->product = ldexp(rg_sum_total(&norms->product), ref + new);
	sums->abs_err = ldexp(rg_sum_total(&norms->abs_err), err);
	sums->err = ldexp(rg_sum_total(&norms->signed_err), err);
	sums->err_exponent = norms->err + err;
	sums->ref_exponent = norms->ref + ref;
}
