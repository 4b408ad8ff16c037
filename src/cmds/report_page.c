/* SPDX-License-Identifier: BSD-3-Clause */
/* weir report --html and --browse: writes or serves the page. */
#include "cmds/report_page.h"

#include "cmds/pagedata.h"
#include "cmds/verdict.h"
#include "export/sites/sites.h"
#include "report/page/pagefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int weir_report_page_check(void)
{
	if (weir_pagefile_exists())
		return 0;
	fputs("weir report: this weir was built without the page for browsers. "
	      "To build it, install esbuild and npm, run npm ci in web/ of "
	      "weir's sources and meson setup --reconfigure with "
	      "-Dpage=enabled; ./dev build does all of that\n", stderr);
	return WEIR_EXIT_REFUSED;
}

static int refuse_page(const char *path, int err)
{
	fprintf(stderr, "weir: %s: %s\n", path,
		err == -ESTALE ? "changed while it was read; try again" :
				 strerror(-err));
	return WEIR_EXIT_INTERNAL;
}

static int write_page(int fd, const struct weir_bytes *data, bool served)
{
	struct weir_text out;
	int flushed, err = weir_text_init(&out, fd);

	if (err)
		return err;
	err = weir_pagefile_write(&out, data->data, data->used, served);
	flushed = weir_text_flush(&out);
	weir_text_fini(&out);
	return err ? err : flushed;
}

int weir_report_page_write(const struct weir_pagesource *page, const char *to)
{
	struct weir_bytes data;
	int fd, err = weir_pagedata_make(page, &data);

	if (err)
		return refuse_page(page->path, err);
	fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	err = fd < 0 ? -errno : write_page(fd, &data, false);
	if (fd >= 0 && close(fd) < 0 && !err)
		err = -errno;
	weir_bytes_fini(&data);
	return err ? weir_verdict_refuse_output(to, err) : 0;
}

int weir_report_page_data(const struct weir_pagesource *page, const char *to)
{
	struct weir_bytes data;
	struct weir_text out;
	int fd, err = weir_pagedata_make(page, &data);

	if (err)
		return refuse_page(page->path, err);
	fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	err = fd < 0 ? -errno : weir_text_init(&out, fd);
	if (!err) {
		weir_text_bytes(&out, data.data, data.used);
		err = weir_text_flush(&out);
		weir_text_fini(&out);
	}
	if (fd >= 0 && close(fd) < 0 && !err)
		err = -errno;
	weir_bytes_fini(&data);
	return err ? weir_verdict_refuse_output(to, err) : 0;
}

/* The page, in memory: it is the same for all who ask. */
static int prepare_page(const struct weir_pagesource *page, int *ret_fd)
{
	struct weir_bytes data;
	int fd, err = weir_pagedata_make(page, &data);

	if (err)
		return err;
	fd = memfd_create("weir-page", MFD_CLOEXEC);
	err = fd < 0 ? -errno : write_page(fd, &data, true);
	weir_bytes_fini(&data);
	if (err && fd >= 0)
		close(fd);
	else
		*ret_fd = fd;
	return err;
}

static int invite(const struct weir_access *access)
{
	fputs("weir: open this URL in a browser on this machine; it works "
	      "once. Ctrl-C ends the page server.\n",
	      stderr);
	printf("http://127.0.0.1:%u/?token=%s\n", access->port, access->token);
	return fflush(stdout) ? -errno : 0;
}

int weir_report_page_browse(const struct weir_pagesource *page,
			    struct weir_listener *listener)
{
	struct weir_pageserver server = { .reader = page->reader,
					  .pages = { .reader = page->reader },
					  .page = -1 };
	int err = weir_access_init(&server.access, listener->port);

	err = err ? err : prepare_page(page, &server.page);
	if (!err && page->facts->has_sites)
		err = weir_sites_new(page->path, &server.sites);
	err = err ? err : weir_listener_watch(listener);
	err = err ? err : invite(&server.access);
	err = err ? err : weir_listener_run(listener, &server);
	weir_pageserver_fini(&server);
	weir_sites_free(server.sites);
	if (server.page >= 0)
		close(server.page);
	return err ? refuse_page(page->path, err) : 0;
}
