/*
 * Anteroom for C: appending to a mailbox, and a key-value log.
 *
 *   cc helper.c -I include -L . -lAnteroomMailbox -lsodium -lz -o helper
 *
 * One static archive, this header, libsodium and zlib; no Swift, no runtime and no threads of its own.
 *
 * Every function that can fail returns ANTEROOM_OK or one of the codes below, which never change their meaning, and fills
 * `error` unless that is NULL. Unless a code's comment says otherwise, files are then as they were before the call.
 *
 * Texts are UTF-8 and end with a zero; other bytes go with a count. Nothing that is passed in is kept after the call. Times out
 * are milliseconds.
 *
 * A handle may be used by any number of threads at once, and a file by any number of processes. After fork() the child opens
 * handles of its own: the parent's answer ANTEROOM_FORKED_HANDLE there. No lock outlives a call.
 */
#ifndef ANTEROOM_MAILBOX_H
#define ANTEROOM_MAILBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* MARK: Errors */

enum {
  ANTEROOM_OK = 0,
  ANTEROOM_NOT_FOUND = 1,            /* nothing has this path */
  ANTEROOM_NOT_A_LOG = 2,            /* not a file of this library, or not the kind that was asked for */
  ANTEROOM_UNSUPPORTED_VERSION = 3,  /* a newer build wrote the file */
  ANTEROOM_KEY_REQUIRED = 4,         /* the file is encrypted, and no key was given */
  ANTEROOM_KEY_NOT_EXPECTED = 5,     /* a key was given for a plain file */
  ANTEROOM_WRONG_KEY = 6,
  ANTEROOM_KEY_CHANGED = 7,          /* another process gave the file another key: open it anew */
  ANTEROOM_INVALID_KEY_LENGTH = 8,   /* an encryption key has 32 or 64 bytes */
  ANTEROOM_CORRUPTED = 9,            /* bytes aren't what their checksum or tag says */
  ANTEROOM_TYPE_MISMATCH = 10,       /* a value is stored as another type */
  ANTEROOM_INVALID_KEY = 11,         /* an empty key or id */
  ANTEROOM_KEY_TOO_LARGE = 12,       /* a key or an id has over 1,024 bytes, or a field's name over 65,535 */
  ANTEROOM_RECORD_TOO_LARGE = 13,    /* id and value together are over the limit */
  ANTEROOM_FULL = 14,                /* the capacity is used up */
  ANTEROOM_NO_SPACE = 15,            /* the device or the quota is full */
  ANTEROOM_BUSY = 16,                /* no lock within the timeout */
  ANTEROOM_DEADLINE_EXCEEDED = 17,   /* the caller's timeout passed: nothing was appended */
  ANTEROOM_PROTECTED_DATA = 18,      /* the device hasn't been unlocked since it started; nothing is wrong with the file */
  ANTEROOM_READ_ONLY = 19,           /* the handle, or the file system, is for reading only */
  ANTEROOM_SUSPENDED = 20,
  ANTEROOM_CLOSED = 21,
  ANTEROOM_FORKED_HANDLE = 22,       /* opened by the parent of this process */
  ANTEROOM_FAILED_EARLIER = 23,      /* a sync of this handle failed before: close it and open anew */
  ANTEROOM_SYSTEM = 24,              /* a system call failed, see system_errno; after a failed sync the entry is there, and may
                                        not survive a loss of power */
  ANTEROOM_MISSING_FIELD = 25,
  ANTEROOM_INVALID_ARGUMENT = 100,   /* NULL where something is needed, or a text that isn't UTF-8 */
  ANTEROOM_BUFFER_TOO_SMALL = 101    /* the value didn't fit; its byte count was stored */
};

typedef struct anteroom_error {
  int32_t code;         /* what was returned */
  int32_t system_errno; /* of ANTEROOM_SYSTEM; else 0 */
  char message[256];    /* one sentence for people: what, where, and what is true now */
} anteroom_error;

/* The name of a code, such as "ANTEROOM_WRONG_KEY"; never NULL. */
const char *anteroom_code_name(int32_t code);

/* MARK: Options */

enum {
  ANTEROOM_DURABILITY_DEFAULT = 0,       /* of a mailbox, POWER_LOSS; of a log, PROCESS_CRASH */
  ANTEROOM_DURABILITY_PROCESS_CRASH = 1, /* what was written survives the death of the process at any instant; no sync */
  ANTEROOM_DURABILITY_POWER_LOSS = 2     /* and a loss of power: one sync a call */
};

/* All zeros are the defaults: `anteroom_options options = {0};` */
typedef struct anteroom_options {
  const uint8_t *key;       /* NULL: a plain file */
  size_t key_byte_count;    /* 32 or 64 */
  bool is_write_only;       /* of a mailbox: the key is the public half of a pair, 32 bytes, and reads nothing */
  uint64_t capacity;        /* bytes on disk; 0: 256 MiB for a mailbox, none for a log */
  uint64_t record_byte_count_max; /* id and value together; 0: 16 MiB */
  uint32_t lock_timeout_ms; /* 0: a second */
  uint8_t durability;
  bool drops_oldest;        /* at the capacity, instead of ANTEROOM_FULL */
  bool is_group_writable;   /* files 0660 and directories 2770, for processes of several users that share a group */
  bool is_read_only;        /* of a log: writes nothing, makes nothing, takes no lock */
  bool must_exist;          /* ANTEROOM_NOT_FOUND instead of making it */
} anteroom_options;

/* MARK: A mailbox, the helper's end */

typedef struct anteroom_mailbox anteroom_mailbox;
typedef struct anteroom_fields anteroom_fields;

/* Where an entry is, for good: the id of its segment, and its number there. */
typedef struct anteroom_position {
  uint64_t segment_high, segment_low;
  uint64_t sequence;
} anteroom_position;

/* Opens a mailbox, a directory named *.mailbox. `options` may be NULL. What is stored is to be closed once. */
int32_t anteroom_mailbox_open(const char *directory, const anteroom_options *options, anteroom_mailbox **mailbox,
                              anteroom_error *error);

/* Appends an entry: 1 to 1,024 bytes of id, and a payload, which may be NULL with a count of 0. `timeout_ms` 0: no deadline.
 * `position` may be NULL. On ANTEROOM_OK the entry is there, as durably as the options say; it waits for no other process. */
int32_t anteroom_mailbox_append(anteroom_mailbox *mailbox, const char *id, const void *payload, size_t byte_count,
                                uint32_t timeout_ms, anteroom_position *position, anteroom_error *error);

/* The same with named, typed fields, which tools can show. `fields` stays the caller's. `schema_version` is the app's own; 0: none. */
int32_t anteroom_mailbox_append_fields(anteroom_mailbox *mailbox, const char *id, uint32_t schema_version,
                                       const anteroom_fields *fields, uint32_t timeout_ms, anteroom_position *position,
                                       anteroom_error *error);

/* How many entries nobody has acknowledged. */
int32_t anteroom_mailbox_pending_count(anteroom_mailbox *mailbox, uint64_t *count, anteroom_error *error);

/* What this handle appended before survives a loss of power from here on. */
int32_t anteroom_mailbox_synchronize(anteroom_mailbox *mailbox, anteroom_error *error);

/* Closes the files and frees the handle; NULL does nothing. No other thread may be in a call with it. */
void anteroom_mailbox_close(anteroom_mailbox *mailbox);

/* MARK: Fields of an entry */

/* No fields yet; to be freed. Not for several threads at once. What is wrong with a field, a name that is empty or too long or a
 * text that isn't UTF-8, is told by the append. A field that is set again has the newer value. */
anteroom_fields *anteroom_fields_new(void);
void anteroom_fields_set_string(anteroom_fields *fields, const char *name, const char *value);
void anteroom_fields_set_bytes(anteroom_fields *fields, const char *name, const void *value, size_t byte_count);
void anteroom_fields_set_int64(anteroom_fields *fields, const char *name, int64_t value);
void anteroom_fields_set_uint64(anteroom_fields *fields, const char *name, uint64_t value);
void anteroom_fields_set_double(anteroom_fields *fields, const char *name, double value);
void anteroom_fields_set_bool(anteroom_fields *fields, const char *name, bool value);
/* A time, in seconds since 1970. */
void anteroom_fields_set_time(anteroom_fields *fields, const char *name, double seconds_since_1970);
void anteroom_fields_free(anteroom_fields *fields);

/* MARK: A key-value log */

typedef struct anteroom_log anteroom_log;

/* Opens a log, a file named *.kvlog. `options` may be NULL. What is stored is to be closed once. */
int32_t anteroom_log_open(const char *path, const anteroom_options *options, anteroom_log **log, anteroom_error *error);

/* Values have a type, and are read as the type that they were set as; ANTEROOM_TYPE_MISMATCH otherwise. `expires_after_ms` 0:
 * never. Keys have 1 to 1,024 bytes. */
int32_t anteroom_log_set_string(anteroom_log *log, const char *key, const char *value, uint64_t expires_after_ms,
                                anteroom_error *error);
int32_t anteroom_log_set_bytes(anteroom_log *log, const char *key, const void *value, size_t byte_count,
                               uint64_t expires_after_ms, anteroom_error *error);
int32_t anteroom_log_set_int64(anteroom_log *log, const char *key, int64_t value, uint64_t expires_after_ms,
                               anteroom_error *error);
int32_t anteroom_log_set_double(anteroom_log *log, const char *key, double value, uint64_t expires_after_ms,
                                anteroom_error *error);
int32_t anteroom_log_set_bool(anteroom_log *log, const char *key, bool value, uint64_t expires_after_ms,
                              anteroom_error *error);

/* `is_found` is set to whether the key is there; the value is stored only then. Reads see what any process has set, take no lock,
 * and once the file is mapped make no system call. */
int32_t anteroom_log_get_int64(anteroom_log *log, const char *key, int64_t *value, bool *is_found, anteroom_error *error);
int32_t anteroom_log_get_double(anteroom_log *log, const char *key, double *value, bool *is_found, anteroom_error *error);
int32_t anteroom_log_get_bool(anteroom_log *log, const char *key, bool *value, bool *is_found, anteroom_error *error);

/* A value of bytes, or a text, without a zero behind it. Stores the byte count of the value, and its bytes when they fit into
 * `capacity`, else nothing and ANTEROOM_BUFFER_TOO_SMALL; `buffer` may be NULL with a capacity of 0 to ask for the count. */
int32_t anteroom_log_get_bytes(anteroom_log *log, const char *key, void *buffer, size_t capacity, size_t *byte_count,
                               bool *is_found, anteroom_error *error);
int32_t anteroom_log_get_string(anteroom_log *log, const char *key, char *buffer, size_t capacity, size_t *byte_count,
                                bool *is_found, anteroom_error *error);

int32_t anteroom_log_contains(anteroom_log *log, const char *key, bool *is_found, anteroom_error *error);

/* `was_there` may be NULL. */
int32_t anteroom_log_remove(anteroom_log *log, const char *key, bool *was_there, anteroom_error *error);

/* What this handle wrote before survives a loss of power from here on. */
int32_t anteroom_log_synchronize(anteroom_log *log, anteroom_error *error);

/* Closes the file and frees the handle; NULL does nothing. No other thread may be in a call with it. */
void anteroom_log_close(anteroom_log *log);

#ifdef __cplusplus
}
#endif

#endif
