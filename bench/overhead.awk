# Reads what callgrind wrote and prints, for each call of a collective:
#   own        instructions in Bine's own code, with what it calls of the C library; without a look at whether calls are under
#              way, which MPI lets Bine have as often as it polls: how often that is says nothing of the call
#   queries    instructions inside MPI functions that neither send, receive, wait, ask for ends nor add up
#   messages   sends and receives
# Looks at boards where nothing has come yet are waiting, and do not count; nor does giving the core away there. Variables: calls. Calls are counted from the start of the
# program, costs only inside measured(): a few messages too many, which rounding down takes away. Names are given once, as "(12) name", and then by number only.
function name(text, table,   id) {
    id = text
    sub(/\).*/, ")", id)
    if (text ~ /\) /)
        table[id] = substr(text, index(text, ") ") + 2)
    return table[id]
}
function is_bine(object) { return object ~ /libbine-[a-z]*\.so/ }
/^ob=/   { here = name(substr($0, 4), objects); next }
/^fl=|^fi=|^fe=/ { name(substr($0, 4), files); next }
/^cfi=|^cfl=/ { name(substr($0, 5), files); next }
/^fn=/   {
    inside = name(substr($0, 4), functions)
    waits = inside ~ /^(wait_for_rank|wait_for_slot|bine_boards_look_again|bine_wait_give_way|bine_boards_sleep|is_busy)/
    there = ""
    next
}
/^cob=/  { there = name(substr($0, 5), objects); next }
/^cfn=/  { callee = name(substr($0, 5), functions); next }
/^calls=/ { split(substr($0, 7), part, " "); count = part[1]; called = 1; next }
/^[0-9+*-]/ {
    if (is_bine(here) && inside ~ /^(ucp_worker_progress|bine_progress_poll)$/) {
        called = 0
        there = ""
        next
    }
    if (called && is_bine(here) && there != "" && !is_bine(there)) {
        if (callee ~ /MPI_(Isend|Irecv|Send|Recv)$/)
            messages += count
        else if (there !~ /mpi/ && !waits)
            own += $2
        else if (callee !~ /MPI_(Wait|Test|Request_get_status|Reduce_local)/)
            queries += $2
    } else if (!called && is_bine(here) && !waits) {
        own += $2
    }
    called = 0
    there = ""
}
END { printf "%.1f %.1f %d\n", own / calls, queries / calls, messages / calls }
