/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the processes of a live directory that could not be recorded. */
#include "launch/collect/census.h"

#include "trace/control/controlfile.h"

#include <string.h>
#include <unistd.h>

void weir_census_open(struct weir_census *census, int dir_fd,
		      const struct weir_unrecorded *refused)
{
	memset(census, 0, sizeof(*census));
	census->dir_fd = dir_fd;
	census->refused = refused;
	if (weir_controlfile_open(dir_fd, true, &census->control_fd))
		census->control_fd = -1;
}

void weir_census_close(struct weir_census *census)
{
	if (census->control_fd >= 0)
		close(census->control_fd);
	census->control_fd = -1;
}

/* What is told once is not told again: counts only grow. */
static int put_census(struct weir_census *census, struct weir_store *store)
{
	struct weir_unrecorded all = census->told, now;
	int err = 0;

	weir_controlfile_count(census->control_fd, &now);
	weir_unrecorded_add(&now, &census->marks);
	weir_unrecorded_add(&now, &census->taken);
	weir_unrecorded_add(&now, census->refused);
	weir_unrecorded_raise(&all, &now);
	if (memcmp(&all, &census->told, sizeof(all)))
		err = weir_unrecorded_put(&all, store);
	if (!err)
		census->told = all;
	return err;
}

int weir_census_look(struct weir_census *census, uint64_t changed,
		     struct weir_store *store)
{
	if (census->changed != changed &&
	    !weir_controlfile_count_marks(census->dir_fd, &census->marks))
		census->changed = changed;
	return put_census(census, store);
}

bool weir_census_sees_life(const struct weir_census *census)
{
	return census->control_fd >= 0 &&
	       !weir_controlfile_is_alone(census->control_fd);
}

/* Told before they are removed: who dies in between has told them. */
int weir_census_end(struct weir_census *census, struct weir_store *store)
{
	int err;

	weir_controlfile_count_marks(census->dir_fd, &census->marks);
	err = put_census(census, store);
	if (err)
		return err;
	memset(&census->marks, 0, sizeof(census->marks));
	return weir_controlfile_take_marks(census->dir_fd, &census->taken);
}
