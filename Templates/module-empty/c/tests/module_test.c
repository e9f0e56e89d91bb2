/* From the module's folder:
 *   cc -I {{sdk}}/Sources/CAgentModule/include tests/module_test.c module.c -o /tmp/test && /tmp/test
 */
#include <assert.h>
#include <string.h>

#include "agent_module.h"

const agent_module_descriptor_v1 *agent_module_v1(void);

int main(void) {
  assert(strcmp(agent_module_v1()->name, "{{name}}") == 0);
  return 0;
}
