# SPDX-License-Identifier: BSD-3-Clause
# Perl reads, writes, starts processes and looks at directories.
cat >job.pl <<'PERL'
use strict;
use warnings;
use Fcntl qw(:seek);
use File::Copy;
use File::Find;
use IO::Handle;
open(my $out, '>', 'text') or die;
print $out "line $_\n" for 1 .. 3000;
close $out;
open(my $in, '+<', 'text') or die;
my @lines = <$in>;
seek($in, 10, SEEK_SET);
read($in, my $some, 20);
sysseek($in, 0, SEEK_SET);
sysread($in, $some, 100);
syswrite($in, 'abc');
close $in;
copy('text', 'copy');
rename 'copy', 'moved';
my $answer = `cat moved | wc -l`;
open(my $pipe, '-|', 'echo', 'piped') or die;
print while <$pipe>;
close $pipe;
if (my $pid = fork) {
	waitpid $pid, 0;
} else {
	open(my $log, '>>', 'log');
	print $log "child\n";
	exit 0;
}
system('true');
find(sub { -f && stat }, '.');
unlink 'moved';
PERL
perl job.pl
