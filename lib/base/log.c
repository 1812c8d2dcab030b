#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void rg_log_say(const rg_log *log, rg_log_level level, const char *format, ...)
{
	char small[512], *text = small;
	va_list args;
	int length;

	if (!log || !log->write)
		return;
	va_start(args, format);
	length = vsnprintf(small, sizeof(small), format, args);
	va_end(args);
	if (length < 0)
		return;
	if ((size_t)length >= sizeof(small)) {
		text = malloc((size_t)length + 1);
		if (!text) {
			/* Cut, but said: a log line is not worth failing for. */
			log->write(log->context, level, small);
			return;
		}
		va_start(args, format);
		vsnprintf(text, (size_t)length + 1, format, args);
		va_end(args);
	}
	log->write(log->context, level, text);
	if (text != small)
		free(text);
}
