#include "base/lock.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void bine_lock(void) {
    pthread_mutex_lock(&lock);
}

void bine_unlock(void) {
    pthread_mutex_unlock(&lock);
}
