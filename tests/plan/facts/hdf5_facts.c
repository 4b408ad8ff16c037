/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what HDF5 does without a plan: NAME VALUE, as spec/params names it. */
#include <hdf5.h>
#include <stdio.h>

static void print_sizes(hid_t list)
{
	hsize_t size, other;
	size_t bytes;

	H5Pget_alignment(list, &size, &other);
	printf("alignment %llu,%llu\n", (unsigned long long)size,
	       (unsigned long long)other);
	H5Pget_meta_block_size(list, &size);
	printf("meta_block_size %llu\n", (unsigned long long)size);
	H5Pget_small_data_block_size(list, &size);
	printf("small_data_block_size %llu\n", (unsigned long long)size);
	H5Pget_sieve_buf_size(list, &bytes);
	printf("sieve_buf_size %zu\n", bytes);
}

static void print_caches(hid_t list)
{
	H5AC_cache_config_t mdc = {
		.version = H5AC__CURR_CACHE_CONFIG_VERSION,
	};
	size_t slots, bytes;
	unsigned meta, raw;
	double w0;
	int unused;

	H5Pget_cache(list, &unused, &slots, &bytes, &w0);
	printf("file_chunk_cache %zu,%zu,%g\n", slots, bytes, w0);
	H5Pget_mdc_config(list, &mdc);
	printf("mdc_initial_size %zu\n", mdc.initial_size);
	printf("mdc_min_size %zu\n", mdc.min_size);
	printf("mdc_max_size %zu\n", mdc.max_size);
	printf("mdc_evictions %s\n", mdc.evictions_enabled ? "true" : "false");
	printf("mdc_dirty_bytes_threshold %zu\n", mdc.dirty_bytes_threshold);
	printf("mdc_metadata_write_strategy %s\n",
	       mdc.metadata_write_strategy ? "distributed" : "process_0_only");
	H5Pget_page_buffer_size(list, &bytes, &meta, &raw);
	printf("page_buffer_size %zu\n", bytes);
}

static void print_access(void)
{
	hid_t list = H5Pcreate(H5P_FILE_ACCESS);
	H5F_libver_t low, high;
	hbool_t flag;
	unsigned count;

	print_sizes(list);
	print_caches(list);
	H5Pget_libver_bounds(list, &low, &high);
	printf("libver_bounds %s,%s\n",
	       low == H5F_LIBVER_EARLIEST ? "earliest" : "?",
	       high == H5F_LIBVER_LATEST ? "latest" : "?");
	H5Pget_evict_on_close(list, &flag);
	printf("evict_on_close %s\n", flag ? "true" : "false");
	H5Pget_elink_file_cache_size(list, &count);
	printf("elink_file_cache_size %u\n", count);
	H5Pclose(list);
}

static void print_file(void)
{
	static const char *const strategies[] = { "fsm_aggr", "page", "aggr",
						  "none" };
	hid_t list = H5Pcreate(H5P_FILE_CREATE);
	H5F_fspace_strategy_t strategy;
	hsize_t size;
	hbool_t persist;
	unsigned k, leaf, most, least;

	H5Pget_file_space_strategy(list, &strategy, &persist, &size);
	printf("file_space_strategy %s,%s,%llu\n", strategies[strategy],
	       persist ? "true" : "false", (unsigned long long)size);
	H5Pget_file_space_page_size(list, &size);
	printf("file_space_page_size %llu\n", (unsigned long long)size);
	H5Pget_istore_k(list, &k);
	printf("istore_k %u\n", k);
	H5Pget_sym_k(list, &k, &leaf);
	printf("sym_k %u,%u\n", k, leaf);
	H5Pget_link_phase_change(list, &most, &least);
	printf("link_phase_change %u,%u\n", most, least);
	H5Pget_est_link_info(list, &most, &least);
	printf("est_link_info %u,%u\n", most, least);
	H5Pclose(list);
}

static void print_dataset(void)
{
	static const char *const fills[] = { "alloc", "never", "ifset" };
	hid_t list = H5Pcreate(H5P_DATASET_CREATE);
	H5D_fill_time_t fill;
	unsigned most, least;
	hbool_t flag;

	H5Pget_fill_time(list, &fill);
	printf("fill_time %s\n", fills[fill]);
	H5Pget_attr_phase_change(list, &most, &least);
	printf("attr_phase_change %u,%u\n", most, least);
	H5Pget_obj_track_times(list, &flag);
	printf("obj_track_times %s\n", flag ? "true" : "false");
	H5Pclose(list);
}

static void print_transfer(void)
{
	hid_t list = H5Pcreate(H5P_DATASET_XFER);
	size_t size;

	printf("buffer %zu\n", H5Pget_buffer(list, NULL, NULL));
	H5Pget_hyper_vector_size(list, &size);
	printf("hyper_vector_size %zu\n", size);
	printf("edc_check %s\n",
	       H5Pget_edc_check(list) == H5Z_ENABLE_EDC ? "true" : "false");
	H5Pclose(list);
}

int main(void)
{
	print_access();
	print_file();
	print_dataset();
	print_transfer();
	return 0;
}
