/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the readers of the kernel's tables and of the card with the time any
 * text: mounts, mappings, and whom to ask.
 */
#include "capture/record/mapsfile.h"
#include "launch/collect/mountinfo.h"
#include "launch/clocks/timecard.h"
#include "target.h"
#include "trace/facts/mounts.h"

#include <errno.h>

static void read_mounts(char *text)
{
	struct weir_mounts mounts = { 0 };
	char *line;

	while ((line = strsep(&text, "\n")))
		must(!weir_mountinfo_take(&mounts, line));
	must(mounts.count <= WEIR_MOUNTS_MOST);
	for (uint32_t i = 0; i < mounts.count; i++)
		must(*mounts.list[i].point == '/' && *mounts.list[i].type);
	weir_mounts_of(&mounts, "/a/b");
	weir_mounts_fini(&mounts);
}

/* In a room of 64 bytes and in a large one. */
static void read_maps(const uint8_t *data, size_t size, size_t bytes)
{
	static char room[4096];
	struct weir_mapsfile maps = {
		.fd = memory_file(data, size), .room = room, .size = bytes,
	};
	struct weir_mapsfile_row row;
	size_t rows = 0;

	while (weir_mapsfile_next(&maps, &row)) {
		must(++rows <= size + 1);
		must(strlen(row.path) < bytes);
	}
}

static void read_card(char *text)
{
	struct weir_timecard card;
	int err = weir_timecard_parse(text, &card);

	must(err == -EBADMSG || (!err && card.of && card.port && card.count));
	must(card.count <= WEIR_TIMECARD_ADDRESSES);
	must(strnlen(card.machine, sizeof(card.machine)) <
	     sizeof(card.machine));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = text_of(data, size);

	read_mounts(text);
	free(text);
	text = text_of(data, size);
	read_card(text);
	free(text);
	if (size < 4096)
		read_maps(data, size, size % 2 ? 64 : 4096);
	return 0;
}

static const char *const words[] = {
	"36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw\n",
	"22 1 0:21 / /proc rw - proc proc rw\n", "\\040", "\\134", " - ",
	"7f12345a6000-7f12346fb000 r-xp 00026000 fe:01 1835042   /usr/x\n",
	"r-xp", "rw-p", "[stack]", " (deleted)", "ffffffffffffffff", "00:00",
	"40000 77 5 machine 000102030405060708090a0b0c0d0e0f ::1\n",
	"::ffff:127.0.0.1", "fe80::1", "\n", " ", "/", "-", NULL,
};

const struct fuzz_shape fuzz_shape = { .part = find_line, .words = words };
