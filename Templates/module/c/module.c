/* Lists what this module offers. Name, version and contributions must be those of module.json. */
#include "agent_module.h"

extern const agent_contribution_v1 log_file, error_rate, error_count;
const agent_module_descriptor_v1 *agent_module_v1(void);

/* What the host calls first. */
const agent_module_descriptor_v1 *agent_module_v1(void) {
  static agent_contribution_v1 contributions[3];
  static const agent_module_descriptor_v1 module = {
      .size = sizeof(agent_module_descriptor_v1),
      .abi = AGENT_ABI,
      .name = "{{name}}",
      .version = "0.1.0",
      .contribution_count = 3,
      .contribution_stride = sizeof(agent_contribution_v1),
      .contributions = contributions,
  };
  contributions[0] = log_file;
  contributions[1] = error_rate;
  contributions[2] = error_count;
  return &module;
}
