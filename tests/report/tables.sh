#!/usr/bin/env bash
# Measurements with known truth: every number of the tables was worked out by hand.
#   tests/report/tables.sh BINE
. "$(dirname "$0")/common.sh"
# samples COLLECTIVE ALGORITHM RANKS BYTES SECONDS...: in microseconds
samples() {
    local c=$1 a=$2 p=$3 n=$4 i=0 x
    shift 4
    for x in "$@"; do echo "$c,$a,lib-1.0,$p,1,$n,$((i++)),${x}e-6"; done
}
# around MEDIAN: seven samples whose 95 % interval is MEDIAN -+ 2 %
around() { awk -v m="$1" 'BEGIN { split("1.02 0.98 1 1.01 0.99 1 1", f, " "); for (i = 1; i <= 7; i++) printf "%.6f ", m * f[i] }'; }
# close MEDIAN: the same with -+ 0.01 %
close() { awk -v m="$1" 'BEGIN { split("1.0001 0.9999 1 1 1 1 1", f, " "); for (i = 1; i <= 7; i++) printf "%.6f ", m * f[i] }'; }

{
    echo "# bine-bench made up"
    echo "collective,algorithm,mpi,ranks,nodes,bytes,iteration,seconds"
    # 1: a win by 1.25 over binomial; ring is twice as fast as Bine.
    samples allreduce bine-small 16 8 $(around 10); samples allreduce rabenseifner 16 8 $(around 12.5); samples allreduce ring 16 8 $(around 5)
    # 2: a win by 2; the slower of two Bine algorithms and of two binomial ones do not count.
    samples allreduce bine-small 16 16 $(around 10); samples allreduce bine-large 16 16 $(around 15)
    samples allreduce rabenseifner 16 16 $(around 20); samples allreduce recursive-doubling 16 16 $(around 30)
    # 3: a tie, because the intervals overlap (9.8 .. 10.2 and 10.094 .. 10.506).
    samples allreduce bine-small 16 32 $(around 10); samples allreduce rabenseifner 16 32 $(around 10.3)
    # 4: a tie, because the medians differ by 0.5 %, although the intervals do not overlap.
    samples allreduce bine-small 16 64 $(close 10); samples allreduce rabenseifner 16 64 $(close 10.05)
    # 5 and 6: losses by 1.25 and by 3.
    samples allreduce bine-small 16 128 $(around 10); samples allreduce rabenseifner 16 128 $(around 8)
    samples allreduce bine-small 16 256 $(around 30); samples allreduce rabenseifner 16 256 $(around 10)
    # 7: a win by 1.1; five wild samples of 21 change neither the median nor the interval.
    samples allreduce bine-small 16 512 1000 1000 5000 1000 1000 $(close 10) $(close 10) 10 10
    samples allreduce rabenseifner 16 512 $(close 11)
    # 8: no binomial; 1.5 times as fast as ring. 9: no Bine.
    samples allreduce bine-small 16 1024 $(around 10); samples allreduce ring 16 1024 $(around 15)
    samples allreduce rabenseifner 16 2048 $(around 10); samples allreduce ring 16 2048 $(around 15)
    # Another collective, with the library's own and one of its algorithms: 10 against 20 and 12, binomial 40.
    samples bcast bine-small 4 4096 $(around 10); samples bcast mpi 4 4096 $(around 20); samples bcast mpi:chain 4 4096 $(around 12)
    samples bcast binomial-far 4 4096 $(around 40); samples bcast linear 4 4096 $(around 50)
} > truth.csv

# Geometric means: (1.25 * 2 * 1.1)^(1/3) = 1.40104, (1.25 * 3)^(1/2) = 1.93649; (2 * 1.1 * 1.5)^(1/3) = 1.48881,
# (2 * 1.25 * 3)^(1/3) = 1.95743.
head=mpi,collective,baseline,cells,win_percent,avg_gain_percent,max_gain_percent,loss_percent,avg_drop_percent,max_drop_percent,tie_percent,avg_traffic_reduction_percent,max_traffic_reduction_percent
"$bine" report truth.csv -o out > stdout 2> stderr || { cat stderr; exit 1; }
same "tables.csv" "$head
lib-1.0,allreduce,binomial,7,42.86,40.10,100.00,28.57,93.65,200.00,28.57,,
lib-1.0,bcast,binomial,1,100.00,300.00,300.00,0.00,0.00,0.00,0.00,,
lib-1.0,allreduce,best,8,37.50,48.88,100.00,37.50,95.74,200.00,25.00,,
lib-1.0,bcast,best,1,100.00,20.00,20.00,0.00,0.00,0.00,0.00,," "$(cat out/tables.csv)"
same "tables.tex" 'Allreduce & 43\% & 40\%/100\% & 29\% & 94\%/200\% & -- \\
Bcast & 100\% & 300\%/300\% & 0\% & 0\%/0\% & -- \\
Allreduce & 38\% & 49\%/100\% & 38\% & 96\%/200\% & -- \\
Bcast & 100\% & 20\%/20\% & 0\% & 0\%/0\% & -- \\' "$(grep -E '^(All|Bcast)' out/tables.tex)"
same "stderr" "note: 1 of 10 cells has no algorithm of family bine: not compared" "$(cat stderr)"
same "the last line is the page's path" out/report.html "$(tail -n 1 stdout)"
same "an outlier changes nothing" allreduce,bine-small,lib-1.0,16,1,512,21,1e-05,1e-05,1.0001e-05,bine \
    "$(grep allreduce,bine-small,lib-1.0,16,1,512, out/cells.csv)"

# A named algorithm as the baseline. 10 against 5 and against 15: one loss by 2, one win by 1.5.
"$bine" report truth.csv -o named --baseline ring > /dev/null 2>&1
same "--baseline ring" lib-1.0,allreduce,ring,2,50.00,50.00,50.00,50.00,100.00,100.00,0.00,, "$(grep allreduce,ring named/tables.csv)"

# Groups {0,1} and {2,3}: of the four ranks' broadcast one message of the Bine tree crosses, two of the linear one.
"$bine" report truth.csv -o groups --baseline linear --groups 2,2 > /dev/null 2>&1
same "--groups" lib-1.0,bcast,linear,1,100.00,400.00,400.00,0.00,0.00,0.00,0.00,50.00,50.00 "$(grep bcast,linear groups/tables.csv)"

# Cells read again give the same tables.
"$bine" report out/cells.csv -o again > /dev/null 2>&1
same "cells.csv again" "$(cat out/tables.csv)" "$(cat again/tables.csv)"

# Wrong results are refused: without bine-small at 8 and 16 bytes, the first cell is gone and the second won by 20 / 15.
{
    cat truth.csv
    echo "# wrong: allreduce,bine-small,lib-1.0,16,1,8"
    echo "# wrong: allreduce,bine-small,lib-1.0,16,1,16"
} > wrong.csv
"$bine" report wrong.csv -o wrong > /dev/null 2> stderr
# Wins by 4/3 and 1.1: (4/3 * 1.1)^(1/2) = 1.21106.
same "wrong results" lib-1.0,allreduce,binomial,6,33.33,21.11,33.33,33.33,93.65,200.00,33.33,, "$(grep allreduce,binomial wrong/tables.csv)"
same "the note" "note: 2 measurements are refused, because the results were wrong
note: 2 of 10 cells have no algorithm of family bine: not compared" "$(cat stderr)"
grep -q 'Refused, because the results were wrong' wrong/report.html || { echo "FAILED: the page does not name what is refused"; failed=1; }

# The page can be read in a dark browser and in a narrow window: colours have names, wide things scroll by themselves.
same "a dark scheme" 2 "$(grep -c 'prefers-color-scheme:dark' out/report.html)"
same "colours by name only" "" "$(grep -oE '(background|color):#[0-9a-f]+' out/report.html)"
same "tables in boxes that scroll" "$(grep -o '<table' out/report.html | wc -l)" "$(grep -o '<div class=wide><table' out/report.html | wc -l)"
same "every mark is explained" 4 "$(grep -o '<span class=.sw[^<]*' out/report.html | wc -l)"

# The page needs nothing but itself.
same "nothing is loaded from elsewhere" "" "$(grep -oE '(src|href)="?[a-z]+:[^ >]*|@import|<link|<script src' out/report.html | grep -v 'www.w3.org')"
same "pictures" 5 "$(grep -c '<svg' out/report.html)"
# Two cells of one other algorithm: no box plot of two points, no second table that says the same, no column of traffic that is
# not known; and ratios, not percentages: 10 against 27.7 is 2.77 times as fast.
cat > few.csv << EOF
collective,algorithm,ranks,bytes,seconds,low,high
allreduce,bine-large,16,1024,10e-6,10e-6,10e-6
allreduce,mpi,16,1024,27.7e-6,27.7e-6,27.7e-6
bcast,bine-large,16,1024,30e-6,30e-6,30e-6
bcast,mpi,16,1024,20e-6,20e-6,20e-6
EOF
"$bine" report few.csv -o few --baseline mpi > stdout 2> /dev/null || failed=1
same "a small table" "collective  against  cells    win%  faster   max   loss%  slower   max  tie%
allreduce   mpi          1  100.00    2.77  2.77    0.00                0.00
bcast       mpi          1    0.00                100.00    1.50  1.50  0.00" "$(sed -n 1,3p stdout | sed 's/ *$//')"
same "lines about traffic" 0 "$(grep -c 'traffic' stdout)"
same "tables of scores" 1 "$(grep -o '<table class=score' few/report.html | wc -l)"
same "box plots" "" "$(ls few/plots | grep gains)"
same "the lead" 1 "$(grep -c '2.77 times as fast on average' few/report.html)"
[ "$failed" -eq 0 ] && echo "tables: passed"
exit "$failed"
