// One way of measuring for every program here, so that a ratio between two of them compares the same thing.
#ifndef ANTEROOM_MEASURE_H
#define ANTEROOM_MEASURE_H

#include <stdint.h>

/// The stretch that counts: wall and CPU time, and between two marker system calls that a trace can find.
void measure_begin(void);
void measure_end(void);

/// Keeps the time between calls of `measure_lap`, of which there are at most `count`. Call before `measure_begin`.
void measure_keep_laps(uint64_t count);
/// Costs one branch when laps aren't kept.
void measure_lap(void);

/// Sleeps until the machine has been up for so many seconds: several processes start at one instant.
void measure_wait_for_uptime(double seconds);

uint64_t measure_now(void);

/// Prints one line of `name=value`, memory read last; the kept laps go to descriptor 3 as native 32-bit nanoseconds.
/// `setup_ns` is a part of the measured time that is worth telling apart.
void measure_report(uint64_t operations, uint64_t setup_ns);

#endif
