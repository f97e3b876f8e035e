// The object workloads with LMDB by hand: messages by their ids, packed; the ids of each conversation by time, as the sorted values of
// one key; the ids of all by time. What need not survive power loss is MDB_NOSYNC.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <lmdb.h>

#include "messages.h"

// A packed message: time, size, flag, and texts of known lengths.
enum { at_time = 0, at_size = 8, at_flag = 16, at_name = 17, at_body = at_name + name_size, packed_size = at_body + body_size };
enum { time_size = 8, entry_size = time_size + id_size };

static MDB_env *environment;
static MDB_dbi rows, by_conversation, by_time;

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

static MDB_cursor *open_cursor(MDB_txn *transaction, MDB_dbi table) {
  MDB_cursor *cursor;
  check(mdb_cursor_open(transaction, table, &cursor));
  return cursor;
}

static void open_environment(bool synced) {
  check(mdb_env_create(&environment));
  check(mdb_env_set_mapsize(environment, (size_t)16 << 30));
  check(mdb_env_set_maxdbs(environment, 3));
  check(mdb_env_open(environment, workload.path, MDB_NOSUBDIR | (synced ? 0 : MDB_NOSYNC), 0600));
  MDB_txn *transaction = begin(0);
  check(mdb_dbi_open(transaction, "rows", MDB_CREATE, &rows));
  check(mdb_dbi_open(transaction, "conversation", MDB_CREATE | MDB_DUPSORT | MDB_DUPFIXED, &by_conversation));
  check(mdb_dbi_open(transaction, "time", MDB_CREATE, &by_time));
  check(mdb_txn_commit(transaction));
}

// Times are not negative here, so their bits have their order.
static void make_entry(unsigned char *entry, double time, const void *id) {
  uint64_t bits;
  memcpy(&bits, &time, sizeof bits);
  bits = __builtin_bswap64(bits);
  memcpy(entry, &bits, sizeof bits);
  memcpy(entry + time_size, id, id_size);
}

static MDB_val value_of(const void *bytes, size_t size) { return (MDB_val){.mv_size = size, .mv_data = (void *)bytes}; }

static void insert(MDB_txn *transaction, const struct message *message) {
  unsigned char packed[packed_size], entry[entry_size];
  memcpy(packed + at_time, &message->sent_at, 8);
  memcpy(packed + at_size, &message->size, 8);
  packed[at_flag] = message->is_read;
  memcpy(packed + at_name, message->conversation, name_size);
  memcpy(packed + at_body, message->body, body_size);
  make_entry(entry, message->sent_at, message->id);
  MDB_val id = value_of(message->id, id_size), row = value_of(packed, packed_size);
  MDB_val name = value_of(message->conversation, name_size), place = value_of(entry, entry_size), nothing = value_of("", 0);
  check(mdb_put(transaction, rows, &id, &row, MDB_NOOVERWRITE));
  check(mdb_put(transaction, by_conversation, &name, &place, 0));
  check(mdb_put(transaction, by_time, &place, &nothing, 0));
}

static void insert_each(uint64_t operations, uint64_t batch) {
  for (uint64_t operation = 0; operation < operations; operation++) {
    MDB_txn *transaction = begin(0);
    for (uint64_t index = operation * batch; index < (operation + 1) * batch; index++) insert(transaction, &messages[index]);
    check(mdb_txn_commit(transaction));
  }
}

static int64_t size_of(const unsigned char *row) {
  int64_t size;
  memcpy(&size, row + at_size, sizeof size);
  return size;
}

static uint64_t weight(const MDB_val *row) {
  const unsigned char *bytes = row->mv_data;
  double time;
  memcpy(&time, bytes + at_time, sizeof time);
  return (uint64_t)time + (uint64_t)size_of(bytes) + bytes[at_flag] + bytes[at_name] + bytes[at_body];
}

static uint64_t read_by_id(MDB_txn *transaction, const void *id) {
  MDB_val key = value_of(id, id_size), row;
  check(mdb_get(transaction, rows, &key, &row));
  return weight(&row);
}

static void read_last_of(MDB_cursor *cursor, const char *name) {
  MDB_val key = value_of(name, name_size), entry;
  uint64_t sum = 0;
  int count = 0;
  check(mdb_cursor_get(cursor, &key, &entry, MDB_SET_KEY));
  int status = mdb_cursor_get(cursor, &key, &entry, MDB_LAST_DUP);
  for (; status == MDB_SUCCESS && count < 50; status = mdb_cursor_get(cursor, &key, &entry, MDB_PREV_DUP), count++)
    sum += read_by_id(mdb_cursor_txn(cursor), (const unsigned char *)entry.mv_data + time_size);
  require(sum > 0 && count == 50);
}

static void read_newest(MDB_cursor *cursor) {
  MDB_val key, nothing;
  uint64_t sum = 0;
  int count = 0;
  int status = mdb_cursor_get(cursor, &key, &nothing, MDB_LAST);
  for (; status == MDB_SUCCESS && count < 50; status = mdb_cursor_get(cursor, &key, &nothing, MDB_PREV), count++)
    sum += read_by_id(mdb_cursor_txn(cursor), (const unsigned char *)key.mv_data + time_size);
  require(sum > 0 && count == 50);
}

static void count_conversation(MDB_cursor *cursor, const char *name) {
  MDB_val key = value_of(name, name_size), entry;
  size_t count;
  check(mdb_cursor_get(cursor, &key, &entry, MDB_SET_KEY));
  check(mdb_cursor_count(cursor, &count));
  require(count == workload.messages / conversation_count);
}

// The first fifty by size, kept in order.
static int64_t first[51];
static void keep(int64_t size, int *count) {
  if (*count == 50 && size >= first[49]) return;
  int place = *count < 50 ? (*count)++ : 49;
  for (; place > 0 && first[place - 1] > size; place--) first[place] = first[place - 1];
  first[place] = size;
}

// One pass over all messages. - Returns: how many were found.
static uint64_t walk(MDB_cursor *cursor) {
  MDB_val key, row;
  uint64_t found = 0, sum = 0;
  int kept = 0;
  bool counts = is_mode("count-unread"), searches = is_mode("search"), sorts = is_mode("sort");
  int status = mdb_cursor_get(cursor, &key, &row, MDB_FIRST);
  for (; status == MDB_SUCCESS; status = mdb_cursor_get(cursor, &key, &row, MDB_NEXT)) {
    const unsigned char *bytes = row.mv_data;
    if (counts) {
      found += !bytes[at_flag];
    } else if (searches) {
      found += memmem(bytes + at_body, body_size, needle, sizeof needle - 1) != NULL;
    } else if (sorts) {
      keep(size_of(bytes), &kept);
    } else {
      sum += weight(&row) + ((const unsigned char *)key.mv_data)[0];
      found++;
    }
  }
  require(sum > 0 || counts || searches || sorts);
  return sorts ? (uint64_t)kept : found;
}

// A pass of a reading workload. - Returns: how many operations it was.
static uint64_t read_once(MDB_txn *transaction) {
  char name[name_size + 1];
  if (is_mode("look-up")) {
    uint64_t sum = 0;
    for (uint64_t index = 0; index < workload.messages; index++)
      sum += read_by_id(transaction, ids[index]);
    require(sum > 0);
    return workload.messages;
  }
  bool is_indexed = is_mode("last-50") || is_mode("count-conversation");
  MDB_cursor *cursor = open_cursor(transaction, is_indexed ? by_conversation : is_mode("newest-50") ? by_time : rows);
  uint64_t operations = is_mode("scan") ? 1 : workload.operations;
  for (uint64_t index = 0; index < operations; index++) {
    if (is_indexed) make_conversation(name, shuffled(index, conversation_count));
    if (is_mode("last-50")) read_last_of(cursor, name);
    if (is_mode("count-conversation")) count_conversation(cursor, name);
    if (is_mode("newest-50")) read_newest(cursor);
    if (is_mode("count-unread")) require(walk(cursor) == workload.messages / 2);
    if (is_mode("search")) require(walk(cursor) == workload.messages / 100);
    if (is_mode("sort")) require(walk(cursor) == 50);
    if (is_mode("scan")) require(walk(cursor) == workload.messages);
  }
  mdb_cursor_close(cursor);
  return is_mode("scan") ? workload.messages : operations;
}

static void update(void) {
  MDB_txn *transaction = begin(0);
  MDB_cursor *cursor = open_cursor(transaction, rows);
  for (uint64_t index = 0; index < workload.operations; index++) {
    unsigned char packed[packed_size];
    MDB_val key = value_of(messages[shuffled(index, workload.messages)].id, id_size), row;
    check(mdb_cursor_get(cursor, &key, &row, MDB_SET_KEY));
    memcpy(packed, row.mv_data, packed_size);
    packed[at_flag] = !packed[at_flag];
    row = value_of(packed, packed_size);
    check(mdb_cursor_put(cursor, &key, &row, MDB_CURRENT));
  }
  check(mdb_txn_commit(transaction));
}

static uint64_t delete_half(void) {
  uint64_t count = 0;
  MDB_txn *transaction = begin(0);
  MDB_cursor *cursor = open_cursor(transaction, rows);
  MDB_val key, row;
  int status = mdb_cursor_get(cursor, &key, &row, MDB_FIRST);
  for (; status == MDB_SUCCESS; status = mdb_cursor_get(cursor, &key, &row, MDB_NEXT)) {
    const unsigned char *bytes = row.mv_data;
    if (size_of(bytes) >= half_size) continue;
    unsigned char entry[entry_size];
    double time;
    memcpy(&time, bytes + at_time, sizeof time);
    make_entry(entry, time, key.mv_data);
    MDB_val name = value_of(bytes + at_name, name_size), place = value_of(entry, entry_size);
    check(mdb_del(transaction, by_conversation, &name, &place));
    check(mdb_del(transaction, by_time, &place, NULL));
    check(mdb_cursor_del(cursor, 0));
    count++;
  }
  check(mdb_txn_commit(transaction));
  return count;
}

static void compact(void) {
  char other[4096];
  snprintf(other, sizeof other, "%s.compacted", workload.path);
  check(mdb_env_copy2(environment, other, MDB_CP_COMPACT));
  require(rename(other, workload.path) == 0);
}

int main(int count, char **words) {
  parse_workload(count, words);
  uint64_t operations = workload.operations;
  if (is_mode("insert") || is_mode("durable")) {
    bool is_durable = is_mode("durable");
    make_messages(is_durable ? workload.messages : 0, is_durable ? operations * workload.batch : workload.messages);
    open_environment(is_durable);
    measure_begin();
    insert_each(is_durable ? operations : 1, is_durable ? workload.batch : workload.messages);
    measure_end();
    if (!is_durable) operations = workload.messages;
  } else if (is_mode("update")) {
    make_messages(0, workload.messages);
    open_environment(false);
    measure_begin();
    update();
    measure_end();
  } else if (is_mode("delete-half")) {
    open_environment(false);
    measure_begin();
    operations = delete_half();
    measure_end();
  } else if (is_mode("compact")) {
    open_environment(true);
    measure_begin();
    compact();
    measure_end();
    operations = 1;
  } else if (workload.messages > 0) {
    if (is_mode("look-up")) make_shuffled_ids();
    open_environment(false);
    MDB_txn *transaction = begin(MDB_RDONLY);
    read_once(transaction);
    measure_begin();
    operations = read_once(transaction);
    measure_end();
    mdb_txn_abort(transaction);
  } else {
    fprintf(stderr, "lmdb insert|durable|look-up|last-50|newest-50|count-conversation|count-unread|search|sort|scan|update|delete-half|"
                    "compact FILE MESSAGES [OPERATIONS] [--batch N]\n");
    return 2;
  }
  mdb_env_close(environment);
  measure_report(operations, 0);
  return 0;
}
