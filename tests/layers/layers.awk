# The layers from the ground up: a layer may include headers of those before it, and its own.
# The name of a layer is the beginning of its files' paths; the longest one counts.
BEGIN {
    n = split("include src/base src/pattern src/schedule src/schedule/build src/schedule/check src/schedule/walk src/schedule/prove src/network src/traffic " \
              "src/model src/board src/device src/select src/profile src/timeline src/engine/transport src/engine src/mpi src/report src/comm src/call src/request src/dropin src/record src/api src/dropin/preload tools/cli " \
              "tools/bench tools/check tools/choose tools/draw tools/lab tools/profile tools/report tools/show tools/timeline tools/traffic tools/simulate/smpi tools", layer, " ")
    for (i = 1; i <= n; i++) height[layer[i]] = i
    # Further below, but no business of theirs.
    forbid("src/schedule/check", "src/schedule/build", "the proof asks nothing of the builder")
    forbid("src/network", "src/schedule", "networks know no schedules")
    forbid("src/network", "src/schedule/build", "networks know no schedules")
    forbid("src/network", "src/schedule/check", "networks know no schedules")
    forbid("src/schedule/walk", "src/schedule/check", "the proof has an execution of its own")
    forbid("src/board", "src/schedule", "boards know no schedules")
    forbid("src/select", "src/board", "a selection needs no boards")
    for (i = 1; i <= n; i++)
        if (layer[i] ~ /^src/ && height[layer[i]] < height["src/mpi"])
            forbid(layer[i], "include", "what is free of MPI does not know the API")
    # What joins the parts of a layer is in its .c files; its headers know none of them.
    joins["src/schedule", "src/schedule/build"] = joins["src/schedule", "src/schedule/check"] = 1
    # Subcommands are beside each other: what they share is in tools/cli. SimGrid's MPI runs bine-bench itself.
    for (i = 1; i <= n; i++)
        for (k = 1; k <= n; k++)
            if (i != k && layer[i] ~ /^tools\// && layer[i] != "tools/simulate/smpi" && layer[k] ~ /^tools\// && layer[k] != "tools/cli")
                forbid(layer[i], layer[k], "what subcommands share is in tools/cli")
    # mpi.h may be included here.
    split("include src/engine/transport src/mpi src/report src/comm src/call src/request src/dropin src/record src/api src/dropin/preload tools/bench tools/lab tools/simulate/smpi", list, " ")
    for (i in list) mpi[list[i]] = 1
}

function forbid(from, to, why) { forbidden[from, to] = why }

# The layer of a file.
function layer_of(path,    i, best) {
    if (path ~ /^src\/schedule\/prove\./) return "src/schedule/prove" # builds and proves: above both
    if (path ~ /^tools\/simulate\/smpi_(hooks|library)/) return "tools/simulate/smpi" # runs on MPI
    best = ""
    for (i = 1; i <= n; i++)
        if (index(path, layer[i] "/") == 1 && length(layer[i]) > length(best)) best = layer[i]
    return best
}
