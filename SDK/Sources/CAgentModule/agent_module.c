/* The package manager wants a source file; the interface is the header alone. */
#include "agent_module.h"
