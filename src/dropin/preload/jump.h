/* Functions that jump to another one with the arguments as they came, at every level of
 * optimization: it then returns to their caller. */
#ifndef BINE_DROPIN_PRELOAD_JUMP_H
#define BINE_DROPIN_PRELOAD_JUMP_H

#ifdef __clang__
#define JUMPS
#define JUMP __attribute__((musttail)) return
#else
#define JUMPS __attribute__((optimize("O2", "optimize-sibling-calls")))
#define JUMP return
#endif

#endif
