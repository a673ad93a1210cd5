/* The lock of a process: for lists and caches that several threads change. Its sections are short:
 * none enters another, and none waits for a rank. */
#ifndef BINE_BASE_LOCK_H
#define BINE_BASE_LOCK_H

void bine_lock(void);
void bine_unlock(void);

#endif
