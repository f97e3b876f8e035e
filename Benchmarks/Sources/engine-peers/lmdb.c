// The engine workloads with LMDB. What need not survive power loss is MDB_NOSYNC.
#include <lmdb.h>

#include "workload.h"

static MDB_env *environment;
static MDB_dbi table;
static struct workload workload;

static void check(int status) {
  if (status == MDB_SUCCESS) return;
  fprintf(stderr, "lmdb: %s\n", mdb_strerror(status));
  exit(1);
}

static MDB_txn *begin(unsigned flags) {
  MDB_txn *transaction;
  check(mdb_txn_begin(environment, NULL, flags, &transaction));
  return transaction;
}

static void open_environment(bool synced) {
  check(mdb_env_create(&environment));
  check(mdb_env_set_mapsize(environment, (size_t)16 << 30));
  check(mdb_env_open(environment, workload.path, MDB_NOSUBDIR | (synced ? 0 : MDB_NOSYNC), 0600));
  MDB_txn *transaction = begin(0);
  check(mdb_dbi_open(transaction, NULL, 0, &table));
  check(mdb_txn_commit(transaction));
}

static void put(MDB_txn *transaction, const unsigned char *key) {
  MDB_val name = {.mv_size = key_size, .mv_data = (void *)key}, data = {.mv_size = value_size, .mv_data = value};
  check(mdb_put(transaction, table, &name, &data, 0));
}

static uint64_t get(MDB_txn *transaction, const unsigned char *key) {
  MDB_val name = {.mv_size = key_size, .mv_data = (void *)key}, data;
  check(mdb_get(transaction, table, &name, &data));
  return ((const unsigned char *)data.mv_data)[data.mv_size / 2];
}

// In one transaction, each key with the cursor that the last one left, which spares LMDB a descent for keys in order.
static void insert(bool random) {
  make_keys(0, workload.entries, random, false);
  open_environment(false);
  measure_begin();
  MDB_txn *transaction = begin(0);
  MDB_cursor *cursor;
  check(mdb_cursor_open(transaction, table, &cursor));
  for (uint64_t index = 0; index < workload.entries; index++) {
    MDB_val name = {.mv_size = key_size, .mv_data = keys[index]}, data = {.mv_size = value_size, .mv_data = value};
    check(mdb_cursor_put(cursor, &name, &data, 0));
  }
  check(mdb_txn_commit(transaction));
  measure_end();
  mdb_env_close(environment);
}

static void *get_all(void *unused) {
  uint64_t sum = 0;
  MDB_txn *transaction = begin(MDB_RDONLY);
  for (uint64_t index = 0; index < workload.entries; index++) sum += get(transaction, keys[index]);
  mdb_txn_abort(transaction);
  if (sum == 0) abort();
  return unused;
}

static void in_threads(void *(*body)(void *)) {
  pthread_t threads[64];
  for (uint64_t index = 1; index < workload.threads; index++) pthread_create(&threads[index], NULL, body, NULL);
  body(NULL);
  for (uint64_t index = 1; index < workload.threads; index++) pthread_join(threads[index], NULL);
}

static void *scan(void *unused) {
  MDB_txn *transaction = begin(MDB_RDONLY);
  MDB_cursor *cursor;
  MDB_val name, data;
  uint64_t sum = 0, count = 0;
  check(mdb_cursor_open(transaction, table, &cursor));
  int status = mdb_cursor_get(cursor, &name, &data, MDB_FIRST);
  for (; status == MDB_SUCCESS; status = mdb_cursor_get(cursor, &name, &data, MDB_NEXT)) {
    sum += ((const unsigned char *)name.mv_data)[0] + ((const unsigned char *)data.mv_data)[data.mv_size / 2];
    count++;
  }
  mdb_cursor_close(cursor);
  mdb_txn_abort(transaction);
  if (sum == 0 || count != workload.entries) abort();
  return unused;
}

static void delete_all(void) {
  MDB_txn *transaction = begin(0);
  for (uint64_t index = 0; index < workload.entries; index++) {
    MDB_val name = {.mv_size = key_size, .mv_data = keys[index]};
    check(mdb_del(transaction, table, &name, NULL));
  }
  check(mdb_txn_commit(transaction));
}

static void put_each(void) {
  for (uint64_t index = 0; index < workload.operations; index++) {
    MDB_txn *transaction = begin(0);
    put(transaction, keys[index]);
    check(mdb_txn_commit(transaction));
  }
}

static void begin_snapshots(void) {
  MDB_txn *transaction = begin(MDB_RDONLY);
  for (uint64_t index = 0; index < workload.operations; index++) {
    mdb_txn_reset(transaction);
    check(mdb_txn_renew(transaction));
  }
  mdb_txn_abort(transaction);
}

// Dies in the middle of a transaction, with commits behind it that weren't synced.
static void crash(void) {
  make_keys(workload.entries, 1000, true, false);
  workload.operations = 100;
  open_environment(false);
  put_each();
  MDB_txn *transaction = begin(0);
  for (int index = 100; index < 1000; index++) put(transaction, keys[index]);
  kill(getpid(), SIGKILL);
}

static void open_and_get(void) {
  make_keys(workload.entries / 2, 1, false, false);
  measure_begin();
  open_environment(false);
  MDB_txn *transaction = begin(MDB_RDONLY);
  get(transaction, keys[0]);
  mdb_txn_abort(transaction);
  mdb_env_close(environment);
  measure_end();
}

int main(int count, char **words) {
  workload = parse_workload(count, words);
  uint64_t operations = workload.entries;
  if (is_mode(&workload, "insert-sequential") || is_mode(&workload, "insert-random")) {
    insert(is_mode(&workload, "insert-random"));
  } else if (is_mode(&workload, "get") || is_mode(&workload, "scan")) {
    void *(*body)(void *) = is_mode(&workload, "get") ? get_all : scan;
    operations *= workload.threads;
    make_keys(0, workload.entries, true, true);
    open_environment(false);
    body(NULL);
    measure_begin();
    in_threads(body);
    measure_end();
  } else if (is_mode(&workload, "delete")) {
    make_keys(0, workload.entries, true, true);
    open_environment(false);
    measure_begin();
    delete_all();
    measure_end();
  } else if (is_mode(&workload, "durable") || is_mode(&workload, "update")) {
    bool synced = is_mode(&workload, "durable");
    make_keys(synced ? workload.entries : 0, synced ? workload.operations : workload.entries, true, true);
    open_environment(synced);
    MDB_txn *pinned = workload.pinned ? begin(MDB_RDONLY) : NULL;
    measure_begin();
    put_each();
    measure_end();
    if (pinned != NULL) mdb_txn_abort(pinned);
    operations = workload.operations;
  } else if (is_mode(&workload, "snapshot")) {
    open_environment(false);
    measure_begin();
    begin_snapshots();
    measure_end();
    operations = workload.operations;
  } else if (is_mode(&workload, "crash")) {
    crash();
  } else if (is_mode(&workload, "open")) {
    open_and_get();
    operations = 1;
  } else {
    fprintf(stderr, "lmdb insert-sequential|insert-random|get|scan|delete|durable|update|snapshot|crash|open FILE ENTRIES [OPERATIONS]\n");
    return 2;
  }
  measure_report(operations, 0);
  return 0;
}
