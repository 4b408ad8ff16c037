/* SPDX-License-Identifier: BSD-3-Clause */
/* Names: hidden by component, with what must stay left in its place. */
#include "share/mask/mask.h"

#include "check.h"
#include "share/mask/maskmount.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef int hide(const struct weir_mask *mask, const void *text, size_t len,
		 struct weir_bytes *to);

/* W stands for a word of 16 letters in what is expected. */
static void becomes(const struct weir_mask *mask, hide *how, const char *name,
		    const char *expected)
{
	struct weir_bytes got = {0};
	size_t at = 0;

	assert_int_equal(how(mask, name, strlen(name), &got), 0);
	for (const char *c = expected; *c; c++) {
		size_t n = *c == 'W' ? WEIR_SECRET_WORD : 1;

		assert_true(at + n <= got.used);
		if (*c != 'W')
			assert_int_equal(got.data[at], *c);
		for (size_t i = 0; *c == 'W' && i < n; i++)
			assert_non_null(
				strchr("abcdefghijklmnopqrstuvwxyz234567",
				       got.data[at + i]));
		at += n;
	}
	assert_int_equal(at, got.used);
	weir_bytes_fini(&got);
}

/* What stands for a component, to be compared. */
static const char *word_of(const struct weir_mask *mask, const char *name)
{
	static char words[4][WEIR_SECRET_WORD + 1];
	static int next;
	char *to = words[next++ % 4];

	weir_secret_word(&mask->secret, name, strlen(name), to);
	return to;
}

static const struct weir_mask plain = {.secret.key = {1, 2, 3}};

static void paths_are_hidden_by_component(void **state)
{
	becomes(&plain, weir_mask_path, "/somewhere/hugo/data", "/W/W/W");
	becomes(&plain, weir_mask_path, "/", "/");
	becomes(&plain, weir_mask_path, "", "");
	becomes(&plain, weir_mask_path, "a//b/", "W//W/");
	becomes(&plain, weir_mask_path, "./../x/.y", "./../W/W");
	becomes(&plain, weir_mask_path, "...", "W");
	becomes(&plain, weir_mask_path, "\xff\n \"", "W");
}

static void a_component_is_the_same_everywhere(void **state)
{
	char expected[64];

	snprintf(expected, sizeof(expected), "/%s/%s", word_of(&plain, "data"),
		 word_of(&plain, "x"));
	becomes(&plain, weir_mask_path, "/data/x", expected);
	becomes(&plain, weir_mask_program, "/data/x", expected);
	becomes(&plain, weir_mask_argument, "/data/x", expected);
	becomes(&plain, weir_mask_host, "data", word_of(&plain, "data"));
}

static void becomes_mount(const struct weir_mask *mask, const char *line,
			  const char *expected)
{
	struct weir_props_walk walk;
	struct weir_props_line from;
	struct weir_props to;

	weir_props_init(&to);
	weir_props_start(&walk, line, strlen(line));
	assert_true(weir_props_next(&walk, &from));
	assert_int_equal(weir_maskmount_write(mask, &from, &to),
			 expected ? 0 : -EBADMSG);
	assert_int_equal(to.used, expected ? strlen(expected) : 0);
	if (expected)
		assert_memory_equal(to.text, expected, to.used);
	weir_props_fini(&to);
}

static void mounts_stay_before_their_files(void **state)
{
	struct weir_mask mask = plain;
	char expected[256];

	snprintf(expected, sizeof(expected), "mount=fuse.x_y /%s/%s %s\n",
		 word_of(&plain, "a b"), word_of(&plain, "c"),
		 word_of(&plain, "server:/x"));
	becomes_mount(&plain, "mount=fuse.x_y /a\\040b/c server:/x", expected);
	becomes_mount(&plain, "mount=tmpfs / ", "mount=tmpfs / \n");
	becomes_mount(&plain, "mount=hugo\\040x / y", NULL);
	becomes_mount(&plain, "mount=tmpfs", NULL);
	/* A directory on it is kept: its files lie on the mount as well. */
	assert_int_equal(weir_mask_allow(&mask, "/a b/c/"), 0);
	snprintf(expected, sizeof(expected),
		 "mount=t /%s %s\nmount=t /a\\040b %s\n",
		 word_of(&plain, "a b"), word_of(&plain, "s"),
		 word_of(&plain, "s"));
	becomes_mount(&mask, "mount=t /a\\040b s", expected);
	snprintf(expected, sizeof(expected), "mount=t /a\\040b/c/%s %s\n",
		 word_of(&plain, "d"), word_of(&plain, "s"));
	becomes_mount(&mask, "mount=t /a\\040b/c/d s", expected);
}

static void layouts_hide_names_of_pools(void **state)
{
	becomes(&plain, weir_mask_layout, "", "");
	becomes(&plain, weir_mask_layout, "size=1048576 count=-1 first=2",
		"size=1048576 count=-1 first=2");
	becomes(&plain, weir_mask_layout, "size=1 count=2 pool=fast",
		"size=1 count=2 pool=W");
	becomes(&plain, weir_mask_layout, "parts=2; extent=0-8 size=1 pool=p; "
		"extent=8- size=4", "parts=2; extent=0-8 size=1 pool=W; "
		"extent=8- size=4");
	becomes(&plain, weir_mask_layout, "stripe_unit=4 object_size=8 "
		"pool=ce ph pool_namespace=hugo", "stripe_unit=4 "
		"object_size=8 pool=W W pool_namespace=W");
	becomes(&plain, weir_mask_layout, "size=hugo hugo=7 =3 x",
		"size=W W W W");
	becomes(&plain, weir_mask_layout, "pool=12", "pool=W");
}

static void extensions_stay_when_known(void **state)
{
	struct weir_mask mask = plain;
	char expected[64];

	assert_int_equal(weir_mask_allow(&mask, "extensions"), 0);
	becomes(&mask, weir_mask_path, "/d.nc/run.h5", "/W.nc/W.h5");
	becomes(&mask, weir_mask_path, "x.tar.gz", "W.gz");
	becomes(&mask, weir_mask_path, "x.hugo", "W");
	becomes(&mask, weir_mask_path, ".h5", "W");
	becomes(&mask, weir_mask_path, "x.h5 (deleted)", "W.h5 (deleted)");
	/* the whole name is hidden, not what is before the dot */
	snprintf(expected, sizeof(expected), "%s.h5", word_of(&mask, "x.h5"));
	becomes(&mask, weir_mask_path, "x.h5", expected);
	assert_int_equal(weir_mask_allow(&mask, "none"), 0);
	becomes(&mask, weir_mask_path, "run.h5", "W");
}

static void names_of_the_kernel_keep_their_kind(void **state)
{
	char expected[64];
	uint64_t ino = weir_mask_number(&plain, WEIR_MASK_INO, 4711);

	assert_true(ino != 4711 && ino >> 56 == 0);
	snprintf(expected, sizeof(expected), "pipe:[%llu]",
		 (unsigned long long)ino);
	becomes(&plain, weir_mask_name, "pipe:[4711]", expected);
	memcpy(expected, "time", 4);
	becomes(&plain, weir_mask_name, "time:[4711]", expected);
	becomes(&plain, weir_mask_name, "hugo:[4711]", "W");
	becomes(&plain, weir_mask_name, "pipe:[47x1]", "W");
	becomes(&plain, weir_mask_name, "pipe:[]", "W");
	becomes(&plain, weir_mask_name, "anon_inode:[eventfd]",
		"anon_inode:[eventfd]");
	becomes(&plain, weir_mask_name, "anon_inode:[hugo]", "W");
	becomes(&plain, weir_mask_name, "/memfd:hugo (deleted)",
		"/memfd:W (deleted)");
	becomes(&plain, weir_mask_name, "/tmp/x (deleted)", "/W/W (deleted)");
	becomes(&plain, weir_mask_name, "memory", "memory");
	becomes(&plain, weir_mask_path, "memory", "W");
}

static void arguments_are_hidden_part_by_part(void **state)
{
	struct weir_mask mask = plain;

	becomes(&mask, weir_mask_argument, "--input=/data/x", "--W=/W/W");
	becomes(&mask, weir_mask_argument, "-n4", "-W");
	becomes(&mask, weir_mask_argument, "a=b/c", "W/W");
	becomes(&mask, weir_mask_argument, "--", "--");
	becomes(&mask, weir_mask_argument, "-", "-");
	becomes(&mask, weir_mask_argument, "-=", "-=");
	becomes(&mask, weir_mask_argument, "---x", "--W");
	becomes(&mask, weir_mask_argument, "", "");
	assert_int_equal(weir_mask_allow(&mask, "args"), 0);
	becomes(&mask, weir_mask_argument, "--in=/x", "--in=/x");
	becomes(&mask, weir_mask_program, "/x", "/W");
	assert_int_equal(weir_mask_allow(&mask, "programs"), 0);
	becomes(&mask, weir_mask_program, "/x", "/x");
	becomes(&mask, weir_mask_host, "node", "W");
	assert_int_equal(weir_mask_allow(&mask, "host"), 0);
	becomes(&mask, weir_mask_host, "node", "node");
}

static void prefixes_stay_at_whole_components(void **state)
{
	struct weir_mask mask = plain;

	assert_int_equal(weir_mask_allow(&mask, "/scratch/"), 0);
	becomes(&mask, weir_mask_path, "/scratch/a/b", "/scratch/W/W");
	becomes(&mask, weir_mask_path, "/scratch", "/scratch");
	becomes(&mask, weir_mask_path, "/scratchy/a", "/W/W");
	becomes(&mask, weir_mask_path, "scratch/a", "W/W");
	becomes(&mask, weir_mask_path, "/x/scratch/a", "/W/W/W");
	assert_int_equal(weir_mask_allow(&mask, "/scratch/a"), 0);
	becomes(&mask, weir_mask_path, "/scratch/a/b", "/scratch/a/W");
	assert_int_equal(weir_mask_allow(&mask, "/"), 0);
	becomes(&mask, weir_mask_path, "/x/y", "/x/y");
	becomes(&mask, weir_mask_path, "x/y", "W/W");
}

static void numbers_that_tell_are_others(void **state)
{
	struct weir_mask mask = plain;
	uint64_t uid = weir_mask_number(&mask, WEIR_MASK_UID, 0);

	assert_true(uid && uid >> 31 == 0);
	assert_true(weir_mask_number(&mask, WEIR_MASK_GID, 0) != uid);
	assert_true(weir_mask_number(&mask, WEIR_MASK_UID, UINT32_MAX) ==
		    UINT32_MAX);
	assert_true(!weir_mask_number(&mask, WEIR_MASK_DEV, 0));
	assert_true(weir_mask_number(&mask, WEIR_MASK_DEV, 2049) >> 32 == 0);
	assert_true(weir_mask_number(&mask, WEIR_MASK_INO, 5) != 5);
	assert_int_equal(weir_mask_allow(&mask, "users"), 0);
	assert_true(weir_mask_number(&mask, WEIR_MASK_UID, 7) == 7);
	assert_true(weir_mask_number(&mask, WEIR_MASK_INO, 5) != 5);
	assert_int_equal(weir_mask_allow(&mask, "inodes"), 0);
	assert_true(weir_mask_number(&mask, WEIR_MASK_INO, 5) == 5);
}

static void words_that_are_none_are_refused(void **state)
{
	struct weir_mask mask = plain;

	assert_int_equal(weir_mask_allow(&mask, "everything"), -EINVAL);
	assert_int_equal(weir_mask_allow(&mask, ""), -EINVAL);
	for (int i = 0; i < WEIR_MASK_PREFIXES; i++)
		assert_int_equal(weir_mask_allow(&mask, "/x"), 0);
	assert_int_equal(weir_mask_allow(&mask, "/x"), -E2BIG);
}

/* More names than there are places, twice: each has the word it had. */
static void a_cache_changes_nothing(void **state)
{
	struct weir_maskcache *cache = weir_maskcache_new();
	char name[48], word[WEIR_SECRET_WORD + 1];

	assert_non_null(cache);
	for (int i = 0; i < 200000; i++) {
		size_t len = (size_t)snprintf(name, sizeof(name), "%0*d",
					      1 + i % 40, i % 100000);

		weir_maskcache_word(cache, &plain.secret, name, len, word);
		if (i % 7 == 0)
			assert_string_equal(word, word_of(&plain, name));
	}
	weir_maskcache_free(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_hidden_by_component),
		cmocka_unit_test(a_component_is_the_same_everywhere),
		cmocka_unit_test(mounts_stay_before_their_files),
		cmocka_unit_test(layouts_hide_names_of_pools),
		cmocka_unit_test(extensions_stay_when_known),
		cmocka_unit_test(names_of_the_kernel_keep_their_kind),
		cmocka_unit_test(arguments_are_hidden_part_by_part),
		cmocka_unit_test(prefixes_stay_at_whole_components),
		cmocka_unit_test(numbers_that_tell_are_others),
		cmocka_unit_test(words_that_are_none_are_refused),
		cmocka_unit_test(a_cache_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
