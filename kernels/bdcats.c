/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads particles back: each rank a contiguous part, all of it or some. */
#include "h5.h"
#include "particles.h"

#include <stdio.h>
#include <stdlib.h>

enum { ACCESS, PERCENT, STRIDE, PIECE, MODE };

static struct kernel_option options[] = {
	[ACCESS] = { "access", "full|partial|strided", "of the rank's part: "
		     "all, its beginning, or pieces at equal distances",
		     KERNEL_CHOICE },
	[PERCENT] = { "percent", "N", "partial: so much of it", KERNEL_NUMBER,
		      50, 1, 100 },
	[STRIDE] = { "stride", "N", "strided: particles from one piece to the "
		     "next", KERNEL_NUMBER, 64, 1, 1 << 30 },
	[PIECE] = { "piece", "N", "strided: particles of a piece",
		    KERNEL_NUMBER, 16, 1, 1 << 30 },
	[MODE] = { "mode", "independent|collective", "of the transfers",
		   KERNEL_CHOICE },
	{ 0 },
};

static const char *refuse(const struct kernel_run *run)
{
	return options[PIECE].number > options[STRIDE].number
		       ? "a piece cannot be longer than the stride"
		       : NULL;
}

/* Pieces of particles: `count` of them, each `piece`, `stride` apart. */
struct part {
	hsize_t start, stride, count, piece;
};

static struct part part_of(const struct kernel_run *run, hsize_t all)
{
	hsize_t share = all / (hsize_t)run->ranks;
	struct part part = {
		.start = share * (hsize_t)run->rank,
		.stride = 1,
		.count = share ? 1 : 0,
		.piece = share,
	};

	if (options[ACCESS].number == 1)
		part.piece = share * (hsize_t)options[PERCENT].number / 100;
	if (options[ACCESS].number == 2) {
		part.stride = (hsize_t)options[STRIDE].number;
		part.piece = (hsize_t)options[PIECE].number;
		part.count = share / part.stride;
	}
	if (part.count && part.stride < part.piece)
		part.stride = part.piece;
	return part;
}

/* The dataset of a variable, and the part of it that this rank reads. */
struct source {
	hid_t set, space;
	struct part part;
	hsize_t count; /* of particles in the part */
};

static void find(struct kernel_h5 *h5, const struct kernel_array *variable,
		 struct source *source)
{
	char name[32];
	hssize_t all;

	snprintf(name, sizeof(name), KERNEL_PARTICLES_GROUP "/%s",
		 variable->what);
	source->set = kernel_h5_sure(h5->run,
				     H5Dopen2(h5->file, name, H5P_DEFAULT),
				     "open a dataset");
	source->space = kernel_h5_sure(h5->run, H5Dget_space(source->set),
				       "get a space");
	all = H5Sget_simple_extent_npoints(source->space);
	kernel_particles_count(all > 0 ? (uint64_t)all : 0);
	source->part = part_of(h5->run, all > 0 ? (hsize_t)all : 0);
	source->count = source->part.count * source->part.piece;
}

static void read_part(struct kernel_h5 *h5, const struct source *source,
		      const struct kernel_array *variable, void *data)
{
	hid_t memory = H5Screate_simple(1, &source->count, NULL);
	hid_t type = variable->width == KERNEL_I32 ? H5T_NATIVE_INT32
						   : H5T_NATIVE_FLOAT;

	if (source->count)
		H5Sselect_hyperslab(source->space, H5S_SELECT_SET,
				    &source->part.start, &source->part.stride,
				    &source->part.count, &source->part.piece);
	else
		H5Sselect_none(source->space);
	kernel_h5_sure(h5->run,
		       H5Dread(source->set, type, memory, source->space,
			       h5->transfer, data),
		       "read a dataset");
	H5Sclose(memory);
	H5Sclose(source->space);
	H5Dclose(source->set);
}

static void compare_part(struct kernel_run *run, const struct source *source,
			 const struct kernel_array *variable, char *data)
{
	const struct part *part = &source->part;

	for (hsize_t i = 0; i < part->count; i++)
		kernel_array_compare(run, variable,
				     part->start + i * part->stride,
				     part->piece, data + 4 * i * part->piece);
}

static void read_all(struct kernel_run *run, bool comparing)
{
	struct kernel_h5_manner manner = {
		.collective = options[MODE].number,
	};
	struct kernel_h5 h5;

	kernel_h5_open(&h5, run, &manner);
	for (int i = 0; i < KERNEL_PARTICLES; i++) {
		struct source source;
		void *data;

		kernel_start(run);
		find(&h5, &kernel_particles[i], &source);
		data = kernel_memory(run, source.count * 4);
		read_part(&h5, &source, &kernel_particles[i], data);
		kernel_stop(run, KERNEL_READ);
		if (comparing)
			compare_part(run, &source, &kernel_particles[i], data);
		else
			run->bytes += source.count * 4;
		free(data);
	}
	kernel_h5_close(&h5);
}

static void act(struct kernel_run *run)
{
	read_all(run, false);
}

/* It has written nothing: what it reads is compared. */
static void compare(struct kernel_run *run)
{
	read_all(run, true);
}

struct kernel kernel = {
	.name = "bdcats",
	.summary = "Reads the particles that vpic has written",
	.pattern =
		"Each rank reads an equal, contiguous part of each of the "
		"eight datasets, one after\nthe other: all of it (full), its "
		"beginning (partial), or pieces at equal distances\n"
		"(strided). FILE is what vpic wrote, on any number of ranks.",
	.source = "BD-CATS-IO, the clustering of VPIC's particles",
	.options = options,
	.refuse = refuse,
	.act = act,
	.compare = compare,
};
