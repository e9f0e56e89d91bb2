/* A library to preload that sets a variable before the program begins, as libfaketime does: that
 * moves the environment away from the words of the command line. */
#include <stdlib.h>

__attribute__((constructor)) static void set(void) { setenv("SET_BY_A_LIBRARY", "1", 1); }
