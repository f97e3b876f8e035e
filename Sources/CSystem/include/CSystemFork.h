// Memory that a forked child finds wiped, where the kernel has no mark for it, and files that it no longer has mapped.
#ifndef ANTEROOM_CSYSTEM_FORK_H
#define ANTEROOM_CSYSTEM_FORK_H

#include <stddef.h>

/// From here on a child of `fork` finds zeros in the range, before anything else of it runs. - Returns: 0; -1 when too many ranges are.
int anteroom_wipe_in_child(void *address, size_t count);
/// Before the range is unmapped.
void anteroom_keep_in_child(void *address);

/// From here on a child of `fork` finds empty memory in the place of the mapping, whose file it no longer has open by it.
/// - Returns: 0; -1 when too many mappings are.
int anteroom_forget_in_child(void *address, size_t count);
/// Before the mapping is unmapped.
void anteroom_unmapped_in_parent(void *address);

#endif
