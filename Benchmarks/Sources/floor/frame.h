// A record of the floor: as many bytes, and as much work on them, as one of the mailbox.
#ifndef ANTEROOM_FRAME_H
#define ANTEROOM_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { header_size = 120, id_size = 24, value_size = 200, tag_size = 16, frame_size_max = 360 };

struct sealer {
  uint8_t writer_id[16];
  uint8_t *subkey;  // in a guarded page, as a key has to be
  uint64_t counter;
};

/// Draws the writer's id and derives its subkey: two HMACs for the subkey and one for the check of the key.
/// Returns the nanoseconds that libsodium's own start took.
uint64_t sealer_start(struct sealer *sealer);

/// Writes the frame that belongs at `offset`; the value is sealed on its way and never stands there in plain.
/// `sealer` is NULL for a plain one. Returns its size.
size_t frame_write(uint8_t *frame, uint64_t offset, uint64_t sequence, struct sealer *sealer);

/// Checks the frame at `offset`, of which `available` bytes are there, and opens it where it is sealed.
/// Returns its size, or 0 when it is damaged.
size_t frame_read(const uint8_t *frame, uint64_t offset, size_t available, struct sealer *sealer);

#endif
