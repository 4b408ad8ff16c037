/* SPDX-License-Identifier: BSD-3-Clause */
/* Verifies that what a run has written is in the files. */
#include "verify/verify.h"

#include "verify/follow.h"
#include "verify/judge.h"
#include "verify/told.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#define VERDICTS (WEIR_NOTHING + 1)
#define SHOWN	 20 /* of each verdict */

struct weir_verify {
	struct weir_output written;
	uint64_t counts[VERDICTS];
	uint64_t bytes; /* of what was verified */
	uint64_t unrecorded; /* processes */
	double seconds; /* of reading it */
};

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void weir_verify_free(struct weir_verify *verify)
{
	if (!verify)
		return;
	weir_output_fini(&verify->written);
	free(verify);
}

static void count_verdicts(struct weir_verify *verify)
{
	for (size_t i = 0; i < verify->written.object_count; i++) {
		const struct weir_output_object *object =
			&verify->written.objects[i];

		verify->counts[object->verdict]++;
		if (object->verdict == WEIR_VERIFIED)
			verify->bytes += object->size;
	}
}

/* Events first, all of them: a later rename says where to look. */
static int examine(struct weir_verify *verify, struct weir_reader *reader)
{
	struct weir_reader_losses losses;
	int err = weir_follow_read(reader, &verify->written);

	if (err)
		return err;
	weir_reader_losses(reader, &losses);
	verify->unrecorded = weir_unrecorded_sum(&losses.unrecorded).processes;
	verify->seconds = -seconds_now();
	weir_judge_all(&verify->written, reader);
	verify->seconds += seconds_now();
	count_verdicts(verify);
	return 0;
}

int weir_verify_run(const char *trace, struct weir_verify **ret_verify)
{
	struct weir_verify *verify = calloc(1, sizeof(*verify));
	struct weir_reader *reader = NULL;
	int err = verify ? weir_reader_open(trace, &reader) : -ENOMEM;

	if (!err)
		err = examine(verify, reader);
	if (reader)
		weir_reader_close(reader);
	if (err)
		weir_verify_free(verify);
	else
		*ret_verify = verify;
	return err;
}

bool weir_verify_differs(const struct weir_verify *verify)
{
	return verify->counts[WEIR_DIFFERS] != 0;
}

/* --- for people ---------------------------------------------------------- */

static void print_size(uint64_t bytes, FILE *to)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
	double value = (double)bytes;
	int unit = -1;

	while (value >= 1024 && unit < 3) {
		value /= 1024;
		unit++;
	}
	if (unit < 0)
		fprintf(to, "%" PRIu64 " bytes", bytes);
	else
		fprintf(to, "%.1f %s", value, units[unit]);
}

/* Names may hold anything; a terminal must not obey them. */
static void print_name(const char *name, FILE *to)
{
	for (; name && *name; name++)
		if (iscntrl((unsigned char)*name))
			fprintf(to, "\\x%02x", (unsigned char)*name);
		else
			fputc(*name, to);
}

static void print_object(const struct weir_verify *verify,
			 const struct weir_output_object *object, FILE *to)
{
	struct weir_told told;

	weir_told_sum(object, &told);
	fprintf(to, "weir: %s: ", object->verdict == WEIR_DIFFERS ?
					  "DIFFERS" : "unverifiable");
	print_name(weir_output_name(&verify->written, object->file), to);
	if (object->inside) {
		fputc(':', to);
		print_name(object->inside, to);
	}
	fprintf(to, ": %s (", object->why ? object->why : "");
	if (object->verdict == WEIR_DIFFERS && object->gaps.wrong)
		fprintf(to, "%" PRIu64 " of them, from element %" PRIu64
			" to %" PRIu64 "; ", object->gaps.wrong,
			object->gaps.first, object->gaps.last);
	print_size(told.bytes, to);
	fprintf(to, " written in %" PRIu64 " piece%s", told.writes,
		told.writes == 1 ? "" : "s");
	if (object->size) {
		fputs("; it has ", to);
		print_size(object->size, to);
	}
	fputs(")\n", to);
}

static void print_verdict(const struct weir_verify *verify,
			  enum weir_output_verdict verdict, FILE *to)
{
	uint64_t shown = 0;

	for (size_t i = 0; i < verify->written.object_count; i++)
		if (verify->written.objects[i].verdict == verdict &&
		    shown++ < SHOWN)
			print_object(verify, &verify->written.objects[i], to);
	if (shown > SHOWN)
		fprintf(to, "weir: and %" PRIu64 " more\n", shown - SHOWN);
}

/* A file of HDF5 counts once, however many objects in it were looked at. */
static uint64_t count_files(const struct weir_output *written)
{
	uint64_t files = 0, last = UINT64_MAX;

	for (size_t i = 0; i < written->file_count; i++)
		for (uint32_t at = written->files[i].first; at;
		     at = written->objects[at - 1].next)
			if (written->objects[at - 1].verdict == WEIR_VERIFIED &&
			    last != i) {
				files++;
				last = i;
			}
	return files;
}

static void print_sum(const struct weir_verify *verify, FILE *to)
{
	uint64_t verified = verify->counts[WEIR_VERIFIED];
	uint64_t files = count_files(&verify->written);

	if (!verified && !verify->counts[WEIR_DIFFERS] &&
	    !verify->counts[WEIR_UNVERIFIABLE]) {
		fputs("weir: verified nothing: no file was written that is "
		      "there\n", to);
		return;
	}
	fprintf(to, "weir: verified %" PRIu64 " file%s", files,
		files == 1 ? "" : "s");
	if (verified != files)
		fprintf(to, " (%" PRIu64 " objects)", verified);
	fputs(", ", to);
	print_size(verify->bytes, to);
	if (!verify->counts[WEIR_DIFFERS] && !verify->counts[WEIR_UNVERIFIABLE])
		fputs(": all as written", to);
	else
		fprintf(to, ": as written; %" PRIu64 " DIFFER%s, %" PRIu64
			" unverifiable", verify->counts[WEIR_DIFFERS],
			verify->counts[WEIR_DIFFERS] == 1 ? "S" : "",
			verify->counts[WEIR_UNVERIFIABLE]);
	if (verify->counts[WEIR_GONE])
		fprintf(to, "; %" PRIu64 " removed by the program",
			verify->counts[WEIR_GONE]);
	fprintf(to, " (re-read in %.1f s)\n", verify->seconds);
}

void weir_verify_print(const struct weir_verify *verify, bool brief, FILE *to)
{
	print_verdict(verify, WEIR_DIFFERS, to);
	print_verdict(verify, WEIR_UNVERIFIABLE, to);
	if (verify->unrecorded)
		fprintf(to, "weir: what %" PRIu64 " processes wrote that were "
			"not recorded is not verified\n", verify->unrecorded);
	if (!brief || verify->counts[WEIR_DIFFERS])
		print_sum(verify, to);
}
