/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines a check: one cause for which a trace is missing or cut. */
#include "doctor/check.h"

#include <stdarg.h>
#include <stdio.h>

enum weir_check_answer weir_check_found(char where[WEIR_CHECK_ROOM],
					const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(where, WEIR_CHECK_ROOM, format, arguments);
	va_end(arguments);
	return WEIR_CHECK_FOUND;
}
