/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what an MPI has made of the hints that it was given. */
#include "layers/mpi/mpi_verdict.h"

#include "layers/mpi/mpi_mca.h"
#include "layers/mpi/mpi_real.h"
#include "layers/mpi/mpi_value.h"

#include <string.h>

static const char partition[] = "romio_cb_pfr";

/*
 * Who reads a key where the MPI itself does not tell. Of a key with a file
 * system only ROMIO's driver for that takes notice.
 */
static const struct reader {
	const char *key;
	bool romio, ompio;
	const char *fs;
	const char *needs; /* a key of ROMIO without which it does nothing */
} readers[] = {
	{ "cb_nodes", true, true, NULL, NULL },
	{ "cb_buffer_size", true, true, NULL, NULL },
	{ "collective_buffering", false, true, NULL, NULL },
	{ "cb_config_list", true, false, NULL, NULL },
	{ "ind_rd_buffer_size", true, false, NULL, NULL },
	{ "ind_wr_buffer_size", true, false, NULL, NULL },
	{ "romio_cb_read", true, false, NULL, NULL },
	{ "romio_cb_write", true, false, NULL, NULL },
	{ "romio_cb_pfr", true, false, NULL, NULL },
	{ "romio_cb_fr_type", true, false, NULL, partition },
	{ "romio_cb_fr_alignment", true, false, NULL, partition },
	{ "romio_cb_ds_threshold", true, false, NULL, partition },
	{ "romio_cb_alltoall", true, false, NULL, NULL },
	{ "romio_ds_read", true, false, NULL, NULL },
	{ "romio_ds_write", true, false, NULL, NULL },
	{ "romio_min_fdomain_size", true, false, NULL, NULL },
	{ "striping_unit", true, false, NULL, NULL },
	{ "striping_factor", true, false, "lustre", NULL },
	{ "start_iodevice", true, false, "lustre", NULL },
	{ "direct_read", true, false, "xfs", NULL },
	{ "direct_write", true, false, "xfs", NULL },
	{ "IBM_largeblock_io", true, false, "gpfs", NULL },
};

/* Whose beginning says for which file system they are. */
static const struct reader kinds[] = {
	{ "romio_lustre_", true, false, "lustre", NULL },
	{ "romio_pvfs2_", true, false, "pvfs2", NULL },
	{ "panfs_", true, false, "panfs", NULL },
};

static const struct reader *reader_of(const char *key)
{
	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (!strcmp(readers[i].key, key))
			return &readers[i];
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strncmp(kinds[i].key, key, strlen(kinds[i].key)))
			return &kinds[i];
	return NULL;
}

/* Open MPI 4 prefers ROMIO on Lustre while nobody has chosen. */
enum weir_mpi_server weir_mpi_verdict_server(const struct weir_mpi_args *args)
{
	if (weir_mpi_flavour.narrow)
		return WEIR_MPI_ROMIO;
	switch (weir_mpi_mca_look(WEIR_MPI_MCA_OMPIO_SIGN, args->from)) {
	case WEIR_MPI_MCA_THERE:
		return args->on.fs && !strcmp(args->on.fs, "lustre")
			       ? WEIR_MPI_SOMEBODY
			       : WEIR_MPI_OMPIO;
	case WEIR_MPI_MCA_NOT_THERE:
		return WEIR_MPI_HIDDEN_ROMIO;
	default:
		return WEIR_MPI_SOMEBODY;
	}
}

bool weir_mpi_verdict_value(long info, const char *key,
			    char value[WEIR_MPI_VALUE + 1])
{
	int found = 0;

	value[0] = 0;
	return weir_mpi_cut(info) != weir_mpi_flavour.info_null &&
	       strlen(key) <= weir_mpi_flavour.key &&
	       !weir_mpi_real.info_get(info, key, WEIR_MPI_VALUE - 1, value,
				       &found) &&
	       found;
}

static void decide(struct weir_mpi_verdict *verdict,
		   enum weir_plan_verdict what, const char *first,
		   const char *second)
{
	size_t left = sizeof(verdict->effective) - 1, used;

	verdict->verdict = what;
	used = strnlen(first, left);
	memcpy(verdict->effective, first, used);
	left = strnlen(second, left - used);
	memcpy(verdict->effective + used, second, left);
	verdict->effective[used + left] = 0;
}

void weir_mpi_verdict_settle(struct weir_mpi_verdict *verdict,
			     enum weir_plan_verdict what, const char *why)
{
	decide(verdict, what, why, "");
}

static void compare_hint(const char *asked, const char *got,
			 struct weir_mpi_verdict *ret)
{
	decide(ret,
	       weir_mpi_value_agree(asked, got) ? WEIR_VERDICT_TOOK
						: WEIR_VERDICT_CHANGED,
	       got, "");
}

static bool is_off(long info, const char *key)
{
	char value[WEIR_MPI_VALUE + 1];

	return weir_mpi_verdict_value(info, key, value) &&
	       !weir_mpi_value_switch(value);
}

/* It names what it knows, and nothing else. */
static void ask_romio(long info, const char *asked, const char *key,
		      struct weir_mpi_verdict *ret)
{
	const struct reader *reader = reader_of(key);
	char got[WEIR_MPI_VALUE + 1];

	if (reader && reader->needs && is_off(info, reader->needs))
		decide(ret, WEIR_VERDICT_INERT, "ROMIO uses it only with ",
		       reader->needs);
	else if (weir_mpi_verdict_value(info, key, got))
		compare_hint(asked, got, ret);
	else if (reader && reader->fs)
		decide(ret, WEIR_VERDICT_IGNORED, "ROMIO reads it only on ",
		       reader->fs);
	else
		decide(ret, WEIR_VERDICT_IGNORED, "ROMIO does not know it", "");
}

/*
 * It repeats what it was given. Of collective buffering it takes every word
 * but "false" for a wish to have none.
 */
static void ask_ompio(long info, const char *asked, const char *key,
		      struct weir_mpi_verdict *ret)
{
	const struct reader *reader = reader_of(key);
	char got[WEIR_MPI_VALUE + 1];

	if (!reader || !reader->ompio ||
	    !weir_mpi_verdict_value(info, key, got))
		decide(ret, WEIR_VERDICT_IGNORED, "OMPIO does not read it", "");
	else if (reader->romio)
		compare_hint(asked, got, ret);
	else if (strcmp(asked, "false"))
		decide(ret, WEIR_VERDICT_CHANGED, "OMPIO buffers nothing then",
		       "");
	else
		decide(ret, WEIR_VERDICT_INERT, "OMPIO does nothing for false",
		       "");
}

static void guess_romio(const char *key, const char *fs,
			struct weir_mpi_verdict *ret)
{
	const struct reader *reader = reader_of(key);

	if (!reader || !reader->romio)
		decide(ret, WEIR_VERDICT_IGNORED, "ROMIO does not know it", "");
	else if (reader->fs && (!fs || strcmp(fs, reader->fs)))
		decide(ret, WEIR_VERDICT_IGNORED, "ROMIO reads it only on ",
		       reader->fs);
	else
		decide(ret, WEIR_VERDICT_GIVEN,
		       "Open MPI does not tell what ROMIO made of it", "");
}

void weir_mpi_verdict_judge(enum weir_mpi_server server, long info,
			    const char *fs,
			    const struct weir_plan_setting *setting,
			    struct weir_mpi_verdict *ret)
{
	const char *key = weir_adjust_name(setting);
	const char *asked = weir_adjust_value(setting);

	if (server == WEIR_MPI_ROMIO)
		ask_romio(info, asked, key, ret);
	else if (server == WEIR_MPI_OMPIO)
		ask_ompio(info, asked, key, ret);
	else if (server == WEIR_MPI_HIDDEN_ROMIO)
		guess_romio(key, fs, ret);
	else
		decide(ret, WEIR_VERDICT_GIVEN, "this MPI does not tell", "");
}
