#include "store_probe.h"

#include <sqlite3.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char body[] =
    "{\"type\":\"machine\",\"timestamp\":1700000000000,\"source\":\"probe\",\"mnemonic\":\"HKLA\","
    "\"value\":123.456,\"uom\":\"klbf\"}";

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int run(sqlite3 *db, sqlite3_stmt *statement) {
  (void)db;
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code;
}

static int append_row(sqlite3_stmt *insert, int64_t position) {
  sqlite3_bind_int64(insert, 1, position);
  sqlite3_bind_int64(insert, 2, 1);
  sqlite3_bind_int64(insert, 3, 1700000000000 + position);
  sqlite3_bind_text(insert, 4, "probe", 5, SQLITE_STATIC);
  sqlite3_bind_blob64(insert, 5, body, sizeof body - 1, SQLITE_STATIC);
  sqlite3_bind_null(insert, 6);
  return run(NULL, insert);
}

static int append_groups(sqlite3 *db, sqlite3_stmt **statements, int64_t groups, int64_t rows,
                         int64_t *durations) {
  int64_t position = 0;
  if (sqlite3_step(statements[4]) == SQLITE_ROW) position = sqlite3_column_int64(statements[4], 0);
  sqlite3_reset(statements[4]);
  for (int64_t group = 0; group < groups; group++) {
    int64_t begin = now();
    int code = run(db, statements[0]);
    for (int64_t row = 0; row < rows && code == SQLITE_OK; row++)
      code = append_row(statements[1], ++position);
    if (code == SQLITE_OK) {
      sqlite3_bind_int64(statements[2], 1, rows);
      sqlite3_bind_int64(statements[2], 2, rows * (int64_t)(sizeof body - 1));
      code = run(db, statements[2]);
    }
    if (code == SQLITE_OK) code = run(db, statements[3]);
    if (code != SQLITE_OK) return code;
    durations[group] = now() - begin;
  }
  return SQLITE_OK;
}

static const char *const texts[] = {
    "BEGIN IMMEDIATE",
    "INSERT INTO events (position, type, timestamp, source, body, overwrite_key)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    "UPDATE event_types SET count = count + ?1, bytes = bytes + ?2 WHERE id = 1",
    "COMMIT",
    "SELECT ifnull(max(position), 0) FROM events",
};
enum { TEXTS = sizeof texts / sizeof *texts };

int store_probe_append(const char *path, int64_t groups, int64_t rows, int64_t *durations) {
  sqlite3 *db = NULL;
  sqlite3_stmt *statements[TEXTS] = {NULL};
  int code = sqlite3_open(path, &db);
  if (code == SQLITE_OK)
    code = sqlite3_exec(db,
                        "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;"
                        "INSERT OR IGNORE INTO event_types (id, name) VALUES (1, 'machine')",
                        NULL, NULL, NULL);
  for (int i = 0; i < TEXTS && code == SQLITE_OK; i++)
    code = sqlite3_prepare_v3(db, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &statements[i], NULL);
  if (code == SQLITE_OK) code = append_groups(db, statements, groups, rows, durations);
  for (int i = 0; i < TEXTS; i++) sqlite3_finalize(statements[i]);
  sqlite3_close(db);
  return code;
}

int64_t store_probe_scan(const char *path, int64_t *sum) {
  sqlite3 *db = NULL;
  sqlite3_stmt *select = NULL;
  int64_t rows = 0;
  *sum = 0;
  int code = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(db,
                              "SELECT position, timestamp, source, body, type FROM events"
                              " WHERE position BETWEEN 0 AND 9223372036854775807 ORDER BY position",
                              -1, &select, NULL);
  while (code == SQLITE_OK && (code = sqlite3_step(select)) == SQLITE_ROW) {
    code = SQLITE_OK;
    rows++;
    *sum += sqlite3_column_int64(select, 0) & 1;
    *sum += sqlite3_column_int64(select, 1) & 1;
    if (sqlite3_column_text(select, 2)) *sum += sqlite3_column_bytes(select, 2);
    if (sqlite3_column_blob(select, 3)) *sum += sqlite3_column_bytes(select, 3);
    *sum += sqlite3_column_int64(select, 4) & 1;
  }
  sqlite3_finalize(select);
  sqlite3_close(db);
  return code == SQLITE_DONE ? rows : -1;
}
