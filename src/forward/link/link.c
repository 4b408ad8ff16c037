/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows what WEIR_FORWARD says, and where the memory of the session is. */
#include "forward/link/link.h"

#include "base/sys.h"
#include "forward/link/self.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

#define BOOT_ID 37

struct weir_link weir_link;
bool weir_link_is_on, weir_link_is_deferring;

/* What WEIR_FORWARD says; directories with a zero behind each. */
static char words[3 * PATH_MAX], deferrals[PATH_MAX];
static const char *directory, *prefixes;

static bool is_this_boot(const char *id)
{
	char own[BOOT_ID] = "";
	long got, fd = weir_sys4(SYS_openat, AT_FDCWD,
				 "/proc/sys/kernel/random/boot_id",
				 O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return false;
	got = weir_sys3(SYS_read, fd, own, BOOT_ID - 1);
	weir_sys1(SYS_close, fd);
	return got == BOOT_ID - 1 && !strcmp(own, id);
}

static char *cut_at(char *text, char mark)
{
	char *at = text ? strchr(text, mark) : NULL;

	if (!at)
		return NULL;
	*at = 0;
	return at + 1;
}

static void cut_up(char *text, char mark)
{
	while (text)
		text = cut_at(text, mark);
}

/* What stands behind the prefixes is moved elsewhere: zeros end them. */
static void take_deferrals(char *text)
{
	size_t length = text ? strlen(text) : 0;

	if (!length || length >= sizeof(deferrals) - 1)
		return;
	memcpy(deferrals, text, length);
	memset(text, 0, length);
	cut_up(deferrals, ':');
}

/* Another host's service, or one of before a restart, is none. */
void weir_link_begin(const char *where)
{
	char *boot, *first;

	if (strlen(where) >= sizeof(words) - 1)
		return;
	memcpy(words, where, strlen(where) + 1);
	boot = cut_at(words, '|');
	first = cut_at(boot, '|');
	if (!first || !is_this_boot(boot))
		return;
	take_deferrals(cut_at(first, '|'));
	directory = words;
	prefixes = first;
	cut_up(first, ':');
	weir_self_begin();
	weir_link_is_on = true;
}

static bool is_below(const char *path, const char *prefix, size_t len)
{
	return len && !strncmp(path, prefix, len) &&
	       (!path[len] || path[len] == '/' || prefix[len - 1] == '/');
}

/* Two zeros end them: the rest of the text is zeros. */
static bool is_below_any(const char *path, const char *prefix)
{
	size_t len;

	for (; prefix && (len = strlen(prefix)); prefix += len + 1)
		if (is_below(path, prefix, len))
			return true;
	return false;
}

const char *weir_link_directory(void)
{
	return directory;
}

bool weir_link_wants(const char *path)
{
	return is_below_any(path, prefixes);
}

bool weir_link_defers(const char *path)
{
	return is_below_any(path, deferrals);
}

const char *weir_link_deferred(void)
{
	return deferrals;
}
