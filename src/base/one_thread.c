#include "base/one_thread.h"

atomic_int bine_one_thread;
