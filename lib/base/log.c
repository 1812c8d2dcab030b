/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include "base/memory.h"

#include <stdarg.h>

void rg_log_say(const rg_log *log, rg_log_level level, const char *format, ...)
{
	va_list args;
	if (!log || !log->write)
		return;
	va_start(args, format);
	RG_AUTO_FREE char *text = rg_vtextf(format, args);
	log->write(log->context, level, text);
	va_end(args);
}
