/* Steps on boards, and rounds.
 *
 * A publication must fit a slot. A call with more runs its schedule in rounds: a vector (broadcast,
 * reduce, allreduce) is cut into sub-vectors, each of which is cut into blocks like a whole one;
 * where every rank has a block, a round is a window on every block. Ranks do not wait for each
 * other between rounds, except for slots.
 *
 * On a board lie packed elements. Reads of one place from several boards that follow each other are
 * a chain, and are added up in one pass over memory if src/board knows the type and the operator.
 */
#ifndef BINE_ENGINE_BOARDS_H
#define BINE_ENGINE_BOARDS_H

#include "board/reduce.h"
#include "engine/counts.h"
#include "engine/node.h"
#include "engine/transport/elements.h"
#include "schedule/schedule.h"

struct bine_execution;
struct bine_plan;
struct bine_strand_state;

/* A publication of a rank of the node: on its board, or (data is NULL) in its process. */
struct bine_operand {
    const char *data;
    uint64_t address;
    int64_t pid;
    int64_t bytes; /* of an uneven block */
};

/* The caller's elements of a space where they are packed into slots or unpacked from them
 * directly; no type where the engine works on bytes. */
struct bine_direct {
    const struct bine_type *type;
    char *base;
};

/* How far a strand has come in a step on boards. */
struct bine_board_cursor {
    enum { BINE_BOARD_PUBLISHES, BINE_BOARD_READS, BINE_BOARD_LEAVES } phase;
    uint32_t op;    /* of the step, where reading goes on */
    uint32_t ready; /* the number of published operands of the chain that begins there */
    int exposed;    /* this rank's memory, which others may be reading */
};

/* An execution's use of boards; no node where its schedule has none. */
struct bine_board_use {
    struct bine_node *node;
    struct bine_board_call call;
    uint64_t numbers;       /* that a call takes, */
    uint64_t publishes;     /* and the first ones, which it may publish under */
    uint32_t size;          /* of the call: bine_board_size */
    bine_reduce_pass *pass; /* adds up the type with the operator; or NULL */
    uint32_t round, rounds;
    int sized;           /* publications tell the sizes of their blocks (board_sized.c) */
    int vector;          /* rounds are parts of a vector, not windows on blocks */
    int local;           /* local operations are for bine_board_local */
    int64_t most, total; /* elements of a round, and of all: of the vector, or of a block */
    const struct bine_counts *counts; /* elements of every block, or NULL: `total` */
    char *origin[BINE_SPACES];        /* where the spaces begin */
    struct bine_direct direct[BINE_SPACES];
    struct bine_operand *operand; /* for each strand, as many as ranks on the node and one */
    char *fetched, *typed; /* scratch for `part` elements: packed, and as the type lays them out */
    int64_t part;
    unsigned looks;   /* since something moved last */
    uint32_t waiting; /* strands that are at a step on boards */
    int moved;
};

/* The facts of a schedule that rounds depend on. */
struct bine_board_cut {
    int vector, messages;     /* it cuts a vector; it sends messages, too */
    int blocks, board_blocks; /* as in a schedule */
};

/* Rounds of a call whose type has elements of `size` bytes: `elements` is of the vector, or of the
 * largest block. *most becomes the elements of a round. 0 where the call cannot be run on boards:
 * one element is too much for a slot, or messages would go in rounds with windows. */
uint32_t bine_board_rounds(const struct bine_board_cut *cut, uint32_t holds, int64_t elements,
                           int64_t size, int64_t *most);

/* Set up, from nothing but zeros, at the binding of a call whose type and operator are set;
 * `elements` as above; `uneven`: its blocks have sizes of their own. Then lay out its memory; or
 * (NULL) only measure it. Returns the bytes. */
int bine_board_bind(struct bine_execution *x, struct bine_node *node, int64_t elements,
                    const struct bine_counts *counts, int uneven);
size_t bine_board_place(struct bine_execution *x, char *memory);

/* Begin a call that the channel has counted, or the next one of a persistent call. */
void bine_board_take(struct bine_node *node, struct bine_board_call *call, uint64_t numbers,
                     uint64_t publishes);
/* The same for an execution. Then its first round, and the next one. */
void bine_board_begin(struct bine_execution *x);
void bine_board_round(struct bine_execution *x, uint32_t round);
/* End it; or give it up, so that no peer waits for this rank. */
void bine_board_end(struct bine_execution *x);
void bine_board_give_up(struct bine_execution *x);
/* The call cannot even begin on this rank. */
void bine_board_refuse(const struct bine_plan *plan, struct bine_node *node, uint32_t rounds);
/* Likewise a call with a wrong argument, which may or may not go to boards on the other ranks. */
void bine_board_refuse_any(struct bine_node *node);
/* Refuse a call on boards alone for which there is no memory for a plan. */
struct bine_call;
struct bine_spec;
/* The shape of boards that are for one call alone: not larger than `most`, and such that the call
 * takes no more rounds. */
struct bine_board_shape bine_board_wanted(const struct bine_spec *spec,
                                          const struct bine_call *call,
                                          const struct bine_board_shape *most);
void bine_board_refuse_unplanned(const struct bine_spec *spec, const struct bine_call *call,
                                 struct bine_node *node);

static inline int bine_step_is_on_boards(const struct bine_schedule *s,
                                         const struct bine_step *step) {
    for (uint32_t j = step->ops; s->boards && j < step->ops + step->nops; j++)
        if (bine_kind_is_board(s->op[j].kind))
            return 1;
    return 0;
}

/* The error of a publication that is not to be had. */
static inline int bine_board_error(enum bine_board_state state) {
    return state == BINE_BOARD_LONGER ? BINE_ERR_TRUNCATE : BINE_ERR_OTHER;
}

/* Elements of the blocks before the operation's block, in the publication. */
int64_t bine_board_offset(const struct bine_execution *x, const struct bine_op *op);
/* How many operations of a step are in the chain that begins with number j. */
uint32_t bine_board_chain(const struct bine_plan *plan, const struct bine_step *step, uint32_t j);

/* Publications that tell the sizes of their blocks. The bytes that a slot must hold for them: at
 * most BINE_BOARD_SIZED_A_RANK for each of two ranks or more. To publish one; returns whether some
 * of it lies only in this process's memory. Whether the ranks that it has something for are done
 * with that. The block of an operation that reads one. */
enum { BINE_BOARD_SIZED_A_RANK = 24 };
size_t bine_board_sized_least(const struct bine_schedule *s);
int bine_board_sized_is_read(const struct bine_execution *x, const struct bine_step *step,
                             uint64_t number);
int bine_board_publish_sized(struct bine_execution *x, const struct bine_op *op, uint64_t number);
struct bine_operand bine_board_sized_operand(const struct bine_execution *x,
                                             const struct bine_op *op, int64_t pid,
                                             struct bine_board_slot *slot);

/* The number of a strand's publication in a step. */
uint64_t bine_board_number(const struct bine_execution *x, const struct bine_strand_state *st,
                           const struct bine_step *step);
/* Pass the numbers that no strand will come to any more. To be called whenever a strand has gone
 * on: peers may wait for that before they can send the data that this rank waits for next. */
void bine_board_pass(struct bine_execution *x);
/* Take a step on boards as far as it goes, without its local operations. Returns whether that is to
 * their beginning. Errors are noted in the execution, which goes on: others wait for it. */
int bine_board_step(struct bine_execution *x, struct bine_strand_state *st,
                    const struct bine_step *step);
/* The local operations of a step in a round that is a window on blocks, or on the caller's elements
 * as they lie. */
void bine_board_local(struct bine_execution *x, const struct bine_step *step);

/* The pass for a type and an operator of MPI's, or NULL. */
bine_reduce_pass *bine_pass_find(bine_type_handle type, bine_op_handle op);
/* Their names in src/board: an enum bine_reduce_type and an enum bine_reduce_operator. -1: there is
 * no pass. */
int bine_pass_name(bine_type_handle type, bine_op_handle op, int *class, int *operation);

#endif
