/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/sandbox.h"

#include "golden/binary/child.h"

#include <sys/resource.h>

static void limit(__typeof__(RLIMIT_CPU) what, rlim_t most)
{
	(void)setrlimit(what, &(struct rlimit){most, most}); /* lowers only */
}

void rg_sandbox_close(void)
{
	enum { CPU_SECONDS = 3600 };
	RG_AUTO_PTR(rg_error) err = rg_seccomp_load();

	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NPROC, 0);
	limit(RLIMIT_CPU, CPU_SECONDS);
	limit(RLIMIT_NOFILE, RG_CHILD_SOCKET + 2);                  /* the socket, and one golden */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* their shadows are large */
	limit(RLIMIT_DATA, (rlim_t)1 << 30);
#endif
	if (!err)
		rg_seccomp_close();
}

const char *rg_sandbox_name(void)
{
	RG_AUTO_PTR(rg_error) err = rg_seccomp_load();
	return err ? "rlimits" : "libseccomp";
}
