/* Who measures, where and with what: enough to repeat a run. */
#include "bench/bench.h"
#include "revision.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { NAME = MPI_MAX_PROCESSOR_NAME };

/* "Open MPI v4.1.4, package: ..." becomes openmpi-4.1.4, "MPICH Version: 4.0.2" mpich-4.0.2. */
static void name_library(char name[64]) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    size_t n = 0;
    const char *at = text;
    MPI_Get_library_version(text, &length);
    for (; *at != '\0' && *at != ',' && *at != '\n' && n < 40; at++) {
        if (isdigit((unsigned char)*at))
            break;
        if (strncasecmp(at, "version", 7) == 0)
            at += 6;
        else if (isalpha((unsigned char)*at) && !(*at == 'v' && isdigit((unsigned char)at[1])))
            name[n++] = (char)tolower((unsigned char)*at);
    }
    if (isdigit((unsigned char)*at))
        name[n++] = '-';
    while ((isalnum((unsigned char)*at) || *at == '.') && n < 63)
        name[n++] = *at++;
    name[n] = '\0';
}

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

/* The hosts in rank order, equal neighbours counted: "a*4,b*4". */
static char *list_hosts(const char *names, int p) {
    char *list = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&list, &size);
    for (int i = 0, n; f != NULL && i < p; i += n) {
        const char *name = names + (size_t)i * NAME;
        for (n = 1; i + n < p && strcmp(name, name + (size_t)n * NAME) == 0; n++) {
        }
        fprintf(f, n == 1 ? "%s%s" : "%s%s*%d", i == 0 ? "" : ",", name, n);
    }
    if (f != NULL)
        fclose(f);
    return list;
}

/* Sorts the names. */
static int count_nodes(char *names, int p, int *fullest) {
    int nodes = 0;
    qsort(names, (size_t)p, NAME, by_name);
    *fullest = 0;
    for (int i = 0, n; i < p; i += n) {
        const char *name = names + (size_t)i * NAME;
        for (n = 1; i + n < p && strcmp(name, name + (size_t)n * NAME) == 0; n++) {
        }
        nodes++;
        *fullest = n > *fullest ? n : *fullest;
    }
    return nodes;
}

void bench_world_begin(struct bench_world *world) {
    char mine[NAME] = "";
    int length, state[2] = {1, 1}; /* nodes, ranks on the fullest one */
    *world = (struct bench_world){.begin = bench_now()};
    MPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world->p);
    MPI_Get_processor_name(mine, &length);
    char *names = world->rank == 0 ? calloc((size_t)world->p, NAME) : NULL;
    MPI_Gather(mine, NAME, MPI_CHAR, names, NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (names != NULL) {
        world->hosts = list_hosts(names, world->p);
        state[0] = count_nodes(names, world->p, &state[1]);
    }
    free(names);
    MPI_Bcast(state, 2, MPI_INT, 0, MPI_COMM_WORLD);
    world->nodes = state[0];
    /* The hosts of a lab are on one computer. */
    world->crowded =
        (getenv("BINE_UPLINKS") != NULL ? world->p : state[1]) > sysconf(_SC_NPROCESSORS_ONLN);
    name_library(world->mpi);
}

void bench_world_end(struct bench_world *world) {
    free(world->hosts);
}

/* "# key: value", on one line whatever the value. */
static void fact(FILE *f, const char *key, const char *value) {
    fprintf(f, "# %s: ", key);
    for (; *value != '\0'; value++)
        fputc((unsigned char)*value < ' ' ? ' ' : *value, f);
    fputc('\n', f);
}

static void write_cpu(FILE *f) {
    char line[512], text[600] = "unknown";
    FILE *info = fopen("/proc/cpuinfo", "r");
    while (info != NULL && fgets(line, sizeof line, info) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(text, sizeof text, "%s, %ld cores online", colon + 2,
                 sysconf(_SC_NPROCESSORS_ONLN));
        break;
    }
    if (info != NULL)
        fclose(info);
    fact(f, "cpu", text);
}

/* The parent's number of a process and the terminal that it shows errors on, if any. */
static long look_at(long pid, char name[64], char terminal[64]) {
    char path[64], line[512], *end;
    long parent = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "r");
    name[0] = terminal[0] = '\0';
    if (f != NULL && fgets(line, sizeof line, f) != NULL && (end = strrchr(line, ')')) != NULL) {
        *end = '\0';
        snprintf(name, 64, "%.60s", strchr(line, '(') + 1);
        sscanf(end + 1, " %*c %ld", &parent);
    }
    if (f != NULL)
        fclose(f);
    snprintf(path, sizeof path, "/proc/%ld/fd/2", pid);
    ssize_t n = readlink(path, terminal, 63);
    terminal[n > 0 ? n : 0] = '\0';
    return parent;
}

/* The nearest ancestor that is a launcher of MPI programs; 0 if there is none. */
static long find_launcher(char terminal[64]) {
    static const char *const names[] = {"mpirun", "mpiexec", "orterun", "prterun", "srun"};
    char name[64];
    for (long pid = getppid(), steps = 0; pid > 1 && steps < 8; steps++) {
        long parent = look_at(pid, name, terminal);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strncmp(name, names[i], strlen(names[i])) == 0)
                return pid;
        pid = parent;
    }
    return 0;
}

const char *bench_terminal(char path[64]) {
    if (isatty(STDERR_FILENO))
        return "/dev/stderr";
    /* Launchers hand our output on through pipes: ask where theirs goes. */
    if (find_launcher(path) > 0 &&
        (strncmp(path, "/dev/pts/", 9) == 0 || strncmp(path, "/dev/tty", 8) == 0))
        return path;
    return NULL;
}

static void write_launcher(FILE *f) {
    char path[64], terminal[64], line[4096];
    long pid = find_launcher(terminal);
    snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
    FILE *command = pid > 0 ? fopen(path, "r") : NULL;
    if (command == NULL)
        return;
    size_t n = fread(line, 1, sizeof line - 1, command);
    fclose(command);
    while (n > 0 && line[n - 1] == '\0')
        n--;
    for (size_t i = 0; i < n; i++)
        line[i] = line[i] == '\0' ? ' ' : line[i];
    line[n] = '\0';
    fact(f, "launcher", line);
}

/* What changes how messages travel and which algorithms run. */
static void write_settings(FILE *f) {
    static const char *const prefixes[] = {"OMPI_MCA_", "MPIR_CVAR_", "UCX_",  "FI_",
                                           "BINE_",     "I_MPI_",     "PSM2_", "PSM3_"};
    static const char *const noise[] = {"OMPI_MCA_ess_", "OMPI_MCA_orte_", "OMPI_MCA_pmix",
                                        "OMPI_MCA_initial_wdir", "OMPI_MCA_shmem_RUNTIME"};
    for (char **e = environ; *e != NULL; e++) {
        int wanted = 0;
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
            wanted = wanted || strncmp(*e, prefixes[i], strlen(prefixes[i])) == 0;
        for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
            wanted = wanted && strncmp(*e, noise[i], strlen(noise[i])) != 0;
        if (wanted)
            fact(f, "setting", *e);
    }
}

/* Where the job's nodes are, as far as the batch system and the user say. */
static void write_allocation(FILE *f, const struct bench_wish *w) {
    static const char *const names[] = {"SLURM_JOB_ID",        "SLURM_JOB_NODELIST",
                                        "SLURM_JOB_PARTITION", "SLURM_TOPOLOGY_ADDR",
                                        "PBS_JOBID",           "LSB_JOBID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL) {
            fprintf(f, "# allocation: %s=", names[i]);
            fprintf(f, "%s\n", getenv(names[i]));
        }
    if (w->groups != NULL)
        fact(f, "groups", w->groups);
}

static void write_method(FILE *f, const struct bench_wish *w) {
    fprintf(
        f,
        "# method: start %s; a sample is the time of the slowest rank; rounds of shuffled order, "
        "seed %llu; ",
        w->start == BENCH_CLOCK ? "at an agreed moment on synchronised clocks" : "after a barrier",
        (unsigned long long)w->seed);
    if (w->rounds > 0)
        fprintf(f, "%d samples after %d discarded rounds", w->rounds, w->warmup);
    else
        fprintf(f,
                "until 95 %% intervals are within %g %% of the median, or %g s or %d rounds; the "
                "first fifth discarded",
                100 * w->precision, w->budget, w->most_rounds);
    if (w->nonblocking)
        fprintf(f, "; of calls that are waited for at once, and with a computation as long");
    fprintf(f, "\n# call: datatype %s%s, operator %s, root %d%s%s%s; ", w->on_device ? "cuda:" : "",
            w->type.name, w->op.name, w->root, w->nonblocking ? ", nonblocking" : "",
            w->in_place ? ", in place" : "", w->check ? ", every result checked" : "");
    if (w->rotate > 0)
        fprintf(f, "buffers move through %lld bytes, ", (long long)w->rotate);
    else
        fprintf(f, "buffers stay, ");
    fprintf(f, "%s\n", w->unchanged ? "unchanged" : "written before every call");
}

void bench_facts_write(FILE *f, const struct bench_wish *w, const struct bench_world *world) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING], date[64];
    struct utsname system;
    int length;
    time_t now = time(NULL);
    struct tm utc;
    fprintf(f, "# bine-bench %s, revision %s\n", BINE_VERSION, BINE_REVISION);
    if (gmtime_r(&now, &utc) != NULL && strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
        fact(f, "date", date);
    fact(f, "command", w->command);
    write_launcher(f);
    MPI_Get_library_version(text, &length);
    fact(f, "mpi", text);
    fprintf(f, "# ranks: %d on %d node%s%s\n", world->p, world->nodes, world->nodes == 1 ? "" : "s",
            world->crowded ? ", more ranks than cores" : "");
    fact(f, "hosts", world->hosts == NULL ? "unknown" : world->hosts);
    write_allocation(f, w);
    write_cpu(f);
    if (uname(&system) == 0)
        fprintf(f, "# system: %s %s %s\n", system.sysname, system.release, system.machine);
    write_method(f, w);
    write_settings(f);
}
