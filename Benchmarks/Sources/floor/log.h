// The floor's file: 8 KiB of header with two words in it, then frames.
#ifndef ANTEROOM_LOG_H
#define ANTEROOM_LOG_H

#include "frame.h"

struct log {
  int file;
  uint8_t *header;
  uint8_t *window;  // NULL, or a part of the file that holds what is being appended
  uint64_t window_start, window_size;
  struct sealer sealer;
  bool synced, sealed;
  uint64_t setup_ns;  // libsodium's own start
};

/// A new file with nothing in it.
void log_make(const char *path);
/// Lists the directory, asks whether the machine was restarted, opens and maps the header.
void log_open(struct log *log, const char *path, uint64_t window_size, bool synced, bool sealed);
void log_lock(struct log *log, bool wait);
void log_unlock(struct log *log);
/// The caller holds the lock, or is the file's only writer.
void log_append(struct log *log);
void log_close(struct log *log);

/// Checks and opens every frame. Returns how many there are.
uint64_t log_drain(struct log *log);

/// Opens, appends one and closes without a mapping: for one record two mappings and their page faults are dearer than
/// four reads and writes. Shows what is left to gain; the floor proper maps, since readers share the words.
void log_append_unmapped(const char *path, bool sealed, uint64_t *setup_ns);

#endif
