/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "report/curve.h"

#include <float.h>
#include <math.h>

static void check(const double *values, size_t count, size_t width, bool utf8, const char *wanted)
{
	rg_sparkline_scale scale = {INFINITY, -INFINITY, width, utf8};

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_sparkline_fit(&scale, values, count);
	rg_sparkline(&out, values, count, &scale);
	assert_string_equal(out.data, wanted);
}

TEST(lines)
{
	const double rising[] = {0, 1, 2, 3, 4, 5, 6, 7};
	const double holes[] = {1, NAN, 3, INFINITY};
	const double flat[] = {5, 5};
	const double huge[] = {-DBL_MAX, DBL_MAX};

	check(rising, 8, 60, false, "_.-~=+*#");
	check(rising, 8, 60, true, "▁▂▃▄▅▆▇█");
	check(rising, 8, 4, false, "_-+#");
	check(rising, 8, 3, false, "_~*");
	check(holes, 4, 60, false, "_!#!");
	check(flat, 2, 60, false, "==");
	check(huge, 2, 60, false, "_#");
	check(rising, 0, 60, false, "");
}
