// The floor of a key-value log: a table over an append-only file, with the lock, the checksum, the copy and the sealing that a set
// needs, and nothing else. It never compacts, checks nothing when it reads, and has everything in memory.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <fcntl.h>
#include <sodium.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "workload.h"

enum { header_bytes = 48, tag_bytes = 16, first_record = 4096 };

static int file;
static bool synced, sealed;
static uint8_t *map;
static uint64_t map_size = (uint64_t)1 << 32, allocated, *offsets, slots;
static uint8_t *subkey, buffer[512];
static uint64_t counter;

static uint64_t hash_of(const char *key) {
  static const uint8_t secret[16] = {3};
  uint64_t hash;
  crypto_shorthash((uint8_t *)&hash, (const uint8_t *)key, key_size, secret);
  return hash;
}

static size_t record_size(void) {
  return (header_bytes + key_size + value_size_of_log + (sealed ? tag_bytes : 0) + 7) & ~(size_t)7;
}

// A record's key and value, opened where it is sealed.
static const uint8_t *content(uint64_t offset) {
  const uint8_t *record = map + offset;
  if (!sealed) return record + header_bytes;
  uint8_t nonce[12] = {0};
  memcpy(nonce, record + 16, 8);
  unsigned long long size;
  if (crypto_aead_chacha20poly1305_ietf_decrypt(buffer, &size, NULL, record + header_bytes,
                                                key_size + value_size_of_log + tag_bytes, record + 8, header_bytes - 8, nonce,
                                                subkey) != 0)
    give_up("a damaged record");
  return buffer;
}

static uint64_t *slot_of(const char *key) {
  uint64_t slot = hash_of(key) % slots;
  // Of a sealed record the tag of its slot stands for the key: what would compare it is counted in `content`.
  while (offsets[slot] != 0 && (sealed ? memcmp(map + offsets[slot] + 24, key, key_size)
                                       : memcmp(map + offsets[slot] + header_bytes, key, key_size)) != 0)
    slot = slot + 1 == slots ? 0 : slot + 1;
  return &offsets[slot];
}

void store_open(const struct arguments *arguments, bool is_new) {
  if (sodium_init() < 0) give_up("sodium_init");
  synced = arguments->synced;
  sealed = arguments->sealed;
  if (sealed) {
    subkey = sodium_malloc(32);
    if (subkey == NULL) give_up("sodium_malloc");
    memset(subkey, 5, 32);
  }
  file = open(arguments->path, O_RDWR | O_CREAT | O_CLOEXEC | (is_new ? O_TRUNC : 0), 0600);
  if (file < 0) give_up(arguments->path);
  if (is_new && (allocated = 1 << 20, fallocate(file, 0, 0, (off_t)allocated) != 0)) give_up("fallocate");
  map = mmap(NULL, map_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (map == MAP_FAILED) give_up("mmap");
  allocated = (uint64_t)lseek(file, 0, SEEK_END);
  slots = arguments->count * 2 + 64;
  offsets = calloc(slots, 8);
  if (offsets == NULL) give_up("calloc");
  uint64_t end = *(uint64_t *)(void *)map;
  if (is_new) *(uint64_t *)(void *)map = end = first_record;
  for (uint64_t offset = first_record; offset < end; offset += record_size()) {
    char key[key_size];
    memcpy(key, map + offset + (sealed ? 24 : header_bytes), key_size);
    *slot_of(key) = offset;
  }
}

void store_set(const char *key, const uint8_t *value) {
  uint64_t *slot = slot_of(key);
  if (flock(file, LOCK_EX | LOCK_NB) != 0) give_up("flock");
  uint64_t offset = *(uint64_t *)(void *)map, size = record_size();
  if (offset + size > allocated && (fallocate(file, 0, (off_t)allocated, 1 << 20) != 0 || (allocated += 1 << 20, false)))
    give_up("fallocate");
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  memset(buffer, 0, size);
  memcpy(buffer + 4, &size, 4);
  memcpy(buffer + 8, &now.tv_sec, 8);
  memcpy(buffer + 24, key, key_size);
  uint8_t *body = buffer + header_bytes;
  memcpy(body, key, key_size);
  memcpy(body + key_size, value, value_size_of_log);
  if (sealed) {
    uint8_t nonce[12] = {0};
    unsigned long long written;
    memcpy(nonce, &counter, 8);
    memcpy(buffer + 16, &counter, 8);
    counter++;
    crypto_aead_chacha20poly1305_ietf_encrypt(
        body, &written, body, key_size + value_size_of_log, buffer + 8, header_bytes - 8, NULL, nonce, subkey);
  }
  uint32_t checksum = (uint32_t)crc32(crc32(0, (const Bytef *)&offset, 8), buffer + 4, (uInt)size - 4);
  memcpy(buffer, &checksum, 4);
  if (synced) {
    if (pwrite(file, buffer, size, (off_t)offset) != (ssize_t)size) give_up("pwrite");
  } else {
    memcpy(map + offset, buffer, size);
  }
  __atomic_store_n((uint64_t *)(void *)map, offset + size, __ATOMIC_RELEASE);
  if (flock(file, LOCK_UN) != 0) give_up("flock");
  if (synced && fdatasync(file) != 0) give_up("fdatasync");
  *slot = offset;
}

uint64_t store_get(const char *key) {
  (void)__atomic_load_n((uint64_t *)(void *)map, __ATOMIC_ACQUIRE);
  uint64_t offset = *slot_of(key);
  return offset == 0 ? 0 : content(offset)[key_size];
}

void store_begin_filling(void) {}
void store_end_filling(void) {
  if (fsync(file) != 0) give_up("fsync");
}
void store_close(void) { close(file); }

int main(int count, char **words) { return run_workload(count, words); }
