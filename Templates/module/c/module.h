/* What this module offers; module.c lists it. */
#ifndef MODULE_H
#define MODULE_H

#include "agent_module.h"

extern const agent_contribution_v1 log_file;
extern const agent_contribution_v1 error_rate;
extern const agent_contribution_v1 error_count;

#endif
