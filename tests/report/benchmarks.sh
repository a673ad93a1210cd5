#!/usr/bin/env bash
# What OSU's benchmarks, Intel's IMB and nccl-tests print: tests/report/benchmarks.sh BINE
. "$(dirname "$0")/common.sh"

# OSU: no ranks; a block's size where there is a block for each rank; the columns of -f behind the average.
cat > mpi.txt << 'OSU'

# OSU MPI Allgather Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
1                       4.00
1024                   20.00
OSU
cat > bine-far.txt << 'OSU'
# OSU MPI Allgather Latency Test v5.6.2
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
1                       2.00              1.90              2.10        1000
1024                   10.00              9.00             11.00        1000
OSU
"$bine" report bine-far.txt mpi.txt --ranks 8 --baseline mpi -o osu > /dev/null 2> stderr || failed=1
same "OSU: nothing to note" "" "$(cat stderr)"
same "OSU: twice as fast, whole vectors" "8 8192" "$(cut -d, -f3- osu/cells.csv | grep -oE '\b(8192|8)\b' | sort -nu | xargs)"
same "OSU: gain" ,allgather,mpi,2,100.00,100.00,100.00,0.00,0.00,0.00,0.00,, "$(sed -n 2p osu/tables.csv)"
refuses "bine: mpi.txt: OSU's benchmarks do not print the number of ranks: expected --ranks" mpi.txt
sed 's/Allgather Latency/All-to-All Personalized Exchange Latency/' mpi.txt > linear.txt
sed 's/Allgather Latency/All-to-All Personalized Exchange Latency/' bine-far.txt > other-bine.txt
printf 'other-bine bine\n' > names.map
"$bine" report other-bine.txt linear.txt --ranks 8 --map names.map --baseline linear -o a2a > /dev/null 2>&1 || failed=1
same "OSU: alltoall" alltoall "$(sed -n 2p a2a/tables.csv | cut -d, -f2)"

# IMB: several benchmarks and numbers of ranks in a file; rows of 0 bytes and of what Bine does not have are left out.
imb() { # FACTOR
    cat << IMB
#----------------------------------------------------------------
#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
#----------------------------------------------------------------
# Benchmarking Allreduce
# #processes = 4
# ( 4 additional processes waiting in MPI_Barrier)
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            0         1000         0.03         0.03         0.03
         1024         1000         1.00         $1.00         1.50

#----------------------------------------------------------------
# Benchmarking Gather
# #processes = 8
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1024         1000         1.00         $1.00         1.50

#----------------------------------------------------------------
# Benchmarking Barrier
# #processes = 8
#----------------------------------------------------------------
 #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1000         1.00         1.00         1.00
IMB
}
imb 2 > bine-small.log
imb 8 > theirs.log
printf 'bine-small bine\ntheirs binomial\n' > imb.map
"$bine" report bine-small.log theirs.log --map imb.map -o imb > /dev/null 2> stderr || failed=1
same "IMB: nothing to note" "" "$(cat stderr)"
same "IMB: the slowest rank" "allreduce 300.00 gather 300.00" "$(awk -F, '$3 == "binomial" { print $2, $6 }' imb/tables.csv | sort | xargs)"
same "IMB: whole vectors" "1024 8192" "$(grep -oE '\b(1024|8192)\b' imb/cells.csv | sort -nu | xargs)"

# IMB-NBC: the time without a computation; the blocking call is another collective.
nbc() { # PURE
    cat << IMB
#    Intel(R) MPI Benchmarks 2021.3, MPI-NBC part
#------------------------------------------------------------------------------------------
# Benchmarking Iallgather
# #processes = 4
#------------------------------------------------------------------------------------------
       #bytes #repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]
            0         1000         0.10         0.05         0.06        50.00
         1024         1000        90.00         $1.00        40.00        60.00

#------------------------------------------------------------------------------------------
# Benchmarking Ireduce_scatter_pure
# #processes = 4
#------------------------------------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         2048         1000         1.00         $1.00         1.50

# Benchmarking Ibarrier
# #processes = 4
 #repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]
         1000         3.00         1.00         1.00         0.00
IMB
}
nbc 2 > bine-small.log
nbc 8 > theirs.log
"$bine" report bine-small.log theirs.log --map imb.map -o nbc > /dev/null 2> stderr || failed=1
same "IMB-NBC: nothing to note" "" "$(cat stderr)"
same "IMB-NBC: pure times" "iallgather 300.00 ireduce_scatter 300.00" "$(awk -F, '$3 == "binomial" { print $2, $6 }' nbc/tables.csv | sort | xargs)"
same "IMB-NBC: whole vectors" "2048 4096" "$(grep -oE '\b(1024|2048|4096|8192)\b' nbc/cells.csv | sort -nu | xargs)"

# nccl-tests: ranks are counted, the collective is in the file's name or said.
nccl() { # TIME [LINE]
    cat << NCCL
# nThread 1 nGpus 2 minBytes 8 maxBytes 1048576 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
#
# Using devices
#  Rank  0 Group  0 Pid  11934 on   node01 device  0 [0x07] NVIDIA H100
#  Rank  1 Group  0 Pid  11934 on   node01 device  1 [0x0f] NVIDIA H100
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    $1.00   10.00   10.00      0    99.00   10.00   10.00      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 10.0
NCCL
}
nccl 60 > all_reduce_nccl.txt
{ echo '# Collective test starting: all_reduce_perf'; nccl 20; } > bine-large.txt
printf 'all_reduce_nccl ring nccl\n' > nccl.map
"$bine" report all_reduce_nccl.txt bine-large.txt --map nccl.map --baseline nccl -o nccl > /dev/null 2> stderr || failed=1
same "nccl-tests: nothing to note" "" "$(cat stderr)"
same "nccl-tests" ,allreduce,nccl,1,100.00,200.00,200.00,0.00,0.00,0.00,0.00,, "$(sed -n 2p nccl/tables.csv)"
nccl 60 > nccl.txt
refuses "bine: nccl.txt: nccl-tests does not print the collective here: expected it in the file's name, as in all_reduce.txt" nccl.txt
[ "$failed" -eq 0 ] && echo "benchmarks: passed"
exit "$failed"
