// LMDB as a key-value log: one put a transaction; a read renews its transaction, and so sees what other processes wrote.
#include <lmdb.h>

#include "workload.h"

static MDB_env *environment;
static MDB_dbi table;
static MDB_txn *reading, *filling;

static void check(int status) {
  if (status == MDB_SUCCESS) return;
  fprintf(stderr, "lmdb: %s\n", mdb_strerror(status));
  exit(1);
}

void store_open(const struct arguments *arguments, bool is_new) {
  (void)is_new;
  MDB_txn *transaction;
  check(mdb_env_create(&environment));
  check(mdb_env_set_mapsize(environment, (size_t)4 << 30));
  check(mdb_env_open(environment, arguments->path, MDB_NOSUBDIR | (arguments->synced ? 0 : MDB_NOSYNC), 0600));
  check(mdb_txn_begin(environment, NULL, 0, &transaction));
  check(mdb_dbi_open(transaction, NULL, 0, &table));
  check(mdb_txn_commit(transaction));
}

static void put(MDB_txn *transaction, const char *key, const uint8_t *value) {
  MDB_val name = {.mv_size = key_size, .mv_data = (void *)(uintptr_t)key};
  MDB_val data = {.mv_size = value_size_of_log, .mv_data = (void *)(uintptr_t)value};
  check(mdb_put(transaction, table, &name, &data, 0));
}

void store_set(const char *key, const uint8_t *value) {
  if (filling != NULL) {
    put(filling, key, value);
    return;
  }
  MDB_txn *transaction;
  check(mdb_txn_begin(environment, NULL, 0, &transaction));
  put(transaction, key, value);
  check(mdb_txn_commit(transaction));
}

uint64_t store_get(const char *key) {
  MDB_val name = {.mv_size = key_size, .mv_data = (void *)(uintptr_t)key}, data;
  if (reading == NULL) {
    check(mdb_txn_begin(environment, NULL, MDB_RDONLY, &reading));
  } else {
    check(mdb_txn_renew(reading));
  }
  check(mdb_get(reading, table, &name, &data));
  uint64_t first = *(const uint8_t *)data.mv_data;
  mdb_txn_reset(reading);
  return first;
}

void store_begin_filling(void) { check(mdb_txn_begin(environment, NULL, 0, &filling)); }
void store_end_filling(void) {
  check(mdb_txn_commit(filling));
  filling = NULL;
  check(mdb_env_sync(environment, 1));
}
void store_close(void) {
  if (reading != NULL) mdb_txn_abort(reading);
  mdb_env_close(environment);
}

int main(int count, char **words) { return run_workload(count, words); }
