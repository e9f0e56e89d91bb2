#include "sqlite_configuration.h"

#include <sqlite3.h>

int sqlite_configuration_without_memory_counts(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
