// CRC-32 by carry-less multiplication, several times as fast as zlib where the processor has it.
#ifndef ANTEROOM_CSYSTEM_CHECKSUM_H
#define ANTEROOM_CSYSTEM_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Goes on with `checksum` over as much of the bytes as it can take at once: all, but for the last three at most; 0 where the processor
/// can't. - Returns: how many bytes it took.
size_t anteroom_crc32(uint32_t *checksum, const void *bytes, size_t count);

#endif
