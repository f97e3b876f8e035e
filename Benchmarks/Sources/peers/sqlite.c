// SQLite as an inbox: a table, WAL, one row a transaction. `--synced` is synchronous=FULL, otherwise OFF.
#include <sqlite3.h>
#include <unistd.h>

#include "arguments.h"

static sqlite3 *database;
static sqlite3_stmt *insertion;

static void check(int status, int expected) {
  if (status == expected) return;
  fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static void execute(const char *statement) { check(sqlite3_exec(database, statement, NULL, NULL, NULL), SQLITE_OK); }

static void open_database(const struct arguments *arguments) {
  check(sqlite3_open(arguments->path, &database), SQLITE_OK);
  check(sqlite3_busy_timeout(database, 30000), SQLITE_OK);
  execute(arguments->synced ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF");
}

static void prepare(void) {
  check(sqlite3_prepare_v2(database, "INSERT INTO inbox(id, payload) VALUES(?, ?)", -1, &insertion, NULL), SQLITE_OK);
}

static void append(void) {
  static const char id[] = "an-id-of-twenty-four-byt", payload[200] = {1};
  check(sqlite3_bind_text(insertion, 1, id, sizeof id - 1, SQLITE_STATIC), SQLITE_OK);
  check(sqlite3_bind_blob(insertion, 2, payload, sizeof payload, SQLITE_STATIC), SQLITE_OK);
  check(sqlite3_step(insertion), SQLITE_DONE);
  check(sqlite3_reset(insertion), SQLITE_OK);
}

static void close_database(void) {
  check(sqlite3_finalize(insertion), SQLITE_OK);
  check(sqlite3_close(database), SQLITE_OK);
}

static void append_once(const struct arguments *arguments) {
  measure_begin();
  open_database(arguments);
  prepare();
  append();
  close_database();
  measure_end();
  measure_report(1, 0);
}

static void append_many(const struct arguments *arguments) {
  open_database(arguments);
  prepare();
  begin_appends(arguments);
  for (uint64_t index = 0; index < arguments->count; index++) {
    append();
    measure_lap();
  }
  measure_end();
  close_database();
  measure_report(arguments->count, 0);
}

static void make(const struct arguments *arguments) {
  open_database(arguments);
  execute("PRAGMA journal_mode = WAL");
  execute("CREATE TABLE inbox(sequence INTEGER PRIMARY KEY, id TEXT NOT NULL, payload BLOB NOT NULL)");
  prepare();
  execute("BEGIN");
  for (uint64_t index = 0; index < arguments->count; index++) append();
  execute("COMMIT");
  close_database();
}

// The app, which has the database open while its helper comes and goes: else each helper is the last one out and
// checkpoints. Reads once, so that it has the WAL open too; ends with its standard input.
static void hold(const struct arguments *arguments) {
  char byte;
  open_database(arguments);
  execute("SELECT count(*) FROM inbox WHERE sequence = 1");
  if (write(STDOUT_FILENO, "\n", 1) != 1) give_up("write");
  while (read(STDIN_FILENO, &byte, 1) > 0) continue;
  close_database();
}

int main(int count, char **words) {
  struct arguments arguments = parse_arguments(count, words);
  if (strcmp(arguments.mode, "append-once") == 0) {
    append_once(&arguments);
  } else if (strcmp(arguments.mode, "append-many") == 0) {
    append_many(&arguments);
  } else if (strcmp(arguments.mode, "make") == 0) {
    make(&arguments);
  } else if (strcmp(arguments.mode, "hold") == 0) {
    hold(&arguments);
  } else if (strcmp(arguments.mode, "empty") == 0) {
    measure_report(0, 0);
  } else {
    fprintf(stderr, "sqlite append-once|append-many|make|hold|empty [FILE [COUNT]] [options]\n");
    return 2;
  }
  return 0;
}
