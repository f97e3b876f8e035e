#include "CSystemChecksum.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <emmintrin.h>
#include <smmintrin.h>
#include <stdbool.h>
#include <string.h>
#include <wmmintrin.h>

static bool has_multiplication(void) {
  // 0 not asked yet, 1 no, 2 yes; whoever asks gets the same answer.
  static int known;
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == 0) {
    unsigned a, b, c = 0, d;
    bool found = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_PCLMUL) && (c & bit_SSE4_1);
    answer = found ? 2 : 1;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == 2;
}

#define FOLDS __attribute__((target("pclmul,sse4.1")))

FOLDS static inline __m128i fold(__m128i state, __m128i factor, __m128i next) {
  __m128i low = _mm_clmulepi64_si128(state, factor, 0x00), high = _mm_clmulepi64_si128(state, factor, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

FOLDS static inline __m128i load(const uint8_t *bytes) { return _mm_loadu_si128((const __m128i *)(const void *)bytes); }

// V. Gopal and others, "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", Intel 2009, with the constants for
// the bit-reflected polynomial 0x104C11DB7: powers of x modulo it.
#define BY64 _mm_set_epi64x(0x01c6e41596, 0x0154442bd4)
#define BY16 _mm_set_epi64x(0x00ccaa009e, 0x01751997d0)

// The checksum of 16 bytes that follow nothing: 128 bits to 64, to 32, and Barrett's reduction.
FOLDS static inline uint32_t reduced(__m128i a) {
  const __m128i mask = _mm_setr_epi32(-1, 0, -1, 0);
  a = _mm_xor_si128(_mm_srli_si128(a, 8), _mm_clmulepi64_si128(a, BY16, 0x10));
  __m128i b = _mm_srli_si128(a, 4);
  a = _mm_xor_si128(_mm_clmulepi64_si128(_mm_and_si128(a, mask), _mm_set_epi64x(0, 0x0163cd6124), 0x00), b);
  const __m128i polynomial = _mm_set_epi64x(0x01f7011641, 0x01db710641);
  b = _mm_clmulepi64_si128(_mm_and_si128(a, mask), polynomial, 0x10);
  b = _mm_clmulepi64_si128(_mm_and_si128(b, mask), polynomial, 0x00);
  return (uint32_t)_mm_extract_epi32(_mm_xor_si128(a, b), 1);
}

// 16 bytes and more, a multiple of 16.
FOLDS static uint32_t multiplied(uint32_t checksum, const uint8_t *bytes, size_t count) {
  __m128i a = _mm_xor_si128(load(bytes), _mm_cvtsi32_si128((int)checksum));
  bytes += 16, count -= 16;
  if (count >= 48) {
    __m128i b = load(bytes), c = load(bytes + 16), d = load(bytes + 32);
    for (bytes += 48, count -= 48; count >= 64; bytes += 64, count -= 64) {
      a = fold(a, BY64, load(bytes));
      b = fold(b, BY64, load(bytes + 16));
      c = fold(c, BY64, load(bytes + 32));
      d = fold(d, BY64, load(bytes + 48));
    }
    a = fold(fold(fold(a, BY16, b), BY16, c), BY16, d);
  }
  for (; count >= 16; bytes += 16, count -= 16) a = fold(a, BY16, load(bytes));
  return reduced(a);
}

// 4 to 15 bytes. Zeros in front of them, and nothing before those, change nothing.
FOLDS static uint32_t multiplied_short(uint32_t checksum, const uint8_t *bytes, size_t count) {
  uint8_t block[16] = {0};
  memcpy(block + 16 - count, bytes, count);
  uint32_t first;
  memcpy(&first, block + 16 - count, 4);
  first ^= checksum;
  memcpy(block + 16 - count, &first, 4);
  return reduced(load(block));
}

size_t anteroom_crc32(uint32_t *checksum, const void *start, size_t count) {
  if (count < 4 || !has_multiplication()) return 0;
  const uint8_t *bytes = start;
  size_t whole = count & ~(size_t)15, rest = count & 15;
  uint32_t state = ~*checksum;
  if (whole > 0) state = multiplied(state, bytes, whole);
  if (rest >= 4) {
    state = multiplied_short(state, bytes + whole, rest);
    rest = 0;
  }
  *checksum = ~state;
  return count - rest;
}
#else
size_t anteroom_crc32(uint32_t *checksum, const void *bytes, size_t count) {
  (void)checksum, (void)bytes, (void)count;
  return 0;
}
#endif
