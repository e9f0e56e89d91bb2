/* A module that seems to be made by another Swift toolchain. */
#include "agent_module.h"

__asm__(".ident \"" SWIFT_MARK "\"");

const agent_module_descriptor_v1 *agent_module_v1(void) { return 0; }
