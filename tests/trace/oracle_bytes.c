/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes through streams, by all the names there are for it. */
#include "oracle_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Names that headers hide, or turn into others. */
int _IO_getc(FILE *f);
int _IO_putc(int c, FILE *f);
int __uflow(FILE *f);
int __underflow(FILE *f);
int __overflow(FILE *f, int c);
size_t __fread_chk(void *buf, size_t room, size_t size, size_t n, FILE *f);
size_t __fread_unlocked_chk(void *buf, size_t room, size_t size, size_t n,
			    FILE *f);
char *__fgets_chk(char *buf, size_t size, int n, FILE *f);
char *__fgets_unlocked_chk(char *buf, size_t size, int n, FILE *f);
int __fprintf_chk(FILE *f, int flag, const char *format, ...);
int __vfprintf_chk(FILE *f, int flag, const char *format, va_list list);
int __printf_chk(int flag, const char *format, ...);
int __vprintf_chk(int flag, const char *format, va_list list);
char *gets(char *buf);
char *__gets_chk(char *buf, size_t room);

FILE *_IO_fopen(const char *path, const char *mode);
FILE *_IO_fdopen(int fd, const char *mode);
FILE *_IO_popen(const char *command, const char *mode);
int _IO_fflush(FILE *f);
size_t _IO_fread(void *buf, size_t size, size_t n, FILE *f);
size_t _IO_fwrite(const void *buf, size_t size, size_t n, FILE *f);
char *_IO_fgets(char *buf, int n, FILE *f);
char *_IO_gets(char *buf);
int _IO_fputs(const char *text, FILE *f);
int _IO_puts(const char *text);
int _IO_fprintf(FILE *f, const char *format, ...);
int _IO_vfprintf(FILE *f, const char *format, va_list list);
int _IO_printf(const char *format, ...);

#define OLD(name, symbol) extern int name __asm__(#symbol)
OLD(old_fscanf(FILE *f, const char *format, ...), fscanf);
OLD(old_vfscanf(FILE *f, const char *format, va_list list), vfscanf);
OLD(old_scanf(const char *format, ...), scanf);
OLD(old_vscanf(const char *format, va_list list), vscanf);
OLD(new_fscanf(FILE *f, const char *format, ...), __isoc99_fscanf);
OLD(new_vfscanf(FILE *f, const char *format, va_list list), __isoc99_vfscanf);
OLD(new_scanf(const char *format, ...), __isoc99_scanf);
OLD(new_vscanf(const char *format, va_list list), __isoc99_vscanf);

static char data[10000];

static const struct {
	const char *symbol;
	int (*call)(int c, FILE *f);
} putters[] = {
	{ "fputc", fputc }, { "putc", putc },
	{ "fputc_unlocked", fputc_unlocked },
	{ "putc_unlocked", putc_unlocked }, { "_IO_putc", _IO_putc },
};

static int put_over(int c, FILE *f)
{
	return __overflow(f, c);
}

static void told_put(const char *symbol, int (*call)(int c, FILE *f), FILE *f)
{
	int ret;

	watch_put(f);
	ret = call('c', f);
	watch_moved(symbol, ret != EOF, ret == EOF ? -1 : 1);
}

/* Each of these writes `len` bytes to the stream. */
static int write_list(FILE *f, const char *symbol, const char *format, ...)
{
	va_list list;
	int ret = -1;

	va_start(list, format);
	if (!strcmp(symbol, "vfprintf"))
		ret = vfprintf(f, format, list);
	else if (!strcmp(symbol, "__vfprintf_chk"))
		ret = __vfprintf_chk(f, 1, format, list);
	else if (!strcmp(symbol, "_IO_vfprintf"))
		ret = _IO_vfprintf(f, format, list);
	else if (!strcmp(symbol, "vprintf"))
		ret = vprintf(format, list);
	else if (!strcmp(symbol, "__vprintf_chk"))
		ret = __vprintf_chk(1, format, list);
	va_end(list);
	return ret;
}

static void told_text(FILE *f)
{
	static const char *const lists[] = { "vfprintf", "__vfprintf_chk" };

	watch_put(f);
	fputs("a text", f);
	watch_moved("fputs", 6, 6);
	watch_put(f);
	fputs_unlocked("more", f);
	watch_moved("fputs_unlocked", 4, 4);
	watch_put(f);
	putw(77, f);
	watch_moved("putw", 4, 4);
	watch_put(f);
	watch_moved("fprintf", 8, fprintf(f, "%d apples", 5 + (int)data[0]));
	watch_put(f);
	watch_moved("__fprintf_chk", 3, __fprintf_chk(f, 1, "%03d", 7));
	for (size_t i = 0; i < ELEMENTS(lists); i++) {
		watch_put(f);
		watch_moved(lists[i], 5,
			    write_list(f, lists[i], "%s!", "ouch"));
	}
}

static void play_stream_out(long count)
{
	FILE *f = watch_fopen("file", "w");

	setvbuf(f, NULL, _IOFBF, 64);
	tell_any("setvbuf", "%s,'size':64,'args':{'mode':0}",
		 book_name(f->_fileno));
	for (long i = 0; i < count; i++) {
		for (size_t k = 0; k < ELEMENTS(putters); k++)
			told_put(putters[k].symbol, putters[k].call, f);
		told_text(f);
		watch_fwrite(f, (size_t)i * 13 % 200);
		watch_put(f);
		watch_moved("fwrite_unlocked", 6,
			    3 * (long)fwrite_unlocked(data, 3, 2, f));
	}
	watch_put(f);
	watch_told("fflush", fflush(f), NO_FIELDS);
	told_put("__overflow", put_over, f);
	watch_fwrite(f, 3);
	watch_put(f);
	watch_told("fflush_unlocked", fflush_unlocked(f), NO_FIELDS);
	watch_fwrite(f, 5000);
	watch_fclose(f);
}

static void told_stdout(FILE *f)
{
	watch_put(f);
	putchar('c');
	watch_moved("putchar", 1, 1);
	watch_put(f);
	(putchar_unlocked)('c');
	watch_moved("putchar_unlocked", 1, 1);
	watch_put(f);
	puts("a line");
	watch_moved("puts", 7, 7);
	watch_put(f);
	watch_moved("printf", 8, printf("%d apples", 5 + (int)data[0]));
	watch_put(f);
	watch_moved("__printf_chk", 3, __printf_chk(1, "%03d", 7));
	watch_put(f);
	watch_moved("vprintf", 5, write_list(f, "vprintf", "%s!", "ouch"));
	watch_put(f);
	watch_moved("__vprintf_chk", 5,
		    write_list(f, "__vprintf_chk", "%s!", "ouch"));
}

static void play_stdout(long count)
{
	FILE *f = watch_fopen("file", "w"), *own = stdout;

	stdout = f;
	for (long i = 0; i < count; i++)
		told_stdout(f);
	stdout = own;
	watch_fclose(f);
}

static const struct {
	const char *symbol;
	int (*call)(FILE *f);
} getters[] = {
	{ "fgetc", fgetc }, { "getc", getc }, { "_IO_getc", _IO_getc },
	{ "fgetc_unlocked", fgetc_unlocked },
	{ "getc_unlocked", getc_unlocked }, { "__uflow", __uflow },
};

static void told_get(const char *symbol, int (*call)(FILE *f), FILE *f)
{
	int ret;

	watch_get(f);
	ret = call(f);
	watch_moved(symbol, ret != EOF, ret != EOF);
}

static void told_blocks(FILE *f)
{
	watch_get(f);
	watch_moved("fread", 21, 7 * (long)fread(data, 7, 3, f));
	watch_get(f);
	watch_moved("fread_unlocked", 30,
		    (long)fread_unlocked(data, 1, 30, f));
	watch_get(f);
	watch_moved("__fread_chk", 10,
		    (long)__fread_chk(data, sizeof(data), 1, 10, f));
	watch_get(f);
	watch_moved("__fread_unlocked_chk", 10,
		    (long)__fread_unlocked_chk(data, sizeof(data), 1, 10, f));
	watch_get(f);
	getw(f);
	watch_moved("getw", 4, 4);
}

static void told_lines(FILE *f)
{
	static char *line;
	static size_t room;
	long ret;

	watch_get(f);
	ret = fgets(data, 50, f) ? (long)strlen(data) : 0;
	watch_moved("fgets", ret, ret);
	watch_get(f);
	ret = fgets_unlocked(data, 50, f) ? (long)strlen(data) : 0;
	watch_moved("fgets_unlocked", ret, ret);
	watch_get(f);
	ret = __fgets_chk(data, 100, 50, f) ? (long)strlen(data) : 0;
	watch_moved("__fgets_chk", ret, ret);
	watch_get(f);
	ret = __fgets_unlocked_chk(data, 9, 3, f) ? (long)strlen(data) : 0;
	watch_moved("__fgets_unlocked_chk", ret, ret);
	watch_get(f);
	ret = getline(&line, &room, f);
	watch_moved("getline", ret < 0 ? 0 : ret, ret < 0 ? 0 : ret);
	watch_get(f);
	ret = getdelim(&line, &room, 'e', f);
	watch_moved("getdelim", ret < 0 ? 0 : ret, ret < 0 ? 0 : ret);
	watch_get(f);
	ret = __getdelim(&line, &room, 'e', f);
	watch_moved("__getdelim", ret < 0 ? 0 : ret, ret < 0 ? 0 : ret);
}

/* Lines of which none has a zero byte. */
static void make_text(const char *path, long lines)
{
	long fd = raw_call(SYS_openat, AT_FDCWD, path,
			   O_WRONLY | O_CREAT | O_TRUNC, 0644);

	for (long i = 0; i < lines; i++) {
		char text[100];
		int len = snprintf(text, sizeof(text),
				   "%ld some text for line %ld\n",
				   i * 7919, i);

		raw_call(SYS_write, fd, text, len);
	}
	raw_call(SYS_close, fd);
}

static void play_stream_in(long count)
{
	FILE *f;

	make_text("text", count);
	f = watch_fopen("text", "r");
	for (long i = 0; i < count / 20; i++) {
		for (size_t k = 0; k < ELEMENTS(getters); k++)
			told_get(getters[k].symbol, getters[k].call, f);
		told_blocks(f);
		told_lines(f);
	}
	watch_get(f);
	__underflow(f);
	watch_moved("__underflow", 0, 0);
	while (!feof(f))
		watch_fread(f, 6000);
	watch_fread(f, 10);
	told_get("fgetc", fgetc, f);
	told_lines(f);
	watch_fclose(f);
}

/*
 * How much was read by these nobody knows, but libc, once the stream's place
 * was set.
 */
static void told_scan(const char *symbol, FILE *f, int ret)
{
	watch_told(symbol, ret, NO_FIELDS);
	watch_go(f->_offset < 0 ? NO_PLACE :
		 f->_offset - (f->_IO_read_end - f->_IO_read_ptr));
	watch_fseek(f, 0, SEEK_SET);
	watch_get(f);
}

static int scan_list(int (*call)(FILE *f, const char *format, va_list list),
		     FILE *f, const char *format, ...)
{
	va_list list;
	int ret;

	va_start(list, format);
	ret = call(f, format, list);
	va_end(list);
	return ret;
}

static int scan_stdin(int (*call)(const char *format, va_list list),
		      const char *format, ...)
{
	va_list list;
	int ret;

	va_start(list, format);
	ret = call(format, list);
	va_end(list);
	return ret;
}

static void scan_all(FILE *f)
{
	int n;

	told_scan("fscanf", f, old_fscanf(f, "%d", &n));
	told_scan("__isoc99_fscanf", f, new_fscanf(f, "%d", &n));
	told_scan("vfscanf", f, scan_list(old_vfscanf, f, "%d", &n));
	told_scan("__isoc99_vfscanf", f,
		  scan_list(new_vfscanf, f, "%d", &n));
	told_scan("scanf", f, old_scanf("%d", &n));
	told_scan("__isoc99_scanf", f, new_scanf("%d", &n));
	told_scan("vscanf", f, scan_stdin(old_vscanf, "%d", &n));
	told_scan("__isoc99_vscanf", f, scan_stdin(new_vscanf, "%d", &n));
}

static void play_stdin(long count)
{
	FILE *f, *own = stdin;

	make_text("text", 9);
	f = stdin = watch_fopen("text", "r");
	watch_get(f);
	getchar();
	watch_moved("getchar", 1, 1);
	watch_get(f);
	(getchar_unlocked)();
	watch_moved("getchar_unlocked", 1, 1);
	watch_quiet(f);
	scan_all(f);
	watch_told("gets", (long)gets(data), NO_FIELDS);
	watch_go(f->_offset - (f->_IO_read_end - f->_IO_read_ptr));
	watch_get(f);
	watch_told("__gets_chk", (long)__gets_chk(data, sizeof(data)),
		   NO_FIELDS);
	stdin = own;
	watch_fclose(f);
}

/* Of a line with a zero byte in it, the kernel tells the length. */
static void play_zeros(long count)
{
	FILE *f;

	oracle_make_file("bytes", 5000); /* zeros every 256 bytes */
	f = watch_fopen("bytes", "r");
	for (int i = 0; i < 50; i++) {
		long at, ret;

		watch_get(f);
		ret = fgets(data, 300, f) ? (long)strlen(data) : 0;
		watch_moved("fgets", ret, ret);
		at = raw_call(SYS_lseek, f->_fileno, 0, SEEK_CUR) -
		     (f->_IO_read_end - f->_IO_read_ptr);
		watch_go(at);
	}
	watch_fclose(f);
}

/* The rest of an item that is not there whole is taken all the same. */
static void play_items(long count)
{
	FILE *f;

	oracle_make_file("bytes", 5002);
	f = watch_fopen("bytes", "r");
	watch_get(f);
	watch_moved("fread", 5000, 1000 * (long)fread(data, 1000, 5, f));
	watch_get(f);
	watch_moved("fread", 4, 4 * (long)fread(data, 4, 1, f));
	watch_go(5002);
	watch_get(f);
	watch_moved("fread", 4, 4 * (long)fread(data, 4, 1, f));
	watch_fseek(f, 0, SEEK_SET);
	watch_fread(f, 4999);
	watch_get(f);
	getw(f);
	watch_moved("getw", 0, 0);
	watch_go(5002);
	watch_fclose(f);
}

/* What programs of old call these things. */
static void write_by_old_names(FILE *f)
{
	FILE *own = stdout;

	watch_put(f);
	watch_moved("_IO_fputs", 5, _IO_fputs("text\n", f) < 0 ? -1 : 5);
	watch_put(f);
	watch_moved("_IO_fprintf", 2, _IO_fprintf(f, "%d", 17));
	watch_put(f);
	watch_moved("_IO_vfprintf", 4,
		    write_list(f, "_IO_vfprintf", "%s", "four"));
	watch_put(f);
	watch_moved("_IO_fwrite", 9, 3 * (long)_IO_fwrite(data, 3, 3, f));
	stdout = f;
	watch_put(f);
	watch_moved("_IO_puts", 3, _IO_puts("ab") < 0 ? -1 : 3);
	watch_put(f);
	watch_moved("_IO_printf", 3, _IO_printf("%03d", 7));
	stdout = own;
	watch_put(f);
	watch_told("_IO_fflush", _IO_fflush(f), NO_FIELDS);
}

static void read_by_old_names(FILE *f)
{
	FILE *own = stdin;

	watch_get(f);
	watch_moved("_IO_fgets", 5, _IO_fgets(data, 50, f) ? 5 : -1);
	watch_get(f);
	watch_moved("_IO_fread", 8, 4 * (long)_IO_fread(data, 4, 2, f));
	stdin = f;
	watch_get(f);
	watch_told("_IO_gets", (long)_IO_gets(data), NO_FIELDS);
	stdin = own;
}

static void play_old_names(long count)
{
	FILE *f = _IO_fopen("file", "w");
	int fd = f->_fileno;

	tell("_IO_fopen", fd, "'path':'%s','args':{'mode':'w'}",
	     book_absolute("file"));
	book_open(fd, book_absolute("file"), 0);
	watch_new(f, 0);
	write_by_old_names(f);
	watch_fclose(f);
	fd = book_do_open("file", O_RDONLY, 0);
	f = _IO_fdopen(fd, "r");
	tell("_IO_fdopen", fd, "%s,'args':{'mode':'r'}", book_name(fd));
	watch_new(f, 0);
	watch_fseek(f, 0, SEEK_SET); /* libc knows its place from here */
	read_by_old_names(f);
	tell("fclose", fclose(f), "%s", book_name(fd));
	unsetenv("LD_PRELOAD");
	f = _IO_popen("true", "r");
	tell("_IO_popen", f->_fileno, "'args':{'command':'true','mode':'r'}");
	tell("pclose", pclose(f), NO_FIELDS);
}

const struct scenario oracle_bytes[] = {
	{ "stream-out", play_stream_out },
	{ "stdout", play_stdout },
	{ "stream-in", play_stream_in },
	{ "stdin", play_stdin },
	{ "zeros", play_zeros },
	{ "items", play_items },
	{ "old-names", play_old_names },
	{ NULL, NULL },
};
