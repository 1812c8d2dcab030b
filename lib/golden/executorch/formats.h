/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_EXECUTORCH_FORMATS_H
#define REGILD_GOLDEN_EXECUTORCH_FORMATS_H

#include "golden/format.h"

/* ExecuTorch's formats; `make WITH_EXECUTORCH=0` leaves them out. */
extern const rg_format rg_format_pte;          /* programs, by what goes in and out */
extern const rg_format rg_format_bpte;         /* bundled programs */
extern const rg_format rg_format_ptd;          /* external data */
extern const rg_format rg_format_raw;          /* .bin: a tensor's bytes, its type from elsewhere */
extern const rg_format rg_format_opdiff;       /* JSON Lines of an opdiff run */
extern const rg_format rg_format_backend_csv;  /* the backend tester's report, CSV */
extern const rg_format rg_format_backend_json; /* the same through pytest-json-report */

#endif
