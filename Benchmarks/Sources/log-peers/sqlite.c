// SQLite as a key-value log: a table by its key, WAL, one row a transaction. `--synced` is synchronous=FULL, otherwise OFF.
#include <sqlite3.h>

#include "workload.h"

static sqlite3 *database;
static sqlite3_stmt *setting, *getting;

static void check(int status, int expected) {
  if (status == expected) return;
  fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static void execute(const char *statement) { check(sqlite3_exec(database, statement, NULL, NULL, NULL), SQLITE_OK); }

void store_open(const struct arguments *arguments, bool is_new) {
  check(sqlite3_open(arguments->path, &database), SQLITE_OK);
  check(sqlite3_busy_timeout(database, 30000), SQLITE_OK);
  execute(arguments->synced ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF");
  if (is_new) {
    execute("PRAGMA journal_mode = WAL");
    execute("CREATE TABLE log(key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID");
  }
  check(sqlite3_prepare_v2(database, "INSERT OR REPLACE INTO log VALUES(?, ?)", -1, &setting, NULL), SQLITE_OK);
  check(sqlite3_prepare_v2(database, "SELECT value FROM log WHERE key = ?", -1, &getting, NULL), SQLITE_OK);
}

void store_set(const char *key, const uint8_t *value) {
  check(sqlite3_bind_text(setting, 1, key, key_size, SQLITE_STATIC), SQLITE_OK);
  check(sqlite3_bind_blob(setting, 2, value, value_size_of_log, SQLITE_STATIC), SQLITE_OK);
  check(sqlite3_step(setting), SQLITE_DONE);
  check(sqlite3_reset(setting), SQLITE_OK);
}

uint64_t store_get(const char *key) {
  check(sqlite3_bind_text(getting, 1, key, key_size, SQLITE_STATIC), SQLITE_OK);
  check(sqlite3_step(getting), SQLITE_ROW);
  uint64_t first = *(const uint8_t *)sqlite3_column_blob(getting, 0);
  check(sqlite3_reset(getting), SQLITE_OK);
  return first;
}

void store_begin_filling(void) { execute("BEGIN"); }
void store_end_filling(void) { execute("COMMIT"); }
void store_close(void) {
  check(sqlite3_finalize(setting), SQLITE_OK);
  check(sqlite3_finalize(getting), SQLITE_OK);
  check(sqlite3_close(database), SQLITE_OK);
}

int main(int count, char **words) { return run_workload(count, words); }
