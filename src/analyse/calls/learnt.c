/* SPDX-License-Identifier: BSD-3-Clause */
/* Learns from names of files if they are wanted, and what they lie in. */
#include "analyse/calls/learnt.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define UNWANTED WEIR_LEARNT_UNWANTED

/* What is learnt of a name, with the index of its place + 1 above. */
enum {
	IS_KNOWN = 1,
	IS_UNWANTED = 2,
	IS_OBJECT = 4,
	PLACE_SHIFT = 3,
};

int weir_learnt_init(struct weir_learnt *learnt,
		     const struct weir_reader *reader,
		     struct weir_names *names, const char *glob)
{
	*learnt = (struct weir_learnt){
		.reader = reader, .names = names, .glob = glob,
		.of = calloc((size_t)weir_reader_names(reader) + 1, 1),
	};
	if (!learnt->of)
		return -ENOMEM;
	weir_names_init_upon(names, weir_reader_all_names(reader));
	return 0;
}

void weir_learnt_fini(struct weir_learnt *learnt)
{
	free(learnt->of);
	weir_map_fini(&learnt->whole_of);
}

int weir_learnt_number(struct weir_learnt *learnt, const char *name,
		       size_t len, uint32_t *ret_number)
{
	const char *glob = learnt->glob;
	int err;

	*ret_number = 0;
	if (!name) {
		*ret_number = glob ? UNWANTED : 0;
		return 0;
	}
	err = weir_names_add(learnt->names, name, len, ret_number);
	if (err || !glob)
		return err;
	name = weir_names_get(learnt->names, *ret_number, &len);
	if (fnmatch(glob, name, 0))
		*ret_number = UNWANTED;
	return 0;
}

/* What a name says of where it leads; the first that fits. */
static const struct {
	const char *begin;
	uint32_t mark;
} places[] = {
	{"pipe", WEIR_CALLVIEW_CHANNEL},
	{"socket:[", WEIR_CALLVIEW_CHANNEL},
	{"anon_inode:", WEIR_CALLVIEW_CHANNEL},
	{"/dev/tty", WEIR_CALLVIEW_CHANNEL},
	{"/dev/pts/", WEIR_CALLVIEW_CHANNEL},
	{"/dev/shm/", WEIR_CALLVIEW_MEMORY},
	{"/dev/", WEIR_CALLVIEW_LIVE},
	{"/proc/", WEIR_CALLVIEW_LIVE},
	{"/sys/", WEIR_CALLVIEW_LIVE},
};

/* Its index + 1; 0: nothing. */
static unsigned place_of_name(const char *name, size_t len)
{
	for (unsigned i = 0; name && i < sizeof(places) / sizeof(*places); i++)
		if (len >= strlen(places[i].begin) &&
		    !memcmp(name, places[i].begin, strlen(places[i].begin)))
			return i + 1;
	return 0;
}

static int is_at(const char *name, size_t len, uint32_t mark)
{
	unsigned place = place_of_name(name, len);

	return place && places[place - 1].mark == mark;
}

int weir_learnt_is_channel(const char *name, size_t len)
{
	return is_at(name, len, WEIR_CALLVIEW_CHANNEL);
}

int weir_learnt_is_live(const char *name, size_t len)
{
	return is_at(name, len, WEIR_CALLVIEW_LIVE);
}

/* Objects of libraries are FILE:/PATH; of other names all is the file. */
static int number_whole(struct weir_learnt *learnt, const char *name,
			size_t len, uint32_t file)
{
	uint32_t whole = file;
	size_t at = len;
	int err;

	while (at && (name[at - 1] != ':' || name[at] != '/'))
		at--;
	if (!name || at < 2)
		return 0;
	err = weir_names_add(learnt->names, name, at - 1, &whole);
	if (err || whole == file)
		return err;
	learnt->of[file] |= IS_OBJECT;
	return weir_map_put(&learnt->whole_of, file, whole);
}

/* What is known of one of the reader's names, found out once. */
static int learn_name(struct weir_learnt *learnt, uint32_t file, int is_object)
{
	size_t len = 0;
	const char *name = weir_reader_name(learnt->reader, file, &len);
	uint32_t number = 0;
	int err = weir_learnt_number(learnt, name, len, &number);

	if (err)
		return err;
	learnt->of[file] = (uint8_t)(
		IS_KNOWN | (number == UNWANTED ? IS_UNWANTED : 0) |
		place_of_name(name, len) << PLACE_SHIFT);
	return is_object && number != UNWANTED ?
		       number_whole(learnt, name, len, file) : 0;
}

/* A ring is where operations are handed over: that waits for nobody. */
uint32_t weir_learnt_mark(uint32_t mark, unsigned layer)
{
	return mark == WEIR_CALLVIEW_CHANNEL && layer == WEIR_CALLVIEW_ASYNC ?
		       WEIR_CALLVIEW_RING : mark;
}

int weir_learnt_tell(struct weir_learnt *learnt, struct weir_callview *view)
{
	uint32_t file = view->event.file;
	uint8_t what;
	int err = 0;

	if (file > learnt->names->base_count)
		file = 0;
	if (!learnt->of[file])
		err = learn_name(learnt, file,
				 view->layer == WEIR_CALLVIEW_HDF5 ||
				 view->layer == WEIR_CALLVIEW_PNETCDF);
	if (err)
		return err;
	what = learnt->of[file];
	view->file = what & IS_UNWANTED ? UNWANTED : file;
	view->whole = what & IS_OBJECT ?
			       (uint32_t)weir_map_get(&learnt->whole_of, file) :
			       view->file;
	if (what >> PLACE_SHIFT)
		view->marks |= weir_learnt_mark(
			places[(what >> PLACE_SHIFT) - 1].mark, view->layer);
	return 0;
}
