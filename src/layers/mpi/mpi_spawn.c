/* SPDX-License-Identifier: BSD-3-Clause */
/* Has processes recorded that a program starts by MPI. */
#include "layers/layers.h"
#include "layers/mpi/mpi_real.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT	__attribute__((visibility("default")))

#define LONGEST 255 /* of a value, in Open MPI */
#define MOST	64  /* programs of a call that get a copy of their info */

/* As <mpi.h>, but that handles are numbers or addresses: see mpi_real.h. */
typedef int spawn_one(const char *command, char **argv, int n, long info,
		      int root, long comm, void *made, void *codes);
typedef int spawn_several(int n, char **commands, char ***argvs,
			  const int *counts, const void *infos, int root,
			  long comm, void *made, void *codes);

spawn_one MPI_Comm_spawn, PMPI_Comm_spawn;
spawn_several MPI_Comm_spawn_multiple, PMPI_Comm_spawn_multiple;

static bool add_line(char *text, const char *name)
{
	const char *value = getenv(name);
	size_t used = strlen(text), length = strlen(name);

	if (!value)
		return true;
	if (used + length + strlen(value) + 2 > LONGEST)
		return false;
	if (used)
		text[used++] = '\n';
	memcpy(text + used, name, length);
	text[used + length] = '=';
	memcpy(text + used + length + 1, value, strlen(value) + 1);
	return true;
}

/*
 * Without the library nothing is recorded. The rest the launcher has too, when
 * it was weir run that started it.
 */
static bool add_variables(char text[LONGEST + 1])
{
	static const char *const more[] = { "WEIR_TRACE", "WEIR_LIVE",
					    "WEIR_PLAN", "WEIR_FORWARD" };

	if (!getenv("LD_PRELOAD") || !add_line(text, "LD_PRELOAD"))
		return false;
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		add_line(text, more[i]);
	return true;
}

/* A copy of an info, with our variables; false: it stays as it is. */
static bool extend_info(long info, long *ret_copy)
{
	bool is_new = weir_mpi_cut(info) == weir_mpi_flavour.info_null;
	char text[LONGEST + 1] = "";
	int found = 0;

	if (is_new ? weir_mpi_real.info_create(ret_copy)
		   : weir_mpi_real.info_dup(info, ret_copy))
		return false;
	if (!is_new)
		weir_mpi_real.info_get(*ret_copy, "env", LONGEST, text, &found);
	if (!found)
		text[0] = '\0';
	if (add_variables(text) &&
	    !weir_mpi_real.info_set(*ret_copy, "env", text))
		return true;
	weir_mpi_real.info_free(ret_copy);
	return false;
}

/*
 * Open MPI's daemons start them with the launcher's environment, those of
 * others with that of the ranks. Only the root's infos are looked at.
 */
static bool is_wanted(const struct weir_mpi_change *change, int root)
{
	int rank = -1;

	weir_mpi_hides(change);
	return weir_mpi_meet(change->from) && !weir_mpi_flavour.narrow &&
	       !weir_mpi_real.comm_rank(change->comm, &rank) && rank == root;
}

/* The arguments of both calls; each uses its own. */
struct start {
	const char *command;
	char **argv, **commands, ***argvs;
	const int *counts;
	const void *infos;
	int n, root;
	long info;
	void *made, *codes;
	struct weir_mpi_change change;
};

static int start_one(spawn_one *next, const struct start *s)
{
	long comm = s->change.comm, copy = 0;
	bool has_copy;
	int ret;

	if (!next)
		return weir_mpi_missing();
	has_copy =
		is_wanted(&s->change, s->root) && extend_info(s->info, &copy);
	ret = next(s->command, s->argv, s->n, has_copy ? copy : s->info,
		   s->root, comm, s->made, s->codes);
	if (has_copy)
		weir_mpi_real.info_free(&copy);
	if (!ret)
		weir_mpi_mixes(&s->change);
	return ret;
}

static int start_several(spawn_several *next, const struct start *s)
{
	long copies[MOST], own[MOST], comm = s->change.comm;
	int n = 0, ret;

	if (!next)
		return weir_mpi_missing();
	if (is_wanted(&s->change, s->root) && s->n <= MOST)
		n = s->n;
	for (int i = 0; i < n; i++) {
		own[i] = weir_mpi_handle_at(s->infos, i);
		if (!extend_info(own[i], &copies[i]))
			copies[i] = own[i];
	}
	ret = next(s->n, s->commands, s->argvs, s->counts,
		   n > 0 ? copies : s->infos, s->root, comm, s->made, s->codes);
	for (int i = 0; i < n; i++)
		if (copies[i] != own[i])
			weir_mpi_real.info_free(&copies[i]);
	if (!ret)
		weir_mpi_mixes(&s->change);
	return ret;
}

EXPORT int MPI_Comm_spawn(const char *command, char **argv, int n, long info,
			  int root, long comm, void *made, void *codes)
{
	static struct weir_layers_slot slot;
	const void *caller = __builtin_return_address(0);
	spawn_one *next = weir_layers_next(&slot, "MPI_Comm_spawn",
					   (void *)MPI_Comm_spawn, caller);
	const struct start start = {
		.command = command,
		.argv = argv,
		.n = n,
		.root = root,
		.info = info,
		.made = made,
		.codes = codes,
		.change = { .from = (void *)next,
			    .caller = caller,
			    .comm = comm,
			    .made = made },
	};

	return start_one(next, &start);
}

EXPORT int PMPI_Comm_spawn(const char *command, char **argv, int n, long info,
			   int root, long comm, void *made, void *codes)
{
	static struct weir_layers_slot slot;
	const void *caller = __builtin_return_address(0);
	spawn_one *next = weir_layers_next(&slot, "PMPI_Comm_spawn",
					   (void *)PMPI_Comm_spawn, caller);
	const struct start start = {
		.command = command,
		.argv = argv,
		.n = n,
		.root = root,
		.info = info,
		.made = made,
		.codes = codes,
		.change = { .from = (void *)next,
			    .caller = caller,
			    .comm = comm,
			    .made = made },
	};

	return start_one(next, &start);
}

EXPORT int MPI_Comm_spawn_multiple(int n, char **commands, char ***argvs,
				   const int *counts, const void *infos,
				   int root, long comm, void *made, void *codes)
{
	static struct weir_layers_slot slot;
	const void *caller = __builtin_return_address(0);
	spawn_several *next =
		weir_layers_next(&slot, "MPI_Comm_spawn_multiple",
				 (void *)MPI_Comm_spawn_multiple, caller);
	const struct start start = {
		.commands = commands,
		.argvs = argvs,
		.counts = counts,
		.infos = infos,
		.n = n,
		.root = root,
		.made = made,
		.codes = codes,
		.change = { .from = (void *)next,
			    .caller = caller,
			    .comm = comm,
			    .made = made },
	};

	return start_several(next, &start);
}

EXPORT int PMPI_Comm_spawn_multiple(int n, char **commands, char ***argvs,
				    const int *counts, const void *infos,
				    int root, long comm, void *made,
				    void *codes)
{
	static struct weir_layers_slot slot;
	const void *caller = __builtin_return_address(0);
	spawn_several *next =
		weir_layers_next(&slot, "PMPI_Comm_spawn_multiple",
				 (void *)PMPI_Comm_spawn_multiple, caller);
	const struct start start = {
		.commands = commands,
		.argvs = argvs,
		.counts = counts,
		.infos = infos,
		.n = n,
		.root = root,
		.made = made,
		.codes = codes,
		.change = { .from = (void *)next,
			    .caller = caller,
			    .comm = comm,
			    .made = made },
	};

	return start_several(next, &start);
}
