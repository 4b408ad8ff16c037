/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats figures for people. */
#include "report/output/measures.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

const char *weir_measures_bytes(char to[WEIR_MEASURES_ROOM], uint64_t bytes)
{
	static const char *const units[] = { "KiB", "MiB", "GiB",
					     "TiB", "PiB", "EiB" };
	double number = (double)bytes / 1024;
	int unit = 0;

	if (bytes < 1024) {
		snprintf(to, WEIR_MEASURES_ROOM, "%u B", (unsigned)bytes);
		return to;
	}
	for (; number >= 1023.95 && unit < 5; unit++)
		number /= 1024;
	snprintf(to, WEIR_MEASURES_ROOM, number < 9.995 ? "%.2f %s" : "%.1f %s",
		 number, units[unit]);
	return to;
}

const char *weir_measures_time(char to[WEIR_MEASURES_ROOM], uint64_t ns)
{
	static const char *const units[] = { "us", "ms", "s" };
	double number = (double)ns / 1000;
	int unit = 0;

	if (ns < 1000) {
		snprintf(to, WEIR_MEASURES_ROOM, "%u ns", (unsigned)ns);
		return to;
	}
	for (; number >= 999.95 && unit < 2; unit++)
		number /= 1000;
	snprintf(to, WEIR_MEASURES_ROOM, number < 9.995 ? "%.2f %s" : "%.1f %s",
		 number, units[unit]);
	return to;
}

const char *weir_measures_count(char to[WEIR_MEASURES_ROOM], uint64_t count)
{
	static const char units[] = "MGTPE";
	double number = (double)count / 1e6;
	int unit = 0;

	if (count < 10000000) {
		snprintf(to, WEIR_MEASURES_ROOM, "%" PRIu64, count);
		return to;
	}
	for (; number >= 999.95 && unit < 4; unit++)
		number /= 1000;
	snprintf(to, WEIR_MEASURES_ROOM, "%.1f %c", number, units[unit]);
	return to;
}

const char *weir_measures_moment(char to[WEIR_MEASURES_ROOM], uint64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm utc;

	gmtime_r(&seconds, &utc);
	if (!strftime(to, WEIR_MEASURES_ROOM, "%Y-%m-%d %H:%M:%S UTC", &utc))
		to[0] = 0;
	return to;
}

const char *weir_measures_size_class(int class)
{
	static const char *const names[] = {
		"0-100", "101-1K", "1K-10K", "10K-100K", "100K-1M",
		"1M-4M", "4M-10M", "10M-100M", "100M-1G", "1G+",
	};

	return names[class];
}
