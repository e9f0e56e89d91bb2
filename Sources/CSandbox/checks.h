/* checks.h: what is looked at in the arguments of a system call. Internal to CSandbox. */
#ifndef CHECKS_H
#define CHECKS_H

#include "calls.h"
#include "filter.h"

/* Appends a check, which ends with a verdict. `own` is this process, `host` its parent. */
void checks_emit(filter *f, call_rule rule, uint32_t own, uint32_t host);

#endif
