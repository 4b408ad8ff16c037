/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes and reads DIR/clock: whom other hosts can ask for the time. */
#include "launch/clocks/timecard.h"

#include "base/whole.h"
#include "launch/directory/tracedir.h"
#include "trace/layout/anchor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME	  "clock"
#define LONGEST	  2048 /* bytes of the file */
#define MAPPED	  "\0\0\0\0\0\0\0\0\0\0\xff\xff" /* before a v4 address */
#define BOOT_FILE "/proc/sys/kernel/random/boot_id"

/* Everywhere else, link-local ones would need an interface's name, too. */
static bool get_address(const struct ifaddrs *entry, struct in6_addr *to)
{
	const struct sockaddr *address = entry->ifa_addr;

	if (!address || !(entry->ifa_flags & IFF_UP) ||
	    entry->ifa_flags & IFF_LOOPBACK)
		return false;
	if (address->sa_family == AF_INET) {
		memcpy(to->s6_addr, MAPPED, 12);
		memcpy(to->s6_addr + 12,
		       &((const struct sockaddr_in *)address)->sin_addr, 4);
		return true;
	}
	if (address->sa_family != AF_INET6)
		return false;
	*to = ((const struct sockaddr_in6 *)address)->sin6_addr;
	return !IN6_IS_ADDR_LINKLOCAL(to);
}

static int find_addresses(struct weir_timecard *card)
{
	struct ifaddrs *all, *entry;

	if (getifaddrs(&all))
		return -errno;
	for (entry = all; entry; entry = entry->ifa_next)
		if (card->count < WEIR_TIMECARD_ADDRESSES &&
		    get_address(entry, &card->addresses[card->count]))
			card->count++;
	freeifaddrs(all);
	return card->count ? 0 : -ENODEV;
}

void weir_timecard_name_machine(char machine[80])
{
	struct stat st = { 0 };
	char boot[40] = "";

	weir_whole_load(BOOT_FILE, boot, sizeof(boot));
	boot[strspn(boot, "0123456789abcdef-")] = '\0';
	if (stat("/proc/self/ns/time", &st))
		st.st_ino = 0;
	/* Without a name of its own a machine is like no other. */
	snprintf(machine, 80, "%s/%llu", *boot ? boot : "?",
		 (unsigned long long)st.st_ino);
}

int weir_timecard_make(struct weir_timecard *card)
{
	struct weir_live_anchor now = weir_anchor_now(false);

	*card = (struct weir_timecard){ .ahead = now.real - now.mono };
	weir_timecard_name_machine(card->machine);
	while (!card->of)
		if (getrandom(&card->of, sizeof(card->of), 0) < 0)
			return -errno;
	if (getrandom(card->token, sizeof(card->token), 0) !=
	    (ssize_t)sizeof(card->token))
		return -EIO;
	return find_addresses(card);
}

int weir_timecard_path(const struct weir_tracedir *place, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s/" NAME, place->dir) < PATH_MAX
		       ? 0 : -ENAMETOOLONG;
}

static size_t write_card(const struct weir_timecard *card, char text[LONGEST])
{
	char address[INET6_ADDRSTRLEN];
	size_t used = (size_t)snprintf(text, LONGEST, "%u %llu %llu %s ",
				       card->port,
				       (unsigned long long)card->of,
				       (unsigned long long)card->ahead,
				       card->machine);

	for (int i = 0; i < WEIR_TIMECARD_TOKEN; i++)
		used += (size_t)snprintf(text + used, LONGEST - used, "%02x",
					 card->token[i]);
	for (uint32_t i = 0; i < card->count; i++)
		if (inet_ntop(AF_INET6, &card->addresses[i], address,
			      sizeof(address)))
			used += (size_t)snprintf(text + used, LONGEST - used,
						 " %s", address);
	used += (size_t)snprintf(text + used, LONGEST - used, "\n");
	return used;
}

int weir_timecard_write(const struct weir_timecard *card, const char *path)
{
	char text[LONGEST];
	size_t size = write_card(card, text);

	return weir_whole_create(path, text, size);
}

static bool read_token(const char *hex, uint8_t token[WEIR_TIMECARD_TOKEN])
{
	unsigned byte;

	for (int i = 0; i < WEIR_TIMECARD_TOKEN; i++) {
		if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
			return false;
		token[i] = (uint8_t)byte;
	}
	return true;
}

int weir_timecard_parse(char *text, struct weir_timecard *card)
{
	unsigned long long of, ahead;
	char hex[2 * WEIR_TIMECARD_TOKEN + 1], *rest, *word;
	int used = 0;

	*card = (struct weir_timecard){ 0 };
	if (!strchr(text, '\n') ||
	    sscanf(text, "%hu %llu %llu %79s %32s%n", &card->port, &of, &ahead,
		   card->machine, hex, &used) != 5 ||
	    strlen(hex) != 2 * WEIR_TIMECARD_TOKEN ||
	    !read_token(hex, card->token))
		return -EBADMSG;
	card->of = of;
	card->ahead = ahead;
	for (word = strtok_r(text + used, " \n", &rest); word;
	     word = strtok_r(NULL, " \n", &rest)) {
		if (card->count == WEIR_TIMECARD_ADDRESSES ||
		    inet_pton(AF_INET6, word,
			      &card->addresses[card->count]) != 1)
			return -EBADMSG;
		card->count++;
	}
	return card->of && card->port && card->count ? 0 : -EBADMSG;
}

int weir_timecard_read(const char *path, struct weir_timecard *ret_card)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char text[LONGEST + 1];
	struct stat st;
	ssize_t got;
	int err = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) ||
	    st.st_uid != geteuid() || st.st_mode & 077)
		err = -EPERM;
	got = err ? 0 : weir_whole_fill(fd, text, LONGEST);
	close(fd);
	if (err || got < 0)
		return err ? err : -EIO;
	text[got] = '\0';
	return weir_timecard_parse(text, ret_card);
}
