#include "frame.h"

#include <sodium.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "arguments.h"

static const uint8_t key[32] = {7}, salt[32] = {9};

static void derive(struct sealer *sealer, const uint8_t extracted[32]) {
  uint8_t info[17];
  memcpy(info, sealer->writer_id, sizeof sealer->writer_id);
  info[16] = 1;
  crypto_auth_hmacsha256(sealer->subkey, info, sizeof info, extracted);
}

uint64_t sealer_start(struct sealer *sealer) {
  static const uint8_t info = 1;
  uint8_t extracted[32], check[32];
  uint64_t begin = measure_now();
  // Before it libsodium runs its slow portable code.
  if (sodium_init() < 0) give_up("sodium_init");
  sealer->subkey = sodium_malloc(32);
  if (sealer->subkey == NULL) give_up("sodium_malloc");
  uint64_t spent = measure_now() - begin;
  randombytes_buf(sealer->writer_id, sizeof sealer->writer_id);
  crypto_auth_hmacsha256(extracted, key, sizeof key, salt);
  derive(sealer, extracted);
  crypto_auth_hmacsha256(check, &info, 1, extracted);
  sealer->counter = 0;
  return spent;
}

static void seal(uint8_t *frame, const uint8_t *content, struct sealer *sealer) {
  uint8_t nonce[12] = {0};
  memcpy(nonce, &sealer->counter, sizeof sealer->counter);
  memcpy(frame + 16, &sealer->counter, sizeof sealer->counter);
  sealer->counter++;
  memcpy(frame + 24, sealer->writer_id, sizeof sealer->writer_id);
  unsigned long long size;
  crypto_aead_chacha20poly1305_ietf_encrypt(
      frame + header_size, &size, content, id_size + value_size, frame + 8, header_size - 8, NULL, nonce, sealer->subkey);
}

// The offset is part of the checksum, so a frame that was copied elsewhere doesn't pass.
static uint32_t checksum_of(const uint8_t *frame, uint64_t offset, size_t size) {
  uLong seed = crc32(0, (const Bytef *)&offset, sizeof offset);
  return (uint32_t)crc32(seed, frame + 8, (uInt)(size - 8));
}

size_t frame_write(uint8_t *frame, uint64_t offset, uint64_t sequence, struct sealer *sealer) {
  static uint8_t content[id_size + value_size] = "an-id-of-twenty-four-byt";
  size_t size = header_size + id_size + value_size + (sealer == NULL ? 0 : tag_size);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t time = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
  uint32_t length = (uint32_t)size;
  memset(frame, 0, header_size);
  memcpy(frame, &length, sizeof length);
  memcpy(frame + 8, &sequence, sizeof sequence);
  memcpy(frame + 40, &time, sizeof time);
  if (sealer == NULL) {
    memcpy(frame + header_size, content, sizeof content);
  } else {
    seal(frame, content, sealer);
  }
  uint32_t checksum = checksum_of(frame, offset, size);
  memcpy(frame + 4, &checksum, sizeof checksum);
  return size;
}

// A frame names its writer and its counter: the same writer's next frame needs no new subkey.
static bool open_sealed(const uint8_t *frame, size_t size, struct sealer *sealer) {
  uint8_t nonce[12] = {0}, content[id_size + value_size];
  unsigned long long opened;
  if (memcmp(sealer->writer_id, frame + 24, sizeof sealer->writer_id) != 0) {
    uint8_t extracted[32];
    crypto_auth_hmacsha256(extracted, key, sizeof key, salt);
    memcpy(sealer->writer_id, frame + 24, sizeof sealer->writer_id);
    derive(sealer, extracted);
  }
  memcpy(nonce, frame + 16, sizeof sealer->counter);
  return crypto_aead_chacha20poly1305_ietf_decrypt(
             content, &opened, NULL, frame + header_size, size - header_size, frame + 8, header_size - 8,
             nonce, sealer->subkey) == 0;
}

size_t frame_read(const uint8_t *frame, uint64_t offset, size_t available, struct sealer *sealer) {
  uint32_t size, checksum;
  if (available < header_size) return 0;
  memcpy(&size, frame, sizeof size);
  memcpy(&checksum, frame + 4, sizeof checksum);
  if (size < header_size || size > frame_size_max || size > available) return 0;
  if (checksum != checksum_of(frame, offset, size)) return 0;
  if (sealer != NULL && !open_sealed(frame, size, sealer)) return 0;
  return size;
}
