/* Bine: MPI collective operations that keep their traffic local.
 *
 * Every Bine_X takes the arguments of MPI_X and does what MPI_X does, for every number of ranks,
 * root, count, datatype and operator. Link with -lbine-openmpi or -lbine-mpich, whichever your
 * program is built for, and replace MPI_Allreduce by Bine_Allreduce where you want it:
 *
 *     #include <bine.h>
 *     #include <mpi.h>
 *
 *     int main(int argc, char **argv) {
 *         double x = 1.0, sum;
 *         MPI_Init(&argc, &argv);
 *         Bine_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
 *         MPI_Finalize();
 *         return 0;
 *     }
 *
 * Return values are MPI error codes. Errors go through the error handler of the communicator, as
 * MPI's own do. Nothing is aborted, except by the error handler of your choice, and nothing is
 * printed, except one line on stderr for a setting that cannot be followed. (MPICH shows errors of
 * messages that a started call waits for, as where counts of ranks differ, to the handler of
 * MPI_COMM_WORLD as well, which ends the program unless it returns errors.)
 *
 * The first call on a communicator makes a private communicator over the same ranks, so all ranks
 * must take part in it, as in any collective; it is freed with yours. Messages of Bine can
 * therefore never meet yours. Later calls of the same kind allocate nothing, unless they need more
 * than 4 MiB beside your buffers. Each communicator keeps at most these 4 MiB; a larger block is
 * shared by all communicators of the process, which keeps one, as large as its largest call needed.
 *
 * Buffers may be in the memory of a device, where your program has loaded CUDA or HIP, on all ranks
 * or on some. Where Bine was built with CUDA, CUDA was loaded before the first call on the
 * communicator, all ranks are on one node and all their buffers on its devices, the devices make
 * the call by themselves: docs/devices.md. Otherwise the data passes through the host's memory;
 * not so in scans, barriers, calls with uneven blocks and nonblocking calls that MPI makes.
 * Elements with gaps are written back with their gaps.
 *
 * Programs can also be left as they are, and use Bine by the drop-in library: see `bine preload`.
 */
#ifndef BINE_H
#define BINE_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BINE_VERSION_MAJOR 1
#define BINE_VERSION_MINOR 0
#define BINE_VERSION_PATCH 0

/* --- The collectives
 * ---------------------------------------------------------------------------------------------------------------------
 *
 * MPI_IN_PLACE, MPI_BOTTOM, derived datatypes, different datatypes of equal signature on different
 * ranks, user-defined and non-commutative operators, counts of 0: as in MPI. Results of reductions
 * have the same bits on every rank that gets them. A non-commutative operator is applied in rank
 * order. Calls on an intercommunicator, or on a communicator with processes outside MPI_COMM_WORLD,
 * are handed on to MPI. Communicators of MPI sessions are served, too, where MPI_Init was not
 * called (by Bine_X; the drop-in library leaves them to MPI).
 *
 * Where every rank has a block of its own size (Allgatherv, Alltoallv, Alltoallw, Gatherv,
 * Scatterv), counts may be 0, and displacements may be in any order and leave gaps, which are not
 * touched. Blocks that lie side by side in rank order, of a type without gaps, are sent as they
 * lie; others are packed first. Scan and Exscan apply any operator in rank order. */

int Bine_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int Bine_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm);
int Bine_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm);
int Bine_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int Bine_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int Bine_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int Bine_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int Bine_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int Bine_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int Bine_Barrier(MPI_Comm comm);
int Bine_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                    MPI_Comm comm);
int Bine_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                   const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int Bine_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                   const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int Bine_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                 MPI_Comm comm);
int Bine_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                  MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                  int root, MPI_Comm comm);
int Bine_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm);
int Bine_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm);

/* --- Choosing the algorithm
 * --------------------------------------------------------------------------------------------------------------
 *
 * Left alone, Bine chooses by the number of ranks, the size and the operator. To choose yourself,
 * name an algorithm of `bine list`, with its layout after a colon if you like: "bine-large",
 * "bine-large:pack"; or "mpi", the MPI library's own. In the order of precedence:
 *
 *     Bine_Next(comm, "bine-large:pack");           the next call on the communicator
 *     Bine_Set(comm, "allreduce", "bine-large");    its calls of that collective
 *     BINE_ALLREDUCE=bine-large                     all calls of that collective: docs/settings.md
 *     BINE_RULES=rules.json                         by size, ranks, nodes, ...: docs/choosing.md
 *
 * A NULL or empty algorithm gives the choice back. All ranks of the communicator must make the same
 * choices. By Bine_Next and Bine_Set, an unknown name, or one that does not serve this number of
 * ranks, is refused at once with MPI_ERR_ARG; an algorithm that turns out not to serve a call (a
 * non-commutative operator, a name of another collective) makes that call fail with MPI_ERR_ARG or
 * MPI_ERR_OP on all ranks, before anything is sent. The first rank prints a line that names the
 * call and an unknown algorithm. It warns of settings and rules that it cannot follow, and leaves
 * them out. The ranks of a communicator compare their settings when it is first used: where they
 * differ, its calls are forwarded to MPI. Nothing can be chosen for an intercommunicator:
 * MPI_ERR_COMM. */

int Bine_Set(MPI_Comm comm, const char *collective, const char *algorithm);
int Bine_Next(MPI_Comm comm, const char *algorithm);

/* Vectors in the memory of a CUDA device. A call comes after what your program has begun in the
 * device's default stream, or in `stream`, a cudaStream_t, once that is set for the communicator
 * (NULL: the default one again). When a call returns, its results are there for work in any stream.
 * Each rank sets its own; the first function of Bine on a communicator is for all its ranks
 * together.
 */
int Bine_Set_stream(MPI_Comm comm, void *stream);

/* Numbers of 2 bytes, which MPI has not: IEEE half precision and bfloat16. Their types, and the
 * operators that do for them what MPI_SUM, MPI_PROD, MPI_MIN or MPI_MAX (`like`) do for others;
 * every MPI function takes them, and devices add them up by themselves. They belong to Bine until
 * MPI_Finalize: do not free them. */
int Bine_Type_half(MPI_Datatype *type);
int Bine_Type_bfloat16(MPI_Datatype *type);
int Bine_Op_half(MPI_Op like, MPI_Op *op);
int Bine_Op_bfloat16(MPI_Op like, MPI_Op *op);

/* Which algorithm the last call on the communicator ran, as "COLLECTIVE ALGORITHM:LAYOUT (REASON)"
 * or "COLLECTIVE mpi (REASON)" or "COLLECTIVE device (REASON)", cut to fit; empty if there was
 * none. Asks no other rank. MPI calls of a collective that every communicator forwards to MPI do
 * not come to Bine, and do not count. */
int Bine_Last(MPI_Comm comm, char *text, int size);

/* --- Nonblocking calls
 * -------------------------------------------------------------------------------------------------------------------
 *
 *     Bine_Request r;
 *     Bine_Iallreduce(in, out, n, MPI_FLOAT, MPI_SUM, comm, &r);
 *     compute();
 *     Bine_Wait(&r);
 *
 * As MPI_IX: a call is started, and the buffers are not to be touched until it is over. Any number
 * may be pending on a communicator, beside blocking calls, and end in any order. They go on in
 * all functions below, and whenever MPI looks for messages, in whatever function of it the program
 * is (under Open MPI, and under MPICH over UCX; with another MPI library, and for operators that
 * the program made, MPI makes the call).
 *
 * To start a call waits for nobody. So it is one of Bine's algorithms only where a blocking call of
 * Bine's on the same communicator has opened it before; otherwise MPI makes it, by MPI_IX. Likewise
 * it uses shared memory only where a blocking call has made that, and only if the program has not
 * asked for MPI_THREAD_MULTIPLE; otherwise it sends messages. The communicator and the datatypes
 * may be freed before the end. An operator that the program made gets a duplicate of the datatype.
 *
 * Requests that are over become NULL, and NULL is over. The functions are those of MPI without
 * statuses: a call that has failed returns its error where its end is told. Bine_Waitall,
 * Bine_Testall, Bine_Waitsome and Bine_Testsome return the first error, and end all requests that
 * are over. Bine_Request_free lets a call end by itself; of NULL it is an error,
 * MPI_ERR_REQUEST. */

typedef struct bine_request *Bine_Request;

int Bine_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                Bine_Request *request);
int Bine_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 int root, MPI_Comm comm, Bine_Request *request);
int Bine_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, Bine_Request *request);
int Bine_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                 Bine_Request *request);
int Bine_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                  Bine_Request *request);
int Bine_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Bine_Request *request);
int Bine_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Bine_Request *request);
int Bine_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, Bine_Request *request);
int Bine_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                               Bine_Request *request);
int Bine_Ibarrier(MPI_Comm comm, Bine_Request *request);
int Bine_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                     MPI_Comm comm, Bine_Request *request);
int Bine_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                    MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                    const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                    Bine_Request *request);
int Bine_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                    const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                    Bine_Request *request);
int Bine_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                  MPI_Comm comm, Bine_Request *request);
int Bine_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                   MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm, Bine_Request *request);
int Bine_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm, Bine_Request *request);
int Bine_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm, Bine_Request *request);

int Bine_Wait(Bine_Request *request);
int Bine_Waitall(int count, Bine_Request request[]);
int Bine_Waitany(int count, Bine_Request request[], int *index);
int Bine_Waitsome(int count, Bine_Request request[], int *outcount, int indices[]);
int Bine_Test(Bine_Request *request, int *flag);
int Bine_Testall(int count, Bine_Request request[], int *flag);
int Bine_Testany(int count, Bine_Request request[], int *index, int *flag);
int Bine_Testsome(int count, Bine_Request request[], int *outcount, int indices[]);
int Bine_Request_free(Bine_Request *request);

/* --- Plans: choose once, run many times
 * --------------------------------------------------------------------------------------------------
 *
 *     Bine_Plan plan;
 *     Bine_Allreduce_init(in, out, n, MPI_FLOAT, MPI_SUM, comm, &plan);
 *     for (...) { fill(in); Bine_Plan_run(plan); use(out); }
 *     Bine_Plan_free(&plan);
 *
 * Making a plan is collective, as is running it; arguments must stay valid until it is freed, and
 * it must be freed before the communicator. Running a plan allocates nothing and looks nothing up.
 * Freeing a NULL plan does nothing.
 *
 * Instead of being run, a plan can be started, and goes on as a nonblocking call does;
 * Bine_Plan_wait waits for its end, and Bine_Plan_test asks for it. The first start makes ready
 * what the others use. A plan that is pending can be neither started, run nor freed:
 * MPI_ERR_REQUEST. */

typedef struct bine_user_plan *Bine_Plan;

int Bine_Bcast_init(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                    Bine_Plan *plan);
int Bine_Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, int root, MPI_Comm comm, Bine_Plan *plan);
int Bine_Allreduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm, Bine_Plan *plan);
int Bine_Gather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                     Bine_Plan *plan);
int Bine_Scatter_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                      int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                      Bine_Plan *plan);
int Bine_Allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                        int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Bine_Plan *plan);
int Bine_Alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Bine_Plan *plan);
int Bine_Reduce_scatter_init(const void *sendbuf, void *recvbuf, const int recvcounts[],
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, Bine_Plan *plan);
int Bine_Reduce_scatter_block_init(const void *sendbuf, void *recvbuf, int recvcount,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                   Bine_Plan *plan);
int Bine_Barrier_init(MPI_Comm comm, Bine_Plan *plan);
int Bine_Allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                         MPI_Comm comm, Bine_Plan *plan);
int Bine_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                        MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                        const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, Bine_Plan *plan);
int Bine_Alltoallw_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                        const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                        Bine_Plan *plan);
int Bine_Gatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                      const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                      MPI_Comm comm, Bine_Plan *plan);
int Bine_Scatterv_init(const void *sendbuf, const int sendcounts[], const int displs[],
                       MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                       int root, MPI_Comm comm, Bine_Plan *plan);
int Bine_Scan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, Bine_Plan *plan);
int Bine_Exscan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm, Bine_Plan *plan);
int Bine_Plan_run(Bine_Plan plan);
int Bine_Plan_start(Bine_Plan plan);
int Bine_Plan_test(Bine_Plan plan, int *flag);
int Bine_Plan_wait(Bine_Plan plan);
int Bine_Plan_free(Bine_Plan *plan);

/* --- Large counts
 * ------------------------------------------------------------------------------------------------------------------------
 *
 * The same with counts of MPI_Count and displacements of MPI_Aint, under every MPI library. Numbers
 * beyond those of int are for Bine's own algorithms: where MPI would make such a call (on an
 * intercommunicator, by choice, or a nonblocking one on a communicator that no blocking call has
 * opened), it is an error, MPI_ERR_COUNT. */

int Bine_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm);
int Bine_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, int root, MPI_Comm comm);
int Bine_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm);
int Bine_Gather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int Bine_Scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int Bine_Allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int Bine_Alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int Bine_Reduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int Bine_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int Bine_Barrier_c(MPI_Comm comm);
int Bine_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                      MPI_Datatype recvtype, MPI_Comm comm);
int Bine_Alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int Bine_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int Bine_Gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                   int root, MPI_Comm comm);
int Bine_Scatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm);
int Bine_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                MPI_Op op, MPI_Comm comm);
int Bine_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, MPI_Comm comm);

int Bine_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
                  Bine_Request *request);
int Bine_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                   MPI_Op op, int root, MPI_Comm comm, Bine_Request *request);
int Bine_Iallreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm, Bine_Request *request);
int Bine_Igather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                   Bine_Request *request);
int Bine_Iscatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                    Bine_Request *request);
int Bine_Iallgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                      Bine_Request *request);
int Bine_Ialltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                     Bine_Request *request);
int Bine_Ireduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, Bine_Request *request);
int Bine_Ireduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                 Bine_Request *request);
int Bine_Ibarrier_c(MPI_Comm comm, Bine_Request *request);
int Bine_Iallgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                       MPI_Datatype recvtype, MPI_Comm comm, Bine_Request *request);
int Bine_Ialltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                      const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                      Bine_Request *request);
int Bine_Ialltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                      Bine_Request *request);
int Bine_Igatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                    int root, MPI_Comm comm, Bine_Request *request);
int Bine_Iscatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                     MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, Bine_Request *request);
int Bine_Iscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                 MPI_Op op, MPI_Comm comm, Bine_Request *request);
int Bine_Iexscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm, Bine_Request *request);

int Bine_Bcast_init_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
                      Bine_Plan *plan);
int Bine_Reduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Op op, int root, MPI_Comm comm, Bine_Plan *plan);
int Bine_Allreduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, Bine_Plan *plan);
int Bine_Gather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                       MPI_Comm comm, Bine_Plan *plan);
int Bine_Scatter_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                        MPI_Comm comm, Bine_Plan *plan);
int Bine_Allgather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                          void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                          Bine_Plan *plan);
int Bine_Alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                         void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                         Bine_Plan *plan);
int Bine_Reduce_scatter_init_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, Bine_Plan *plan);
int Bine_Reduce_scatter_block_init_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                     Bine_Plan *plan);
int Bine_Barrier_init_c(MPI_Comm comm, Bine_Plan *plan);
int Bine_Allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                           void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                           MPI_Datatype recvtype, MPI_Comm comm, Bine_Plan *plan);
int Bine_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                          const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf,
                          const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                          MPI_Datatype recvtype, MPI_Comm comm, Bine_Plan *plan);
int Bine_Alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                          const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf,
                          const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                          const MPI_Datatype recvtypes[], MPI_Comm comm, Bine_Plan *plan);
int Bine_Gatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                        MPI_Datatype recvtype, int root, MPI_Comm comm, Bine_Plan *plan);
int Bine_Scatterv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                         MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                         MPI_Datatype recvtype, int root, MPI_Comm comm, Bine_Plan *plan);
int Bine_Scan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm, Bine_Plan *plan);
int Bine_Exscan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Op op, MPI_Comm comm, Bine_Plan *plan);

#ifdef __cplusplus
}
#endif

#endif
