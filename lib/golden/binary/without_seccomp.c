/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/sandbox.h"

rg_error *rg_seccomp_load(void)
{
	return rg_error_new(RG_E_IO, "built without libseccomp");
}

void rg_seccomp_close(void)
{
}
