#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir plan: what a plan means, and what is wrong with one.

load common

# plan LINE...: a plan of these lines, which begin in line 2
plan() {
	printf '%s\n' '<plan>' "$@" '</plan>' >p.xml
}

# refused COMPLAINT...: check tells exactly these, each after the file's name
refused() {
	run --separate-stderr weir plan check p.xml
	status_is 5
	[ -z "$output" ]
	printf 'p.xml:%s\n' "$@" >expected
	printf '%s\n' "$stderr" | diff expected -
}

# means TEXT...: a good plan, and show says each of these
means() {
	run weir plan check p.xml
	status_is 0
	run weir plan show p.xml
	status_is 0
	for text in "$@"; do
		says "$text"
	done
}

bats_require_minimum_version 1.5.0

@test "a good plan is told to be one, and how many settings it has" {
	plan '<stdio_buffer>1M</stdio_buffer>'
	run weir plan check p.xml
	status_is 0
	[ "$output" = 'p.xml: 1 setting, good' ]
	plan '<stdio_buffer>1M</stdio_buffer>' '<fadvise>random</fadvise>'
	run weir plan check p.xml
	[ "$output" = 'p.xml: 2 settings, good' ]
	plan
	run weir plan check p.xml
	[ "$output" = 'p.xml: 0 settings, good' ]
}

@test "an H5Tuner file means what it did there" {
	cat >p.xml <<'END'
<?xml version="1.0" encoding="utf-8"?>
<Parameters>
	<High_Level_IO_Library>
		<sieve_buf_size FileName="out.h5">1024</sieve_buf_size>
		<alignment> 65536, 131072 </alignment>
		<!-- two numbers: (threshold, alignment) -->
		<chunk VariableName="temp"> 4,8,16 </chunk>
	</High_Level_IO_Library>
	<Middleware_Layer>
		<cb_buffer_size>
			8388608
		</cb_buffer_size>
		<cb_nodes>3</cb_nodes>
		<bgl_nodes_pset>16</bgl_nodes_pset>
		<IBM_largeblock_io>false</IBM_largeblock_io>
	</Middleware_Layer>
	<Parallel_File_System>
		<striping_factor>12</striping_factor>
		<striping_factor FileName="a[1].h5">2</striping_factor>
		<striping_unit>3000</striping_unit>
		<IBM_lockless_io>true</IBM_lockless_io>
	</Parallel_File_System>
</Parameters>
END
	means 'p.xml: 11 settings' 'sieve_buf_size = 1024 (line 4)' \
		'for files that match *out.h5*' \
		'alignment = 65536,131072 (line 5)' \
		'chunk = 4,8,16 (line 7)' 'for datasets that match temp' \
		'cb_buffer_size = 8388608 (line 10)' 'cb_nodes = 3' \
		'bgl_nodes_pset = 16' 'IBM_largeblock_io = false' \
		'striping_factor = 12 (line 18)' \
		'striping_factor = 2 (line 19)' \
		'for files that match *a\[1\].h5*' \
		'striping_unit = 3000' 'IBM_lockless_io = true (line 21)' \
		'bglockless: before the name'
}

@test "sizes, choices and truths are spelt as those want them who get them" {
	plan '<romio_cb_write>ENABLE</romio_cb_write>' \
		'<fbtl_posix_read_datasieving>no</fbtl_posix_read_datasieving>' \
		'<coll_metadata_write opt-in="yes">on</coll_metadata_write>' \
		'<ind_wr_buffer_size>2M</ind_wr_buffer_size>' \
		'<chunk_cache>12421, 16M, 0.5</chunk_cache>' \
		'<file_chunk_cache>521,4k</file_chunk_cache>' \
		'<OMPI_MCA_fcoll>two_phase</OMPI_MCA_fcoll>' \
		'<col_meta_ops opt-in="yes">1</col_meta_ops>' \
		'<cb_config_list>*:2,host:*</cb_config_list>'
	means 'romio_cb_write = enable' 'fbtl_posix_read_datasieving = 0' \
		'coll_metadata_write = true' 'ind_wr_buffer_size = 2097152' \
		'chunk_cache = 12421,16777216,0.5' \
		'file_chunk_cache = 521,4096' 'fcoll = two_phase' \
		'all_coll_metadata_ops = true' \
		'cb_config_list = *:2,host:*'
}

@test "show tells where, for what, and whether bytes or systems are concerned" {
	plan '<for file="*.h5">' \
		'<chunk dataset="/f*" force="yes">8</chunk></for>' \
		'<stripe_count>4</stripe_count>' \
		'<fill_time opt-in="yes">never</fill_time>'
	means 'for files that match *.h5' 'for datasets that match /f*' \
		'also over what the program' 'as HDF5 makes a dataset' \
		'as open() makes a file' \
		'not tested on the real system, only with a stand-in of Lustre' \
		'changes what may be read from files' 'opted in' \
		'without a plan: ifset'
	run weir plan show p.xml
	[ "$(grep -c '^    for every file$' <<<"$output")" = 2 ]
	plan '<transfer_mode opt-in="yes" proof="old.trace">collective</transfer_mode>'
	run weir plan show p.xml
	says 'only where old.trace shows that every rank makes the call'
}

@test "an unknown name is told with its line and the nearest one" {
	plan '<cb_node>2</cb_node>' '' '<hdf5>' '<Alignment>1,1</Alignment>' \
		'<frobnicate/>' '</hdf5>'
	refused '2: unknown parameter `cb_node'"'"'; did you mean `cb_nodes'"'?" \
		'5: unknown parameter `Alignment'"'"'; did you mean `alignment'"'?" \
		'6: unknown parameter `frobnicate'"'"'; `weir plan params'"' lists all"
}

@test "excluded names and values are refused with the reason" {
	plan '<romio_no_indep_rw>true</romio_no_indep_rw>' \
		'<fs_ufs_lock_algorithm>1</fs_ufs_lock_algorithm>' \
		'<nc_in_place_swap>enable</nc_in_place_swap>' \
		'<performance.write-behind>on</performance.write-behind>' \
		'<ROMIO_WRITE_AGGMETHOD>2</ROMIO_WRITE_AGGMETHOD>'
	refused '2: romio_no_indep_rw is excluded: programs with HDF5 hang with it; take it out' \
		"3: fs_ufs_lock_algorithm: 1 is excluded: several ranks may write over each other's data; take another value" \
		"4: nc_in_place_swap: enable is excluded: it changes the program's own buffers, which may be read only; take another value" \
		'5: performance.write-behind is excluded: an administrator sets it for a volume of GlusterFS (gluster volume set); take it out' \
		'6: ROMIO_WRITE_AGGMETHOD is excluded: gaps between pieces are overwritten; take it out'
}

@test "values that cannot be meant" {
	plan '<cb_nodes>0</cb_nodes>' \
		'<cb_nodes>two</cb_nodes>' \
		'<cb_nodes></cb_nodes>' \
		'<cb_nodes/>' \
		'<cb_buffer_size>4X</cb_buffer_size>' \
		'<cb_buffer_size>99999999999999999999999</cb_buffer_size>' \
		'<alignment>4096</alignment>' \
		'<alignment>4096,</alignment>' \
		'<chunk>1,2,3,4,5,6,7,8,9</chunk>' \
		'<chunk>4,-2</chunk>' \
		'<coll_metadata_write>maybe</coll_metadata_write>' \
		'<romio_ds_read>sometimes</romio_ds_read>' \
		'<chunk_cache>521,1M,1.5</chunk_cache>' \
		'<chunk_cache>521,1M,nan</chunk_cache>' \
		'<stripe_size>100000</stripe_size>' \
		'<cb_nodes>1 2</cb_nodes>' \
		'<szip opt-in="yes">nn,7</szip>'
	refused '2: cb_nodes: 0 is out of range; it goes from 1 to 1048576' \
		'3: cb_nodes: `two'"' is no whole number; write digits" \
		'4: cb_nodes: it has no value; write it between the tags' \
		'5: cb_nodes: it has no value; write it between the tags' \
		'6: cb_buffer_size: `4X'"' is no size; write bytes, or with K, M, G or T" \
		'7: cb_buffer_size: 99999999999999999999999 is out of range; it goes from 1 to 2147483647' \
		'8: alignment: 1 value instead of 2; it takes size, size' \
		'9: alignment: value 2 is missing; it takes size, size' \
		'10: chunk: 9 values instead of 1 to 8; it takes number ...' \
		'11: chunk: -2 is out of range; it goes from 1 to 4294967295' \
		'12: coll_metadata_write: `maybe'"' is neither true nor false; write one of them" \
		'13: romio_ds_read: `sometimes'"' is no value of it; take enable, disable or automatic" \
		'14: chunk_cache: 1.5 is out of range; it goes from 0 to 1' \
		'15: chunk_cache: `nan'"' is no number; write one like 0.75" \
		'16: stripe_size: 100000 is no multiple of 65536; take one' \
		'17: cb_nodes: `1 2'"' is no whole number; write digits" \
		'18: szip: 7 is no multiple of 2; take one'
}

@test "what is not safe for every program wants an opt-in" {
	plan '<fill_time>never</fill_time>' \
		'<libver_bounds>latest,latest</libver_bounds>' \
		'<deflate>1</deflate>' \
		'<driver>core</driver>' \
		'<file_locking>off</file_locking>' \
		'<edc_check>false</edc_check>' \
		'<direct_write>true</direct_write>' \
		'<transfer_mode opt-in="no" proof="t">collective</transfer_mode>' \
		'<transfer_mode file="a" opt-in="yes">collective</transfer_mode>'
	run --separate-stderr weir plan check p.xml
	status_is 5
	[ "$(grep -c 'with this value is not safe for every program: .*; write opt-in="yes" if it is for yours$' <<<"$stderr")" = 8 ]
	[[ $stderr == *'p.xml:10: transfer_mode: collective wants proof="TRACE", a trace of the program made with --backtrace' ]]
	sed -i 's/<\(fill_time\|libver_bounds\|deflate\|driver\|file_locking\|edc_check\|direct_write\)>/<\1 opt-in="yes">/
		/transfer_mode/d' p.xml
	run weir plan check p.xml
	status_is 0
	plan '<fill_time>ifset</fill_time>' '<edc_check>true</edc_check>' \
		'<transfer_mode>independent</transfer_mode>' \
		'<direct_write>false</direct_write>'
	run weir plan check p.xml
	status_is 0
}

@test "programs are told in JSON" {
	plan '<stdio_buffer file="*.log">1M</stdio_buffer>' \
		'<frobnicate>1</frobnicate>'
	run weir plan check --json p.xml
	status_is 5
	jq -e '.file == "p.xml" and .kind == "plan" and .good == false and
		(.messages | length) == 1 and .messages[0].line == 3 and
		.messages[0].warning == false and
		(.messages[0].text | startswith("unknown parameter"))' <<<"$output"
	plan '<stdio_buffer file="*.log">1M</stdio_buffer>'
	run weir plan check --format json p.xml
	status_is 0
	jq -e '.good and .settings == 1 and .messages == []' <<<"$output"
	run weir plan show --json p.xml
	status_is 0
	jq -e '.settings == [{name: "stdio_buffer", value: "1048576", line: 2,
		file: "*.log", dataset: null, force: false, proof: null}]' \
		<<<"$output"
	run weir plan params --json stdio
	jq -e '[.parameters[].name] | index("stdio_buffer") != null' <<<"$output"
	run weir plan params --json nothing_like_it
	status_is 5
	jq -e '.parameters == [] and .excluded == []' <<<"$output"
	run weir plan export --json p.xml
	status_is 2
	says '--format is for check, show and params'
}

@test "hosts of aggregators, and directories" {
	for good in '*' '*:1' '*:*' 'node-1.a:0,*:2' 'node1:*,*'; do
		plan "<cb_config_list>$good</cb_config_list>"
		run weir plan check p.xml
		status_is 0
	done
	for bad in '*:1,' ',*' '**' '*:x' '*:1:1' 'a b,*' ':1'; do
		plan "<cb_config_list>$bad</cb_config_list>"
		run weir plan check p.xml
		status_is 5
		says "cb_config_list: \`$bad' is no list of hosts; write"
	done
	for bad in x node1:2 '*:0' 'a:1,*:00'; do
		plan "<cb_config_list>$bad</cb_config_list>"
		run weir plan check p.xml
		status_is 5
		says "cb_config_list: $bad has no aggregator where none of the hosts takes part; add *:1"
	done
	plan '<nc_burst_buf_dirname>here</nc_burst_buf_dirname>'
	refused "2: nc_burst_buf_dirname: \`here' begins nowhere; write the directory from the root"
}

@test "a proof is judged as weir run judges it" {
	weir run --backtrace -q -o old.trace -- true
	plan '<transfer_mode opt-in="yes" proof="old.trace">collective</transfer_mode>'
	run weir plan check p.xml
	status_is 5
	says 'p.xml:2: old.trace does not prove that transfer_mode is safe'
	run weir run --plan p.xml -o t -- true
	status_is 5
	says 'p.xml:2: old.trace does not prove that transfer_mode is safe'
	plan '<transfer_mode opt-in="yes" proof="none">collective</transfer_mode>'
	run weir plan check p.xml
	status_is 5
}

@test "libraries in a program's own file are told with a plan" {
	echo 'int main(void) { return 0; }' |
		gcc -x c - -o inside -Wl,--defsym=H5Fopen=main
	plan '<meta_block_size>1M</meta_block_size>' '<cb_nodes>2</cb_nodes>'
	run weir run --plan p.xml -o t -- ./inside
	status_is 0
	says "warning: 1 setting of the plan for HDF5 cannot be applied: "
	says "/inside has it in its own file; link it with the shared library"
	[[ $output != *"plan for MPI cannot"* ]]
}

@test "settings that contradict each other" {
	plan '<cb_nodes>2</cb_nodes>' '<cb_nodes file="a">4</cb_nodes>' \
		'<cb_nodes>3</cb_nodes>' \
		'<cb_nodes file="a" force="yes">4</cb_nodes>'
	refused '4: cb_nodes is set already in line 2, for the same files: 2; keep one of them' \
		'5: cb_nodes is set already in line 3, for the same files: 4; keep one of them'
	plan '<cb_buffer_size>1024K</cb_buffer_size>' \
		'<cb_buffer_size>1M</cb_buffer_size>'
	run weir plan check p.xml
	[ "$output" = 'p.xml: 1 setting, good' ]
}

@test "scopes that cannot be meant" {
	plan '<fcoll file="a">dynamic</fcoll>' \
		'<cb_nodes dataset="/x">2</cb_nodes>' \
		'<cb_nodes file="a" FileName="b">2</cb_nodes>' \
		'<for file="a"><cb_nodes file="b">2</cb_nodes></for>' \
		'<cb_nodes fle="a">2</cb_nodes>' \
		'<cb_nodes whatever="a">2</cb_nodes>' \
		'<cb_nodes force="perhaps">2</cb_nodes>' \
		'<cb_nodes file="c" proof="t">2</cb_nodes>' \
		'<cb_nodes file="">2</cb_nodes>'
	refused '2: fcoll is a variable of the whole program; take the file away' \
		'3: cb_nodes is not for single datasets; take the dataset away' \
		'4: FileName: what it is for is said already, here or around it; say it once' \
		'5: file: what it is for is said already, here or around it; say it once' \
		'6: unknown attribute `fle'"'"'; did you mean `file'"'?" \
		'7: unknown attribute `whatever'"'; there are file, FileName, dataset, VariableName, force, opt-in and proof" \
		'8: force: `perhaps'"' is neither yes nor no; write one of them" \
		'9: cb_nodes needs no proof; take it away' \
		'10: file is empty; take it out, or write a pattern'
}

@test "what is no plan" {
	echo '<html><body/></html>' >p.xml
	refused '1: <html> is no plan; the first element is <Parameters> or <plan>' \
		'1: unknown parameter `body'"'; \`weir plan params' lists all"
	plan 'cb_nodes = 4' '<cb_nodes>2<cb_nodes>3</cb_nodes></cb_nodes>'
	refused '2: `cb_nodes = 4'"' is in no setting; take it out" \
		'3: <cb_nodes> is inside a setting; close that first'
}

@test "what is behind a plan" {
	plan '<cb_nodes>2</cb_nodes>'
	echo '<plan><cb_nodes>2</cb_nodes></plan>' >>p.xml
	refused '4: <plan> is a second plan; a file has one'
	plan '<cb_nodes>2</cb_nodes>'
	printf '\n\nend\n' >>p.xml
	refused '6: text behind the end; take it out'
}

@test "what is no XML" {
	printf '<plan>\n<cb_nodes>2</cb_node>\n</plan>\n' >p.xml
	refused '2: this is no XML: Mismatched close tag </cb_node> under parent <cb_nodes>'
	printf '<plan>\n<cb_nodes>2</cb_nodes>\n' >p.xml
	refused '3: it ends before all elements do'
	printf '<plan>\n\n<cb_nodes>\xff</cb_nodes></plan>' >p.xml
	refused '3: a byte that is no text; plans are XML in UTF-8'
	printf '<plan>\n\0</plan>' >p.xml
	refused '2: a byte that is no text; plans are XML in UTF-8'
	: >p.xml
	refused '1: there is no plan in it; the first element is <Parameters> or <plan>'
	head -c 4096 /bin/ls >p.xml
	run weir plan check p.xml
	status_is 5
	says 'p.xml:1: a byte that is no text'
}

@test "bombs, depths and lengths" {
	cat >p.xml <<'END'
<?xml version="1.0"?>
<!DOCTYPE plan [
<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<plan><cb_config_list>&c;</cb_config_list></plan>
END
	run --separate-stderr weir plan check p.xml
	status_is 5
	[[ $stderr == 'p.xml:2: document types and entities have no place here; take it out' ]]
	plan '<cb_config_list>&c;</cb_config_list>'
	run weir plan check p.xml
	status_is 5
	says 'p.xml:2: this is no XML: Entity name'
	plan '<hdf5><hdf5><hdf5><hdf5><hdf5><hdf5>' '<hdf5><hdf5>'
	refused '3: too deep; elements are at most 8 deep'
	python3 -c 'print("<plan>" + "<hdf5>" * 40000)' >p.xml
	refused '1: too deep; elements are at most 8 deep'
	python3 -c 'print("<plan>\n" + "<hdf5></hdf5>\n" * 20000 + "</plan>")' >p.xml
	refused '1: larger than 256 KiB; no plan is'
	python3 -c 'print("<plan>\n<cb_config_list>" + "x" * 1025 + "</cb_config_list></plan>")' >p.xml
	refused '2: cb_config_list: its text is longer than 1024 bytes'
	python3 -c 'print("<plan>\n<cb_nodes file=\"" + "x" * 1025 + "\">1</cb_nodes></plan>")' >p.xml
	refused '2: file is longer than 1024 bytes'
	for i in $(seq 113); do
		echo "<cb_nodes file=\"f$i\">1</cb_nodes>"
	done | { echo '<plan>'; cat; echo '</plan>'; } >p.xml
	refused '114: more than 112 settings; no plan has more'
}

@test "complaints show no letters that control a terminal" {
	plan '<cb_config_list file="a&#155;2Jb" proof="&#128;">x</cb_config_list>' \
		'<cb_nodes>&#155;2J</cb_nodes>'
	run weir plan check p.xml
	status_is 5
	says '`\xc2\x9b2J'
	[[ $output != *$'\xc2\x9b'* ]]
}

@test "more complaints than anybody reads are counted" {
	{ echo '<plan>'; yes '<x/>' | head -130; echo '</plan>'; } >p.xml
	run weir plan check p.xml
	status_is 5
	[ "${#lines[@]}" = 101 ]
	[ "${lines[100]}" = 'p.xml: and 30 more' ]
}

@test "files that cannot be read" {
	run weir plan check missing.xml
	status_is 5
	says 'weir: missing.xml: No such file or directory'
	mkdir d
	run weir plan show d
	status_is 5
	says 'weir: d: Is a directory'
	run weir plan check /dev/zero
	status_is 5
	says '/dev/zero:1: larger than 256 KiB; no plan is'
}

@test "words that are no verbs of it" {
	run weir plan chekc p.xml
	status_is 2
	says 'did you mean `check'
	run weir plan check
	status_is 2
	says 'weir plan check needs one FILE'
	run weir plan
	status_is 2
}

@test "warnings tell what looks like a mistake, and are no errors" {
	plan '<cb_nodes>2</cb_nodes>' '<sieve_buf_size>1M</sieve_buf_size>' \
		'<alignment>1,1M</alignment>' '<io>romio321</io>' \
		'<chunk_cache>521,1T</chunk_cache>' '<chunk>4,4</chunk>'
	run --separate-stderr weir plan check p.xml
	status_is 0
	[ "$output" = 'p.xml: 6 settings, good (5 warnings)' ]
	cat >expected <<'END'
p.xml:2: warning: cb_nodes: ROMIO has one aggregator a host unless cb_config_list says more (*:*)
p.xml:3: warning: sieve_buf_size: HDF5 does not sieve under MPI-IO; the plan has hints of MPI-IO
p.xml:4: warning: alignment: the threshold is below a quarter of the alignment: files with many small objects grow many times
p.xml:5: warning: io: ROMIO of Open MPI 4 ends programs that write chunked datasets of HDF5
p.xml:6: warning: chunk_cache: every dataset that it is for may use so much, and it is more than a quarter of this machine's memory
END
	printf '%s\n' "$stderr" | diff expected -
	plan '<cb_nodes>2</cb_nodes>' '<cb_config_list>*:*</cb_config_list>' \
		'<alignment>256K,1M</alignment>' '<io>ompio</io>' \
		'<chunk>4,4</chunk>' '<chunk_cache>521,1M</chunk_cache>'
	run weir plan check p.xml
	[ "$output" = 'p.xml: 6 settings, good' ]
}

@test "params lists every parameter of the table" {
	run weir plan params
	status_is 0
	for name in $(sed -n 's/^param [0-9]* //p' "$SPEC/params"); do
		says "  $name: "
	done
	says 'wants opt-in="yes" with never'
	says 'romio_no_indep_rw'
	says 'fs_ufs_lock_algorithm=1'
	run weir plan params CB_n
	status_is 0
	[ "${lines[1]}" = '  cb_nodes: number of 1..1048576' ]
	[ "$(grep -c '^  [^ ]' <<<"$output")" = 1 ]
	run weir plan params no_indep
	status_is 0
	says 'because programs with HDF5 hang with it'
	run weir plan params nowhere
	status_is 5
	says 'no parameter has'
}

@test "the examples are good plans" {
	for file in "$SPEC"/../examples/plan-*.xml; do
		run --separate-stderr weir plan check "$file"
		status_is 0
		[[ $output == *' settings, good'* ]]
		grep -v 'warning: strip' <<<"$stderr" | grep . && return 1
	done
	true
}

@test "the document names all that wants an opt-in" {
	awk '/^param/ { name = $3 } /^  tier +opt-in/ { print name }' \
		"$SPEC/params" >names
	[ "$(wc -l <names)" -gt 10 ]
	while read -r name; do
		grep -qF "\`$name\`" "$SPEC/../doc/plan.md" || {
			echo "doc/plan.md does not name $name"
			return 1
		}
	done <names
}

@test "plan list, as one may guess, names the word that lists" {
	run weir plan list
	status_is 2
	says '`weir plan params'"'"' lists what a plan may set'
}
