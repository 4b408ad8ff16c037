/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the variables of Open MPI (OMPI_MCA_...) in this process. */
#include "layers/mpi/mpi_mca.h"

#include "adjust/adjust.h"
#include "layers/layers.h"
#include "layers/mpi/mpi_real.h"
#include "layers/mpi/mpi_value.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 256 /* a variable's name or value */

static const char of_openmpi[] = "OMPI_MCA_", of_romio[] = "ROMIO_";

/* How a value lies in memory: nobody tells, so we have to know. */
enum form { TEXT, INT, LONG, BOOL };

static const struct variable {
	const char *name;
	enum form form;
	bool is_idle; /* it is read, and nothing is done with it */
} variables[] = {
	{ "io", TEXT, false },
	{ "fcoll", TEXT, false },
	{ "fs", TEXT, false },
	{ "fbtl", TEXT, false },
	{ "sharedfp", TEXT, false },
	{ "io_ompio_num_aggregators", INT, false },
	{ "io_ompio_bytes_per_agg", INT, false },
	{ "io_ompio_grouping_option", INT, false },
	{ "io_ompio_max_aggregators_ratio", INT, false },
	{ "io_ompio_aggregators_cutoff_threshold", INT, false },
	{ "io_ompio_cycle_buffer_size", INT, false },
	{ "fbtl_posix_read_datasieving", BOOL, false },
	{ "fbtl_posix_write_datasieving", BOOL, false },
	{ "fbtl_posix_max_block_size", LONG, false },
	{ "fbtl_posix_max_gap_size", LONG, false },
	{ "fbtl_posix_max_tmpbuf_size", LONG, false },
	{ "fs_ufs_lock_algorithm", INT, false },
	{ "fcoll_vulcan_num_groups", INT, true },
	{ "fcoll_vulcan_write_chunksize", INT, true },
	{ "fcoll_vulcan_async_io", INT, false },
	{ "fcoll_dynamic_num_groups", INT, false },
	{ "fcoll_dynamic_write_chunksize", INT, false },
	{ "fcoll_dynamic_gen2_num_groups", INT, true },
	{ "fcoll_dynamic_gen2_write_chunksize", INT, false },
};

typedef int find_fn(const char *name, int *ret_index);
typedef int get_fn(int index, const void **ret_place, void *source,
		   void *source_file);

static find_fn *by_name;
static get_fn *value_at;
static _Atomic int known; /* 1: both are found, -1: they never will be */

/* Two threads may do this at once: both find the same. */
static bool resolve_functions(const void *from)
{
	int now = atomic_load_explicit(&known, memory_order_acquire);

	if (now)
		return now > 0;
	by_name = (find_fn *)weir_layers_sibling("mca_base_var_find_by_name",
						 from);
	value_at =
		(get_fn *)weir_layers_sibling("mca_base_var_get_value", from);
	now = by_name && value_at ? 1 : -1;
	atomic_store_explicit(&known, now, memory_order_release);
	return now > 0;
}

static const void *find_variable(const char *name, const void *from,
				 enum weir_mpi_mca *ret_state)
{
	const void *place = NULL;
	int index = -1;

	*ret_state = WEIR_MPI_MCA_UNKNOWN;
	if (!resolve_functions(from))
		return NULL;
	*ret_state = WEIR_MPI_MCA_NOT_THERE;
	if (by_name(name, &index) || value_at(index, &place, NULL, NULL) ||
	    !place)
		return NULL;
	*ret_state = WEIR_MPI_MCA_THERE;
	return place;
}

enum weir_mpi_mca weir_mpi_mca_look(const char *name, const void *from)
{
	enum weir_mpi_mca state;

	find_variable(name, from, &state);
	return state;
}

static void write_number(long number, char text[LONGEST])
{
	unsigned long left =
		number < 0 ? -(unsigned long)number : (unsigned long)number;
	char digits[24];
	size_t used = 0;

	do {
		digits[used++] = (char)('0' + left % 10);
		left /= 10;
	} while (left);
	if (number < 0)
		*text++ = '-';
	while (used)
		*text++ = digits[--used];
	*text = 0;
}

static void write_value(const void *place, enum form form, char text[LONGEST])
{
	const char *string;
	size_t len;

	if (form != TEXT) {
		write_number(form == INT    ? *(const int *)place
			     : form == LONG ? *(const long *)place
					    : *(const bool *)place,
			     text);
		return;
	}
	string = *(const char *const *)place;
	len = string ? strnlen(string, LONGEST - 1) : 0;
	if (len)
		memcpy(text, string, len);
	text[len] = 0;
}

/* NULL: it is not one that we know. */
static const struct variable *variable_of(const char *name)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++)
		if (!strcmp(variables[i].name, name))
			return &variables[i];
	return NULL;
}

static void compare_variable(struct weir_layer *on,
			     const struct weir_plan_setting *setting,
			     const void *place, const struct variable *variable,
			     const char *asked)
{
	char text[LONGEST];

	write_value(place, variable->form, text);
	if (!weir_mpi_value_agree(asked, text))
		weir_adjust_tell(on, 0, setting, WEIR_VERDICT_CHANGED, text);
	else if (variable->is_idle)
		weir_adjust_tell(on, 0, setting, WEIR_VERDICT_INERT,
				 "Open MPI does nothing with it");
	else
		weir_adjust_tell(on, 0, setting, WEIR_VERDICT_TOOK, text);
}

static void tell_variable(struct weir_layer *on,
			  const struct weir_mpi_args *args,
			  const struct weir_plan_setting *setting,
			  const char *name, const char *asked)
{
	enum weir_mpi_mca state;
	const void *place;
	const struct variable *variable = variable_of(name);

	if (weir_mpi_flavour.narrow) {
		weir_adjust_tell(on, 0, setting, WEIR_VERDICT_IGNORED,
				 "this MPI is not Open MPI");
		return;
	}
	place = find_variable(name, args->from, &state);
	if (place && variable)
		compare_variable(on, setting, place, variable, asked);
	else if (state == WEIR_MPI_MCA_NOT_THERE)
		weir_adjust_tell(on, 0, setting, WEIR_VERDICT_IGNORED,
				 "Open MPI has no such variable in use");
}

/* ROMIO takes what it is given without a word; OMPIO does not look at it. */
static void tell_romio(struct weir_layer *on, const struct weir_mpi_args *args,
		       const struct weir_plan_setting *setting)
{
	if (!weir_mpi_flavour.narrow &&
	    weir_mpi_mca_look(WEIR_MPI_MCA_OMPIO_SIGN, args->from) ==
		    WEIR_MPI_MCA_THERE)
		weir_adjust_tell(on, 0, setting, WEIR_VERDICT_IGNORED,
				 "OMPIO does not read it");
}

/* "NAME=VALUE". What the user had set is told by who kept it. */
static void tell_setting(struct weir_layer *on,
			 const struct weir_mpi_args *args,
			 const struct weir_plan_setting *setting)
{
	const char *pair = weir_adjust_value(setting), *set;
	size_t len = strcspn(pair, "=");
	char name[LONGEST];

	if (!pair[len] || len >= sizeof(name))
		return;
	memcpy(name, pair, len);
	name[len] = 0;
	set = getenv(name);
	if (!set || strcmp(set, pair + len + 1))
		return;
	if (!strncmp(name, of_openmpi, sizeof(of_openmpi) - 1))
		tell_variable(on, args, setting, name + sizeof(of_openmpi) - 1,
			      set);
	else if (!strncmp(name, of_romio, sizeof(of_romio) - 1))
		tell_romio(on, args, setting);
}

static _Atomic bool is_told;

bool weir_mpi_mca_is_due(void)
{
	return !atomic_load_explicit(&is_told, memory_order_relaxed) &&
	       weir_adjust_next(WEIR_PLAN_ENVIRONMENT, NULL, NULL, NULL);
}

void weir_mpi_mca_tell(struct weir_layer *on, const struct weir_mpi_args *args)
{
	const struct weir_plan_setting *setting = NULL;

	if (!weir_mpi_mca_is_due() || atomic_exchange(&is_told, true))
		return;
	while ((setting = weir_adjust_next(WEIR_PLAN_ENVIRONMENT, NULL, NULL,
					   setting)))
		tell_setting(on, args, setting);
}
