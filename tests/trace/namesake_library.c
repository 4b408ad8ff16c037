/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that share a name with others' and nothing else. */
#include "namesake.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int io_submit(int number)
{
	return 2 * number;
}

EXPORT int namesake_submit(int number)
{
	return io_submit(number);
}
