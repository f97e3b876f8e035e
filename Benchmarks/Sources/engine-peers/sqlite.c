// The engine workloads with SQLite, and with SQLCipher where it is compiled against that: a table WITHOUT ROWID, WAL, a cache
// that holds all of it. `durable` is synchronous=FULL, the rest OFF.
#include <sqlite3.h>

#include "workload.h"

static struct workload workload;
static sqlite3 *database;

static void check(sqlite3 *connection, int status, int expected) {
  if (status == expected) return;
  fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(connection));
  exit(1);
}

static void execute(sqlite3 *connection, const char *statement) {
  check(connection, sqlite3_exec(connection, statement, NULL, NULL, NULL), SQLITE_OK);
}

static sqlite3_stmt *prepare(sqlite3 *connection, const char *text) {
  sqlite3_stmt *statement;
  check(connection, sqlite3_prepare_v2(connection, text, -1, &statement, NULL), SQLITE_OK);
  return statement;
}

static sqlite3 *connect_to(bool synced) {
  sqlite3 *connection;
  char pragma[64];
  check(connection, sqlite3_open(workload.path, &connection), SQLITE_OK);
  if (workload.sealed) execute(connection, "PRAGMA key = \"x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'\"");
  // Its own default is pages of 1,024 bytes, and everything slower.
  if (workload.sealed) execute(connection, "PRAGMA cipher_page_size = 4096");
  snprintf(pragma, sizeof pragma, "PRAGMA cache_size = -%llu", (unsigned long long)(workload.entries / 2 + 4096));
  execute(connection, pragma);
  execute(connection, "PRAGMA journal_mode = WAL");
  execute(connection, synced ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF");
  execute(connection, "CREATE TABLE IF NOT EXISTS entries(key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID");
  return connection;
}

static void run(sqlite3 *connection, sqlite3_stmt *statement, const unsigned char *key, bool takes_value) {
  check(connection, sqlite3_bind_blob(statement, 1, key, key_size, SQLITE_STATIC), SQLITE_OK);
  if (takes_value) check(connection, sqlite3_bind_blob(statement, 2, value, value_size, SQLITE_STATIC), SQLITE_OK);
  check(connection, sqlite3_step(statement), SQLITE_DONE);
  check(connection, sqlite3_reset(statement), SQLITE_OK);
}

static sqlite3_stmt *insertion(void) { return prepare(database, "INSERT OR REPLACE INTO entries VALUES(?, ?)"); }

static void insert(void) {
  sqlite3_stmt *statement = insertion();
  execute(database, "BEGIN IMMEDIATE");
  for (uint64_t index = 0; index < workload.entries; index++) run(database, statement, keys[index], true);
  execute(database, "COMMIT");
  sqlite3_finalize(statement);
}

static void get_all_from(sqlite3 *connection) {
  uint64_t sum = 0;
  sqlite3_stmt *statement = prepare(connection, "SELECT value FROM entries WHERE key = ?");
  execute(connection, "BEGIN");
  for (uint64_t index = 0; index < workload.entries; index++) {
    check(connection, sqlite3_bind_blob(statement, 1, keys[index], key_size, SQLITE_STATIC), SQLITE_OK);
    check(connection, sqlite3_step(statement), SQLITE_ROW);
    sum += ((const unsigned char *)sqlite3_column_blob(statement, 0))[sqlite3_column_bytes(statement, 0) / 2];
    check(connection, sqlite3_reset(statement), SQLITE_OK);
  }
  execute(connection, "COMMIT");
  sqlite3_finalize(statement);
  if (sum == 0) abort();
}

static void scan_from(sqlite3 *connection) {
  uint64_t sum = 0, count = 0;
  sqlite3_stmt *statement = prepare(connection, "SELECT key, value FROM entries ORDER BY key");
  for (; sqlite3_step(statement) == SQLITE_ROW; count++) {
    sum += ((const unsigned char *)sqlite3_column_blob(statement, 0))[0];
    sum += ((const unsigned char *)sqlite3_column_blob(statement, 1))[sqlite3_column_bytes(statement, 1) / 2];
  }
  sqlite3_finalize(statement);
  if (sum == 0 || count != workload.entries) abort();
}

// A connection a thread, each warm before the time is taken.
static pthread_barrier_t barrier;

static void *read_in_thread(void *unused) {
  sqlite3 *connection = connect_to(false);
  void (*body)(sqlite3 *) = is_mode(&workload, "get") ? get_all_from : scan_from;
  body(connection);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  body(connection);
  pthread_barrier_wait(&barrier);
  sqlite3_close(connection);
  return unused;
}

static void read_in_threads(void) {
  pthread_t threads[64];
  pthread_barrier_init(&barrier, NULL, (unsigned)workload.threads + 1);
  for (uint64_t index = 0; index < workload.threads; index++) pthread_create(&threads[index], NULL, read_in_thread, NULL);
  pthread_barrier_wait(&barrier);
  measure_begin();
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  measure_end();
  for (uint64_t index = 0; index < workload.threads; index++) pthread_join(threads[index], NULL);
}

static void delete_all(void) {
  sqlite3_stmt *statement = prepare(database, "DELETE FROM entries WHERE key = ?");
  execute(database, "BEGIN IMMEDIATE");
  for (uint64_t index = 0; index < workload.entries; index++) run(database, statement, keys[index], false);
  execute(database, "COMMIT");
  sqlite3_finalize(statement);
}

static void put_each(void) {
  sqlite3_stmt *statement = insertion();
  for (uint64_t index = 0; index < workload.operations; index++) run(database, statement, keys[index], true);
  sqlite3_finalize(statement);
}

// Dies in the middle of a transaction, with commits behind it that weren't synced.
static void crash(void) {
  make_keys(workload.entries, 1000, true, false);
  workload.operations = 100;
  database = connect_to(false);
  put_each();
  sqlite3_stmt *statement = insertion();
  execute(database, "BEGIN IMMEDIATE");
  for (int index = 100; index < 1000; index++) run(database, statement, keys[index], true);
  kill(getpid(), SIGKILL);
}

static void open_and_get(void) {
  make_keys(workload.entries / 2, 1, false, false);
  measure_begin();
  database = connect_to(false);
  sqlite3_stmt *statement = prepare(database, "SELECT value FROM entries WHERE key = ?");
  check(database, sqlite3_bind_blob(statement, 1, keys[0], key_size, SQLITE_STATIC), SQLITE_OK);
  check(database, sqlite3_step(statement), SQLITE_ROW);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  measure_end();
}

int main(int count, char **words) {
  workload = parse_workload(count, words);
  uint64_t operations = workload.entries;
  if (is_mode(&workload, "insert-sequential") || is_mode(&workload, "insert-random")) {
    make_keys(0, workload.entries, is_mode(&workload, "insert-random"), false);
    database = connect_to(false);
    measure_begin();
    insert();
    measure_end();
  } else if (is_mode(&workload, "get") || is_mode(&workload, "scan")) {
    make_keys(0, workload.entries, true, true);
    operations *= workload.threads;
    read_in_threads();
  } else if (is_mode(&workload, "delete")) {
    make_keys(0, workload.entries, true, true);
    database = connect_to(false);
    measure_begin();
    delete_all();
    measure_end();
  } else if (is_mode(&workload, "durable") || is_mode(&workload, "update")) {
    bool synced = is_mode(&workload, "durable");
    make_keys(synced ? workload.entries : 0, synced ? workload.operations : workload.entries, true, true);
    database = connect_to(synced);
    sqlite3 *reader = workload.pinned ? connect_to(false) : NULL;
    if (reader != NULL) execute(reader, "BEGIN; SELECT key FROM entries LIMIT 1");
    measure_begin();
    put_each();
    measure_end();
    operations = workload.operations;
    // The reader stays until the process ends: closing would give the log back, and how long it became is a result.
    if (reader != NULL) goto report;
  } else if (is_mode(&workload, "crash")) {
    crash();
  } else if (is_mode(&workload, "open")) {
    open_and_get();
    database = NULL;
    operations = 1;
  } else {
    fprintf(stderr, "sqlite insert-sequential|insert-random|get|scan|delete|durable|update|crash|open FILE ENTRIES [OPERATIONS]\n");
    return 2;
  }
  if (database != NULL) check(database, sqlite3_close(database), SQLITE_OK);
report:
  measure_report(operations, 0);
  return 0;
}
