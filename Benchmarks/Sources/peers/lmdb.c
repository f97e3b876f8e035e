// LMDB as an inbox: a counter as the key, one put a transaction. Without `--synced` the environment is MDB_NOSYNC.
#include <lmdb.h>

#include "arguments.h"

static MDB_env *environment;
static MDB_dbi table;

static void check(int status) {
  if (status == MDB_SUCCESS) return;
  fprintf(stderr, "lmdb: %s\n", mdb_strerror(status));
  exit(1);
}

static MDB_txn *begin(void) {
  MDB_txn *transaction;
  check(mdb_txn_begin(environment, NULL, 0, &transaction));
  return transaction;
}

static void open_environment(const struct arguments *arguments) {
  unsigned flags = MDB_NOSUBDIR | (arguments->synced ? 0 : MDB_NOSYNC);
  check(mdb_env_create(&environment));
  check(mdb_env_set_mapsize(environment, (size_t)4 << 30));
  check(mdb_env_open(environment, arguments->path, flags, 0600));
  MDB_txn *transaction = begin();
  check(mdb_dbi_open(transaction, NULL, MDB_INTEGERKEY, &table));
  check(mdb_txn_commit(transaction));
}

static void append(MDB_txn *transaction) {
  static char record[224] = "an-id-of-twenty-four-byt";
  MDB_cursor *cursor;
  MDB_val key, value = {.mv_size = sizeof record, .mv_data = record};
  size_t sequence = 0;
  check(mdb_cursor_open(transaction, table, &cursor));
  int status = mdb_cursor_get(cursor, &key, NULL, MDB_LAST);
  if (status == MDB_SUCCESS) {
    memcpy(&sequence, key.mv_data, sizeof sequence);
  } else if (status != MDB_NOTFOUND) {
    check(status);
  }
  sequence++;
  key = (MDB_val){.mv_size = sizeof sequence, .mv_data = &sequence};
  check(mdb_cursor_put(cursor, &key, &value, MDB_APPEND));
  mdb_cursor_close(cursor);
}

static void append_and_commit(void) {
  MDB_txn *transaction = begin();
  append(transaction);
  check(mdb_txn_commit(transaction));
}

static void append_once(const struct arguments *arguments) {
  measure_begin();
  open_environment(arguments);
  append_and_commit();
  mdb_env_close(environment);
  measure_end();
  measure_report(1, 0);
}

static void append_many(const struct arguments *arguments) {
  open_environment(arguments);
  begin_appends(arguments);
  for (uint64_t index = 0; index < arguments->count; index++) {
    append_and_commit();
    measure_lap();
  }
  measure_end();
  mdb_env_close(environment);
  measure_report(arguments->count, 0);
}

static void make(const struct arguments *arguments) {
  open_environment(arguments);
  MDB_txn *transaction = begin();
  for (uint64_t index = 0; index < arguments->count; index++) append(transaction);
  check(mdb_txn_commit(transaction));
  check(mdb_env_sync(environment, 1));
  mdb_env_close(environment);
}

int main(int count, char **words) {
  struct arguments arguments = parse_arguments(count, words);
  if (strcmp(arguments.mode, "append-once") == 0) {
    append_once(&arguments);
  } else if (strcmp(arguments.mode, "append-many") == 0) {
    append_many(&arguments);
  } else if (strcmp(arguments.mode, "make") == 0) {
    make(&arguments);
  } else if (strcmp(arguments.mode, "empty") == 0) {
    measure_report(0, 0);
  } else {
    fprintf(stderr, "lmdb append-once|append-many|make|empty [FILE [COUNT]] [options]\n");
    return 2;
  }
  return 0;
}
