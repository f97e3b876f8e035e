#include <string.h>

#include "CSystem.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// `memmem`, which headers hide without extensions.
extern void *memmem(const void *, size_t, const void *, size_t);

// Sixteen places at a time, by the first and the last byte of the needle; only where both fit is it compared. A long needle is left to
// `memmem`, which is linear whatever the text.
const void *anteroom_find(const void *bytes, size_t count, const void *needle, size_t needle_count) {
#if defined(__SSE2__)
  const char *text = bytes, *wanted = needle;
  if (needle_count >= 2 && needle_count <= 64) {
    const __m128i first = _mm_set1_epi8(wanted[0]), last = _mm_set1_epi8(wanted[needle_count - 1]);
    size_t offset = 0;
    for (; count >= needle_count + 15 && offset <= count - needle_count - 15; offset += 16) {
      __m128i begins = _mm_cmpeq_epi8(first, _mm_loadu_si128((const __m128i *)(text + offset)));
      __m128i ends = _mm_cmpeq_epi8(last, _mm_loadu_si128((const __m128i *)(text + offset + needle_count - 1)));
      for (unsigned places = (unsigned)_mm_movemask_epi8(_mm_and_si128(begins, ends)); places != 0; places &= places - 1) {
        const char *place = text + offset + __builtin_ctz(places);
        if (memcmp(place + 1, wanted + 1, needle_count - 2) == 0) return place;
      }
    }
    return memmem(text + offset, count - offset, needle, needle_count);
  }
#endif
  return memmem(bytes, count, needle, needle_count);
}
