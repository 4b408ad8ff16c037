# SPDX-License-Identifier: BSD-3-Clause
# Files, pipes, forks and signals by perl.
use strict;
use warnings;
use Fcntl qw(:flock :seek);

open(my $out, '+>', 'text') or die;
flock($out, LOCK_EX) or die;
printf $out "%04d %s\n", $_, 'x' x ($_ % 40) for 1 .. 500;
seek($out, 100, SEEK_SET);
read($out, my $piece, 20);
print length($piece), ' ', tell($out), "\n";
close($out);
my %count;
open(my $in, '<', 'text') or die;
$count{length $_}++ while <$in>;
close($in);
print join(' ', map { "$_:$count{$_}" } sort { $a <=> $b } keys %count), "\n";
local $| = 1;
open(my $pipe, '-|', 'sort -r text | head -n 2') or die;
print while <$pipe>;
close($pipe);
my $pid = fork() // die;
if (!$pid) {
	sysopen(my $fd, 'sys', Fcntl::O_RDWR() | Fcntl::O_CREAT(), 0640) or die;
	syswrite($fd, "from a child\n");
	kill 'TERM', $$;
	sleep 10;
}
waitpid($pid, 0);
print "signal ", $? & 127, "\n";
local $SIG{ALRM} = sub { print "alarm\n" };
alarm 1;
select(undef, undef, undef, 5);
rename 'sys', 'renamed' or die;
print `ls`;
warn "done\n";
exit 42;
