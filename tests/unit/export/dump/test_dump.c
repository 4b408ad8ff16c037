/* SPDX-License-Identifier: BSD-3-Clause */
/* Dumps: what each format prints of the sample, and what filters keep. */
#include "export/dump/dump.h"

#include "check.h"
#include "sample.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 20

static char *dump(const char *format, struct weir_dump_filter filter)
{
	int packed = sample_packed(ROUNDS), out = sample_file();
	struct weir_reader *reader;
	char *text;
	off_t size;

	if (!filter.to)
		filter.to = UINT64_MAX;
	assert_int_equal(weir_reader_open(sample_path(packed), &reader), 0);
	assert_int_equal(weir_dump_write(reader, weir_dump_format(format),
					 &filter, out), 0);
	weir_reader_close(reader);
	size = lseek(out, 0, SEEK_END);
	text = calloc(1, (size_t)size + 1);
	assert_int_equal(pread(out, text, (size_t)size, 0), size);
	close(packed);
	close(out);
	return text;
}

static int lines_of(const char *text)
{
	int n = 0;

	while ((text = strchr(text, '\n'))) {
		text++;
		n++;
	}
	return n;
}

static void expect_all(const char *format, const char *const *parts,
		       int lines)
{
	char *text = dump(format, (struct weir_dump_filter){ 0 });

	assert_int_equal(lines_of(text), lines);
	for (; *parts; parts++)
		if (!strstr(text, *parts))
			fail_msg("%s: no %s in\n%s", format, *parts, text);
	free(text);
}

static void text_is_for_people(void **state)
{
	static const char *const parts[] = {
		"    0.000000000     100/1   open(\"./data/../out.bin\", "
		"flags=O_RDWR|O_CREAT, mode=0644) = 3</home/user/out.bin> "
		"<0.000000800>\n",
		"read(3</home/user/out.bin>, len=4096) @? = -1 EAGAIN "
		"(Resource temporarily unavailable) <",
		"write(1<pipe:[4711]>, len=100) @? = 60 <3.4",
		"close(?) [in a vfork child] = 0",
		"pread(3</home/user/out.bin>) <entered>\n",
		"   write(3</home/user/out.bin>, len=1024) @? = 1024",
		"     write(3</home/user/out.bin>, len=512) @? = 512",
		"lseek(3</home/user/out.bin>, off=-8, whence=SEEK_END) = 4088",
		"vec=[0x10+140733193392144, 0x10+140733193392144, ...]",
		"openat(dir=AT_FDCWD, \"\\xff\\x1b[31m \\\"quoted\\\\\\\" "
		"\xc3\xa9\\x0a\", flags=O_RDONLY|O_CLOEXEC) = 10</home/user/"
		"\\xff\\x1b[31m \"quoted\\\\\" \xc3\xa9\\x0a>",
		"pipe(fds=[7, 8]) = 0",
		"sendfile(1<pipe:[4711]>, in=3, len=1048576) = 1048576",
		"--- 1 call was not recorded in 0.000000012 s ---\n",
		NULL,
	};

	expect_all("text", parts, 1 + SAMPLE_EVENTS(ROUNDS));
}

static void json_is_for_programs(void **state)
{
	static const char *const parts[] = {
		"{\"start\":0,\"dur\":800,\"host\":\"node01\",\"pid\":100,"
		"\"proc\":1,\"thread\":1,\"tid\":100,\"index\":0,\"depth\":0,"
		"\"call\":\"open\",\"fd\":3,\"file\":\"/home/user/out.bin\","
		"\"handle\":2,\"size\":0,\"ret\":3,\"flags\":\"\",\"args\":{"
		"\"path\":\"./data/../out.bin\",\"flags\":66,\"mode\":420}}\n",
		"\"ret\":-1,\"err\":11,\"flags\":\"failed\"",
		"\"flags\":\"failed|cut\"",
		"\"file\":\"/home/user/\\\\xff\\\\x1b[31m "
		"\\\"quoted\\\\\\\\\\\" \xc3\xa9\\\\x0a\"",
		"\"call\":\"weir:loss\",\"size\":1",
		"\"fds\":[7,8]",
		NULL,
	};

	expect_all("jsonl", parts, SAMPLE_EVENTS(ROUNDS));
}

static void csv_is_for_tables(void **state)
{
	static const char *const parts[] = {
		"start,dur,host,pid,",
		"0,800,node01,100,1,1,100,0,0,open,,3,/home/user/out.bin,2,0,,"
		"3,,\n",
		",-1,11,failed\n",
		NULL,
	};

	expect_all("csv", parts, 1 + SAMPLE_EVENTS(ROUNDS));
}

static void count(struct weir_dump_filter filter, int expected)
{
	char *text = dump("jsonl", filter);

	assert_int_equal(lines_of(text), expected);
	free(text);
}

static void filters_keep_what_is_wanted(void **state)
{
	int all = SAMPLE_EVENTS(ROUNDS);

	count((struct weir_dump_filter){ .process = "200" }, 1);
	count((struct weir_dump_filter){ .process = "app" }, all);
	count((struct weir_dump_filter){ .process = "usr" }, 0);
	count((struct weir_dump_filter){ .file = "*/in.bin" }, ROUNDS + 1);
	count((struct weir_dump_filter){ .file = "nothing*" }, 0);
	count((struct weir_dump_filter){ .from = UINT64_MAX }, 0);
	count((struct weir_dump_filter){ .from = 0, .to = 10 }, 1);
	assert_null(weir_dump_format("xml"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_for_people),
		cmocka_unit_test(json_is_for_programs),
		cmocka_unit_test(csv_is_for_tables),
		cmocka_unit_test(filters_keep_what_is_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
