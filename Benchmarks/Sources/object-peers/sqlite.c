// The object workloads with SQLite, and with SQLCipher where it is compiled against that: a table with two indexes, WAL, a cache that
// holds all of it, statements prepared once, one read transaction around reads. `durable` and `compact` are synchronous=FULL, the rest OFF.
#include <sqlite3.h>

#include "messages.h"

static sqlite3 *database;

static void check(int status, int expected) {
  if (status == expected) return;
  fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static void execute(const char *statement) { check(sqlite3_exec(database, statement, NULL, NULL, NULL), SQLITE_OK); }

static sqlite3_stmt *prepare(const char *text) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(database, text, -1, &statement, NULL), SQLITE_OK);
  return statement;
}

static void open_database(bool synced) {
  char pragma[64];
  check(sqlite3_open_v2(workload.path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL), SQLITE_OK);
  if (workload.sealed) execute("PRAGMA key = \"x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'\"");
  // Its own default is pages of 1,024 bytes, and everything slower.
  if (workload.sealed) execute("PRAGMA cipher_page_size = 4096");
  snprintf(pragma, sizeof pragma, "PRAGMA cache_size = -%llu", (unsigned long long)(workload.messages + 4096));
  execute(pragma);
  execute("PRAGMA journal_mode = WAL");
  execute(synced ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF");
  execute("CREATE TABLE IF NOT EXISTS messages(id TEXT PRIMARY KEY NOT NULL, conversation TEXT NOT NULL, sent_at REAL NOT NULL, "
          "body TEXT NOT NULL, is_read INTEGER NOT NULL, size INTEGER NOT NULL)");
  execute("CREATE INDEX IF NOT EXISTS by_conversation ON messages(conversation, sent_at)");
  execute("CREATE INDEX IF NOT EXISTS by_time ON messages(sent_at)");
}

static void bind_text(sqlite3_stmt *statement, int column, const char *text, int size) {
  check(sqlite3_bind_text(statement, column, text, size, SQLITE_STATIC), SQLITE_OK);
}

static void finish(sqlite3_stmt *statement) {
  check(sqlite3_step(statement), SQLITE_DONE);
  check(sqlite3_reset(statement), SQLITE_OK);
}

static void insert(sqlite3_stmt *statement, const struct message *message) {
  bind_text(statement, 1, message->id, id_size);
  bind_text(statement, 2, message->conversation, name_size);
  check(sqlite3_bind_double(statement, 3, message->sent_at), SQLITE_OK);
  bind_text(statement, 4, message->body, body_size);
  check(sqlite3_bind_int(statement, 5, message->is_read), SQLITE_OK);
  check(sqlite3_bind_int64(statement, 6, message->size), SQLITE_OK);
  finish(statement);
}

static sqlite3_stmt *insertion(void) { return prepare("INSERT INTO messages VALUES(?, ?, ?, ?, ?, ?)"); }

// Each `operations` transactions of `batch`.
static void insert_each(uint64_t operations, uint64_t batch) {
  sqlite3_stmt *statement = insertion();
  sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE"), *commit = prepare("COMMIT");
  for (uint64_t operation = 0; operation < operations; operation++) {
    finish(begin);
    for (uint64_t index = operation * batch; index < (operation + 1) * batch; index++) insert(statement, &messages[index]);
    finish(commit);
  }
  sqlite3_finalize(begin);
  sqlite3_finalize(commit);
  sqlite3_finalize(statement);
}

static uint64_t text_size(sqlite3_stmt *statement, int column) {
  return sqlite3_column_text(statement, column) == NULL ? 0 : (uint64_t)sqlite3_column_bytes(statement, column);
}

// All columns of a row, in their order in the table.
static uint64_t weight(sqlite3_stmt *statement) {
  return text_size(statement, 0) + text_size(statement, 1) + (uint64_t)sqlite3_column_double(statement, 2) + text_size(statement, 3) +
         (uint64_t)sqlite3_column_int(statement, 4) + (uint64_t)sqlite3_column_int64(statement, 5);
}

static void read_rows(sqlite3_stmt *statement, uint64_t expected) {
  uint64_t sum = 0, count = 0;
  for (; sqlite3_step(statement) == SQLITE_ROW; count++) sum += weight(statement);
  require(sum > 0 && count == expected);
  check(sqlite3_reset(statement), SQLITE_OK);
}

static void read_count(sqlite3_stmt *statement, uint64_t expected) {
  check(sqlite3_step(statement), SQLITE_ROW);
  require((uint64_t)sqlite3_column_int64(statement, 0) == expected);
  check(sqlite3_reset(statement), SQLITE_OK);
}

static sqlite3_stmt *reading;

// A pass of a reading workload. - Returns: how many operations it was.
static uint64_t read_once(void) {
  char name[name_size + 1];
  if (is_mode("look-up")) {
    uint64_t sum = 0;
    for (uint64_t index = 0; index < workload.messages; index++) {
      bind_text(reading, 1, ids[index], id_size);
      check(sqlite3_step(reading), SQLITE_ROW);
      sum += text_size(reading, 0);
      check(sqlite3_reset(reading), SQLITE_OK);
    }
    require(sum == body_size * workload.messages);
    return workload.messages;
  }
  if (is_mode("scan")) {
    read_rows(reading, workload.messages);
    return workload.messages;
  }
  for (uint64_t index = 0; index < workload.operations; index++) {
    make_conversation(name, shuffled(index, conversation_count));
    if (is_mode("last-50") || is_mode("count-conversation")) bind_text(reading, 1, name, name_size);
    if (is_mode("last-50") || is_mode("newest-50") || is_mode("sort")) read_rows(reading, 50);
    if (is_mode("count-conversation")) read_count(reading, workload.messages / conversation_count);
    if (is_mode("count-unread")) read_count(reading, workload.messages / 2);
    if (is_mode("search")) read_count(reading, workload.messages / 100);
  }
  return workload.operations;
}

static const char *query(void) {
  if (is_mode("look-up")) return "SELECT body FROM messages WHERE id = ?";
  if (is_mode("last-50")) return "SELECT * FROM messages WHERE conversation = ? ORDER BY sent_at DESC LIMIT 50";
  if (is_mode("newest-50")) return "SELECT * FROM messages ORDER BY sent_at DESC LIMIT 50";
  if (is_mode("count-conversation")) return "SELECT count(*) FROM messages WHERE conversation = ?";
  if (is_mode("count-unread")) return "SELECT count(*) FROM messages WHERE NOT is_read";
  if (is_mode("search")) return "SELECT count(*) FROM messages WHERE instr(body, 'needle')";
  if (is_mode("sort")) return "SELECT * FROM messages ORDER BY size LIMIT 50";
  if (is_mode("scan")) return "SELECT * FROM messages";
  return NULL;
}

static uint64_t read_all(void) {
  if (is_mode("look-up")) make_shuffled_ids();
  open_database(false);
  reading = prepare(query());
  execute("BEGIN");
  read_once();
  measure_begin();
  uint64_t operations = read_once();
  measure_end();
  execute("COMMIT");
  sqlite3_finalize(reading);
  return operations;
}

static void update(void) {
  sqlite3_stmt *statement = prepare("UPDATE messages SET is_read = ? WHERE id = ?");
  execute("BEGIN IMMEDIATE");
  for (uint64_t index = 0; index < workload.operations; index++) {
    const struct message *message = &messages[shuffled(index, workload.messages)];
    check(sqlite3_bind_int(statement, 1, !message->is_read), SQLITE_OK);
    bind_text(statement, 2, message->id, id_size);
    finish(statement);
  }
  execute("COMMIT");
  sqlite3_finalize(statement);
}

int main(int count, char **words) {
  parse_workload(count, words);
  uint64_t operations = workload.operations;
  if (query() != NULL) {
    operations = read_all();
  } else if (is_mode("insert")) {
    make_messages(0, workload.messages);
    open_database(false);
    measure_begin();
    insert_each(1, workload.messages);
    measure_end();
    operations = workload.messages;
  } else if (is_mode("durable")) {
    make_messages(workload.messages, workload.operations * workload.batch);
    open_database(true);
    measure_begin();
    insert_each(workload.operations, workload.batch);
    measure_end();
  } else if (is_mode("update")) {
    make_messages(0, workload.messages);
    open_database(false);
    measure_begin();
    update();
    measure_end();
  } else if (is_mode("delete-half")) {
    open_database(false);
    measure_begin();
    execute("DELETE FROM messages WHERE size < 500000");
    measure_end();
    operations = (uint64_t)sqlite3_changes(database);
  } else if (is_mode("compact")) {
    open_database(true);
    measure_begin();
    execute("VACUUM");
    execute("PRAGMA wal_checkpoint(TRUNCATE)");
    measure_end();
    operations = 1;
  } else {
    fprintf(stderr, "sqlite insert|durable|look-up|last-50|newest-50|count-conversation|count-unread|search|sort|scan|update|delete-half|"
                    "compact FILE MESSAGES [OPERATIONS] [--sealed] [--batch N]\n");
    return 2;
  }
  check(sqlite3_close(database), SQLITE_OK);
  measure_report(operations, 0);
  return 0;
}
