#include "CSystemChecksum.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <emmintrin.h>
#include <smmintrin.h>
#include <stdbool.h>
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
FOLDS static uint32_t multiplied(uint32_t checksum, const uint8_t *bytes, size_t count) {
  const __m128i by64 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4), by16 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
  __m128i a = _mm_xor_si128(load(bytes), _mm_cvtsi32_si128((int)checksum));
  __m128i b = load(bytes + 16), c = load(bytes + 32), d = load(bytes + 48);
  for (bytes += 64, count -= 64; count >= 64; bytes += 64, count -= 64) {
    a = fold(a, by64, load(bytes));
    b = fold(b, by64, load(bytes + 16));
    c = fold(c, by64, load(bytes + 32));
    d = fold(d, by64, load(bytes + 48));
  }
  a = fold(fold(fold(a, by16, b), by16, c), by16, d);
  for (; count >= 16; bytes += 16, count -= 16) a = fold(a, by16, load(bytes));

  // 128 bits to 64, to 32, and Barrett's reduction.
  const __m128i mask = _mm_setr_epi32(-1, 0, -1, 0);
  a = _mm_xor_si128(_mm_srli_si128(a, 8), _mm_clmulepi64_si128(a, by16, 0x10));
  b = _mm_srli_si128(a, 4);
  a = _mm_xor_si128(_mm_clmulepi64_si128(_mm_and_si128(a, mask), _mm_set_epi64x(0, 0x0163cd6124), 0x00), b);
  const __m128i polynomial = _mm_set_epi64x(0x01f7011641, 0x01db710641);
  b = _mm_clmulepi64_si128(_mm_and_si128(a, mask), polynomial, 0x10);
  b = _mm_clmulepi64_si128(_mm_and_si128(b, mask), polynomial, 0x00);
  return (uint32_t)_mm_extract_epi32(_mm_xor_si128(a, b), 1);
}

size_t anteroom_crc32(uint32_t *checksum, const void *bytes, size_t count) {
  if (count < 64 || !has_multiplication()) return 0;
  size_t taken = count & ~(size_t)15;
  *checksum = ~multiplied(~*checksum, bytes, taken);
  return taken;
}
#else
size_t anteroom_crc32(uint32_t *checksum, const void *bytes, size_t count) {
  (void)checksum, (void)bytes, (void)count;
  return 0;
}
#endif
