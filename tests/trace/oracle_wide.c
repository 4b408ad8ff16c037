/* SPDX-License-Identifier: BSD-3-Clause */
/* Wide streams, and what libc reads and writes by itself. */
#include "oracle_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <mntent.h>
#include <pwd.h>
#include <shadow.h>
#include <stdarg.h>
#include <string.h>
#include <wchar.h>

wint_t __wuflow(FILE *f);
wint_t __wunderflow(FILE *f);
wint_t __woverflow(FILE *f, wint_t c);
wchar_t *__fgetws_chk(wchar_t *buf, size_t size, int n, FILE *f);
wchar_t *__fgetws_unlocked_chk(wchar_t *buf, size_t size, int n, FILE *f);
int __fwprintf_chk(FILE *f, int flag, const wchar_t *format, ...);
int __vfwprintf_chk(FILE *f, int flag, const wchar_t *format, va_list list);
int __wprintf_chk(int flag, const wchar_t *format, ...);
int __vwprintf_chk(int flag, const wchar_t *format, va_list list);
struct mntent *__getmntent_r(FILE *f, struct mntent *entry, char *buf,
			     int len);

#define OLD(name, symbol) extern int name __asm__(#symbol)
OLD(old_fwscanf(FILE *f, const wchar_t *format, ...), fwscanf);
OLD(old_vfwscanf(FILE *f, const wchar_t *format, va_list list), vfwscanf);
OLD(old_wscanf(const wchar_t *format, ...), wscanf);
OLD(old_vwscanf(const wchar_t *format, va_list list), vwscanf);
OLD(new_fwscanf(FILE *f, const wchar_t *format, ...), __isoc99_fwscanf);
OLD(new_vfwscanf(FILE *f, const wchar_t *format, va_list list),
    __isoc99_vfwscanf);
OLD(new_wscanf(const wchar_t *format, ...), __isoc99_wscanf);
OLD(new_vwscanf(const wchar_t *format, va_list list), __isoc99_vwscanf);

/* Only the first call on a wide stream may know where it is. */
static void told(const char *symbol, FILE *f, long ret)
{
	tell(symbol, ret, "%s,'size':%ld", book_name(f->_fileno), ret);
}

static const struct {
	const char *symbol;
	wint_t (*call)(wchar_t c, FILE *f);
} putters[] = {
	{ "fputwc", fputwc }, { "putwc", putwc },
	{ "fputwc_unlocked", fputwc_unlocked },
	{ "putwc_unlocked", putwc_unlocked },
};

static const struct {
	const char *symbol;
	wint_t (*call)(FILE *f);
} getters[] = {
	{ "fgetwc", fgetwc }, { "getwc", getwc },
	{ "fgetwc_unlocked", fgetwc_unlocked },
	{ "getwc_unlocked", getwc_unlocked }, { "__wuflow", __wuflow },
};

static int write_list(const char *symbol, FILE *f, const wchar_t *format, ...)
{
	va_list list;
	int ret = -1;

	va_start(list, format);
	if (!strcmp(symbol, "vfwprintf"))
		ret = vfwprintf(f, format, list);
	else if (!strcmp(symbol, "__vfwprintf_chk"))
		ret = __vfwprintf_chk(f, 1, format, list);
	else if (!strcmp(symbol, "vwprintf"))
		ret = vwprintf(format, list);
	else
		ret = __vwprintf_chk(1, format, list);
	va_end(list);
	return ret;
}

static void put_wide(FILE *f)
{
	static const char *const lists[] = { "vfwprintf", "__vfwprintf_chk",
					     "vwprintf", "__vwprintf_chk" };

	for (size_t i = 0; i < ELEMENTS(putters); i++)
		told(putters[i].symbol, f, putters[i].call(L'w', f) == L'w');
	told("fputws", f, fputws(L"three", f) < 0 ? -1 : 5);
	told("fputws_unlocked", f, fputws_unlocked(L"ab", f) < 0 ? -1 : 2);
	told("fwprintf", f, fwprintf(f, L"%d", 12345));
	told("__fwprintf_chk", f, __fwprintf_chk(f, 1, L"%d", 12345));
	told("putwchar", f, putwchar(L'w') == L'w');
	told("putwchar_unlocked", f, putwchar_unlocked(L'w') == L'w');
	told("wprintf", f, wprintf(L"%d", 12345));
	told("__wprintf_chk", f, __wprintf_chk(1, L"%d", 12345));
	for (size_t i = 0; i < ELEMENTS(lists); i++)
		told(lists[i], f, write_list(lists[i], f, L"%ls", L"four"));
}

static void get_wide(FILE *f)
{
	wchar_t line[20];

	for (size_t i = 0; i < ELEMENTS(getters); i++)
		told(getters[i].symbol, f, getters[i].call(f) != WEOF);
	told("getwchar", f, getwchar() != WEOF);
	told("getwchar_unlocked", f, getwchar_unlocked() != WEOF);
	told("fgetws", f, fgetws(line, 7, f) ? 6 : 0);
	told("fgetws_unlocked", f, fgetws_unlocked(line, 7, f) ? 6 : 0);
	told("__fgetws_chk", f, __fgetws_chk(line, 20, 7, f) ? 6 : 0);
	told("__fgetws_unlocked_chk", f,
	     __fgetws_unlocked_chk(line, 20, 7, f) ? 6 : 0);
	told("ungetwc", f, ungetwc(L'u', f) == L'u');
	told("fgetwc", f, fgetwc(f) == L'u');
}

static void play_wide(long count)
{
	FILE *own_in = stdin, *own_out = stdout, *f;

	f = stdout = watch_fopen("file", "w");
	if (fwide(f, 1) <= 0)
		tell_failure("fwide");
	tell_silent("fwide");
	for (long i = 0; i < count; i++)
		put_wide(f);
	told("__woverflow", f, __woverflow(f, L'w') == L'w');
	stdout = own_out;
	tell("fclose", fclose(f), "'fd':%d", f->_fileno);
	f = stdin = watch_fopen("file", "r");
	for (long i = 0; i < count; i++)
		get_wide(f);
	__wunderflow(f);
	told("__wunderflow", f, 0);
	stdin = own_in;
	tell("fclose", fclose(f), "'fd':%d", f->_fileno);
}

static int scan_list(int (*call)(FILE *f, const wchar_t *format, va_list list),
		     FILE *f, const wchar_t *format, ...)
{
	va_list list;
	int ret;

	va_start(list, format);
	ret = call(f, format, list);
	va_end(list);
	return ret;
}

static int scan_stdin(int (*call)(const wchar_t *format, va_list list),
		      const wchar_t *format, ...)
{
	va_list list;
	int ret;

	va_start(list, format);
	ret = call(format, list);
	va_end(list);
	return ret;
}

static void told_scan(const char *symbol, FILE *f, long ret)
{
	tell(symbol, ret, "%s", book_name(f->_fileno));
}

static void play_wide_scan(long count)
{
	FILE *own = stdin, *f = watch_fopen("file", "w");
	int n;

	watch_put(f);
	watch_moved("fputs", 25, fputs("1 2 3 4 5 6 7 8 9 1 2 3 4", f) < 0 ?
		    -1 : 25);
	watch_fclose(f);
	f = stdin = watch_fopen("file", "r");
	told_scan("fwscanf", f, old_fwscanf(f, L"%d", &n));
	told_scan("__isoc99_fwscanf", f, new_fwscanf(f, L"%d", &n));
	told_scan("vfwscanf", f, scan_list(old_vfwscanf, f, L"%d", &n));
	told_scan("__isoc99_vfwscanf", f,
		  scan_list(new_vfwscanf, f, L"%d", &n));
	told_scan("wscanf", f, old_wscanf(L"%d", &n));
	told_scan("__isoc99_wscanf", f, new_wscanf(L"%d", &n));
	told_scan("vwscanf", f, scan_stdin(old_vwscanf, L"%d", &n));
	told_scan("__isoc99_vwscanf", f, scan_stdin(new_vwscanf, L"%d", &n));
	stdin = own;
	tell("fclose", fclose(f), "'fd':%d", f->_fileno);
}

/* --- entries of tables in files ----------------------------------------- */

static void put_entries(FILE *f)
{
	struct passwd user = { "name", "x", 1, 2, "text", "/", "/bin/sh" };
	struct group group = { "name", "x", 1, NULL };
	struct spwd secret = { "name", "x", 1, 2, 3, 4, 5, 6, 7 };

	group.gr_mem = (char *[]){ "member", NULL };
	told_scan("putpwent", f, putpwent(&user, f));
	told_scan("putgrent", f, putgrent(&group, f));
	told_scan("putspent", f, putspent(&secret, f));
}

/* Three lines of what all these read. */
static FILE *open_lines(const char *path, const char *line)
{
	long fd = raw_call(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT,
			   0644);

	for (int i = 0; i < 3; i++)
		raw_call(SYS_write, fd, line, strlen(line));
	raw_call(SYS_close, fd);
	return watch_fopen(path, "r");
}

static void close_lines(FILE *f)
{
	tell("fclose", fclose(f), "'fd':%d", f->_fileno);
}

static void told_error(const char *symbol, FILE *f, int err)
{
	tell_errnum(symbol, err, "%s", book_name(f->_fileno));
}

static void get_users(void)
{
	FILE *f = open_lines("users", "name:x:1:2:text:/:/bin/sh\n");
	struct passwd user, *found;
	char text[1000];

	told_scan("fgetpwent", f, (long)fgetpwent(f));
	told_error("fgetpwent_r", f,
		   fgetpwent_r(f, &user, text, sizeof(text), &found));
	close_lines(f);
}

static void get_groups(void)
{
	FILE *f = open_lines("groups", "name:x:1:member\n");
	struct group group, *found;
	char text[1000];

	told_scan("fgetgrent", f, (long)fgetgrent(f));
	told_error("fgetgrent_r", f,
		   fgetgrent_r(f, &group, text, sizeof(text), &found));
	close_lines(f);
}

static void get_secrets(void)
{
	FILE *f = open_lines("secrets", "name:x:1:2:3:4:5:6:7\n");
	struct spwd secret, *found;
	char text[1000];

	told_scan("fgetspent", f, (long)fgetspent(f));
	told_error("fgetspent_r", f,
		   fgetspent_r(f, &secret, text, sizeof(text), &found));
	close_lines(f);
}

static void get_mounts(void)
{
	FILE *f = open_lines("mounts", "what /where kind rw 0 0\n");
	struct mntent mount;
	char text[1000];

	told_scan("getmntent", f, (long)getmntent(f));
	told_scan("getmntent_r", f,
		  (long)getmntent_r(f, &mount, text, sizeof(text)));
	told_scan("__getmntent_r", f,
		  (long)__getmntent_r(f, &mount, text, sizeof(text)));
	close_lines(f);
}

static void play_entries(long count)
{
	struct mntent mount = { "what", "/where", "kind", "rw", 0, 0 };
	FILE *f = watch_fopen("entries", "w");

	put_entries(f);
	watch_fclose(f);
	get_users();
	get_groups();
	get_secrets();
	get_mounts();
	f = watch_fopen("mounts", "a+");
	told_scan("addmntent", f, addmntent(f, &mount));
	close_lines(f);
}

const struct scenario oracle_wide[] = {
	{ "wide", play_wide },
	{ "wide-scan", play_wide_scan },
	{ "entries", play_entries },
	{ NULL, NULL },
};
