/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the calls in C that set parameters. */
#include "plan/export/planexport_calls.h"

#define PARALLEL "H5_HAVE_PARALLEL"

/* Where each parameter has a call of its own. */
static const struct weir_planexport_call calls[] = {
	{WEIR_PARAM_ALIGNMENT, 0, "H5Pset_alignment(fapl, %0, %1) < 0", NULL},
	{WEIR_PARAM_META_BLOCK_SIZE, 0, "H5Pset_meta_block_size(fapl, %0) < 0",
	 NULL},
	{WEIR_PARAM_SMALL_DATA_BLOCK_SIZE, 0,
	 "H5Pset_small_data_block_size(fapl, %0) < 0", NULL},
	{WEIR_PARAM_SIEVE_BUF_SIZE, 0, "H5Pset_sieve_buf_size(fapl, %0) < 0",
	 NULL},
	{WEIR_PARAM_FILE_CHUNK_CACHE, 0,
	 "H5Pset_cache(fapl, 0, %0, %1, %r{0.75}) < 0", NULL},
	{WEIR_PARAM_MDC_INITIAL_SIZE, 0,
	 "mdc.set_initial_size = 1, mdc.initial_size = %0;", NULL},
	{WEIR_PARAM_MDC_MIN_SIZE, 0, "mdc.min_size = %0;", NULL},
	{WEIR_PARAM_MDC_MAX_SIZE, 0, "mdc.max_size = %0;", NULL},
	{WEIR_PARAM_MDC_EVICTIONS, 0,
	 "mdc.evictions_enabled = %0,\n"
	 "\t\tmdc.incr_mode = %0 ? mdc.incr_mode : H5C_incr__off,\n"
	 "\t\tmdc.flash_incr_mode = %0 ? mdc.flash_incr_mode :\n"
	 "\t\t\t\t\tH5C_flash_incr__off,\n"
	 "\t\tmdc.decr_mode = %0 ? mdc.decr_mode : H5C_decr__off;",
	 NULL},
	{WEIR_PARAM_MDC_DIRTY_BYTES_THRESHOLD, 0,
	 "mdc.dirty_bytes_threshold = %0;", NULL},
	{WEIR_PARAM_MDC_METADATA_WRITE_STRATEGY, 0,
	 "mdc.metadata_write_strategy =\n"
	 "\t\tH5AC_METADATA_WRITE_STRATEGY__%A;",
	 NULL},
	{WEIR_PARAM_COLL_METADATA_WRITE, 0,
	 "H5Pset_coll_metadata_write(fapl, %0) < 0", PARALLEL},
	{WEIR_PARAM_ALL_COLL_METADATA_OPS, 0,
	 "H5Pset_all_coll_metadata_ops(fapl, %0) < 0", PARALLEL},
	{WEIR_PARAM_LIBVER_BOUNDS, 0,
	 "H5Pset_libver_bounds(fapl, H5F_LIBVER_%A, H5F_LIBVER_%B) < 0", NULL},
	{WEIR_PARAM_PAGE_BUFFER_SIZE, 0,
	 "H5Pset_page_buffer_size(fapl, %0, %1{0}, %2{0}) < 0", NULL},
	{WEIR_PARAM_EVICT_ON_CLOSE, 0, "H5Pset_evict_on_close(fapl, %0) < 0",
	 NULL},
	{WEIR_PARAM_ELINK_FILE_CACHE_SIZE, 0,
	 "H5Pset_elink_file_cache_size(fapl, %0) < 0", NULL},
	{WEIR_PARAM_FILE_LOCKING, 0,
	 "H5Pset_file_locking(fapl, %0 != 0, %0 == 2) < 0", NULL},
	{WEIR_PARAM_DRIVER, 0,
	 "(%0 ? H5Pset_fapl_core(fapl, 64 << 20, 1) :\n"
	 "\t\t\tH5Pset_fapl_sec2(fapl)) < 0",
	 NULL},
	{WEIR_PARAM_CORE_INCREMENT, 0,
	 "H5Pget_driver(fapl) == H5FD_CORE &&\n"
	 "\t\tH5Pset_fapl_core(fapl, %0, 1) < 0",
	 NULL},
	{WEIR_PARAM_FILE_SPACE_STRATEGY, 0,
	 "H5Pset_file_space_strategy(fcpl, H5F_FSPACE_STRATEGY_%A,\n"
	 "\t\t\t%1{0}, %2{1}) < 0",
	 NULL},
	{WEIR_PARAM_FILE_SPACE_PAGE_SIZE, 0,
	 "H5Pset_file_space_page_size(fcpl, %0) < 0", NULL},
	{WEIR_PARAM_ISTORE_K, 0, "H5Pset_istore_k(fcpl, %0) < 0", NULL},
	{WEIR_PARAM_SYM_K, 0, "H5Pset_sym_k(fcpl, %0, %1) < 0", NULL},
	{WEIR_PARAM_LINK_PHASE_CHANGE, 0,
	 "H5Pset_link_phase_change(fcpl, %0, %1) < 0", NULL},
	{WEIR_PARAM_EST_LINK_INFO, 0, "H5Pset_est_link_info(fcpl, %0, %1) < 0",
	 NULL},
	{WEIR_PARAM_CHUNK, 0,
	 "H5Pset_chunk(dcpl, %n, (const hsize_t[]){ %l }) < 0", NULL},
	{WEIR_PARAM_LAYOUT, 0, "H5Pset_layout(dcpl, H5D_%A) < 0", NULL},
	{WEIR_PARAM_FILL_TIME, 0,
	 "H5Pset_fill_time(dcpl, H5D_FILL_TIME_%A) < 0", NULL},
	{WEIR_PARAM_ALLOC_TIME, 0,
	 "H5Pset_alloc_time(dcpl, H5D_ALLOC_TIME_%A) < 0", NULL},
	{WEIR_PARAM_DEFLATE, 0, "H5Pset_deflate(dcpl, %0) < 0", NULL},
	{WEIR_PARAM_SHUFFLE, 0, "%0 && H5Pset_shuffle(dcpl) < 0", NULL},
	{WEIR_PARAM_FLETCHER32, 0, "%0 && H5Pset_fletcher32(dcpl) < 0", NULL},
	{WEIR_PARAM_SZIP, 0,
	 "H5Pset_szip(dcpl, H5_SZIP_%A_OPTION_MASK, %1) < 0", NULL},
	{WEIR_PARAM_ATTR_PHASE_CHANGE, 0,
	 "H5Pset_attr_phase_change(dcpl, %0, %1) < 0", NULL},
	{WEIR_PARAM_OBJ_TRACK_TIMES, 0, "H5Pset_obj_track_times(dcpl, %0) < 0",
	 NULL},
	{WEIR_PARAM_CHUNK_CACHE, 0,
	 "H5Pset_chunk_cache(dapl, %0, %1,\n"
	 "\t\t\t%r{H5D_CHUNK_CACHE_W0_DEFAULT}) < 0",
	 NULL},
	{WEIR_PARAM_TRANSFER_MODE, 0,
	 "H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_%A) < 0", PARALLEL},
	{WEIR_PARAM_COLLECTIVE_OPT, 0,
	 "H5Pset_dxpl_mpio_collective_opt(dxpl, H5FD_MPIO_%A_IO) < 0",
	 PARALLEL},
	{WEIR_PARAM_CHUNK_OPT, 0,
	 "H5Pset_dxpl_mpio_chunk_opt(dxpl, H5FD_MPIO_CHUNK_%A) < 0", PARALLEL},
	{WEIR_PARAM_CHUNK_OPT_NUM, 0,
	 "H5Pset_dxpl_mpio_chunk_opt_num(dxpl, %0) < 0", PARALLEL},
	{WEIR_PARAM_CHUNK_OPT_RATIO, 0,
	 "H5Pset_dxpl_mpio_chunk_opt_ratio(dxpl, %0) < 0", PARALLEL},
	{WEIR_PARAM_BUFFER, 0, "H5Pset_buffer(dxpl, %0, NULL, NULL) < 0", NULL},
	{WEIR_PARAM_HYPER_VECTOR_SIZE, 0,
	 "H5Pset_hyper_vector_size(dxpl, %0) < 0", NULL},
	{WEIR_PARAM_EDC_CHECK, 0,
	 "H5Pset_edc_check(dxpl, %0 ? H5Z_ENABLE_EDC :\n"
	 "\t\t\tH5Z_DISABLE_EDC) < 0",
	 NULL},
	{WEIR_PARAM_IBM_LOCKLESS_IO, 0, "prefix = %0 ? \"bglockless:\" : \"\";",
	 NULL},
	{WEIR_PARAM_STDIO_BUFFER, 0, "setvbuf(stream, NULL, _IOFBF, %0) != 0",
	 NULL},
	{WEIR_PARAM_PREALLOCATE, 0,
	 "fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, %0) != 0", NULL},
	{WEIR_PARAM_FADVISE, 0, "posix_fadvise(fd, 0, 0, POSIX_FADV_%A) != 0",
	 NULL},
	{WEIR_PARAM_READAHEAD, 0, "readahead(fd, 0, %0) != 0", NULL},
};

/* And those that only differ in their keys. */
static const struct weir_planexport_call keyed[] = {
	{0, WEIR_PLAN_ENVIRONMENT, "setenv(%k, %s, 1) != 0", NULL},
	{0, WEIR_PLAN_HINT, "MPI_Info_set(info, %k, %s) != MPI_SUCCESS", NULL},
	{0, WEIR_PLAN_PNETCDF, "MPI_Info_set(info, %k, %s) != MPI_SUCCESS",
	 NULL},
};

const struct weir_planexport_call *
weir_planexport_calls_find(const struct weir_param_row *param)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (calls[i].param == param->param)
			return &calls[i];
	for (size_t i = 0; i < sizeof(keyed) / sizeof(*keyed); i++)
		if (keyed[i].target == param->target)
			return &keyed[i];
	return NULL;
}
