#include "sandbox.h"

#include <stdio.h>

void sandbox_buffer_lines(void) { setvbuf(stdout, NULL, _IOLBF, BUFSIZ); }
