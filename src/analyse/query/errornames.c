/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the errors by which calls fail, as each layer numbers them. */
#include "analyse/query/errornames.h"

#include "spec/errors.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct error_name {
	int64_t number;
	const char *name;
};

static const struct error_name mpiio_names[] = { WEIR_ERRORS_MPIIO };
static const struct error_name pnetcdf_names[] = { WEIR_ERRORS_PNETCDF };

#define NAMES(layer) { #layer, layer##_names, \
		       sizeof(layer##_names) / sizeof(*layer##_names) }

static const struct {
	const char *layer;
	const struct error_name *names;
	size_t count;
} libraries[] = { NAMES(mpiio), NAMES(pnetcdf) };

static const char *number_text(int32_t error, char room[WEIR_ERRORNAMES_ROOM])
{
	snprintf(room, WEIR_ERRORNAMES_ROOM, "%" PRIi32, error);
	return room;
}

const char *weir_errornames_of(const char *layer, int32_t error,
			       char room[WEIR_ERRORNAMES_ROOM])
{
	const char *name;

	if (!error)
		return "0";
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		if (!layer || strcmp(libraries[i].layer, layer))
			continue;
		for (size_t k = 0; k < libraries[i].count; k++)
			if (libraries[i].names[k].number == error)
				return libraries[i].names[k].name;
		return number_text(error, room);
	}
	name = strerrorname_np(error);
	return name ? name : number_text(error, room);
}
