#pragma once

// sqlite3_config() has variable arguments, which Swift can't call.

// Turns off the counts of SQLite's memory, whose lock every allocation of every connection takes.
// Called before the first connection is opened. Returns SQLITE_OK, or SQLITE_MISUSE when it is
// called later, which changes nothing.
int sqlite_configuration_without_memory_counts(void);
