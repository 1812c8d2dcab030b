#ifndef REGILD_AUDIT_SPILL_H
#define REGILD_AUDIT_SPILL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Doubles that are appended once and read back in pieces: in memory up to a bound, in an unlinked
 * temporary file (TMPDIR, else /tmp) from there on. So the values of one golden over any number of
 * runs take bounded memory. For one thread.
 */
typedef struct {
	double *memory;
	size_t count, capacity; /* in memory */
	size_t bound;           /* doubles that stay in memory */
	int fd;                 /* -1: nothing is on disk */
	uint64_t spilled;       /* doubles on disk */
	bool failed;            /* some could not be put there: the trouble is the disk's */
} rg_spill;

void rg_spill_init(rg_spill *spill, size_t bound);
void rg_spill_release(rg_spill *spill);
/* *place is where rg_spill_read finds them. After a failure what was added before is still there.
 */
RG_CHECKED rg_error *rg_spill_add(rg_spill *spill, const double *values, size_t count,
				  uint64_t *place);
/* `count` doubles from `place` on, which were added by one call. */
RG_CHECKED rg_error *rg_spill_read(const rg_spill *spill, uint64_t place, size_t count,
				   double *out);

#endif
