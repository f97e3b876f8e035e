#include "anteroom_mailbox.h"

/* What is compiled against the header and what is in the archive agree on these. */
_Static_assert(sizeof(anteroom_error) == 264, "the error's layout is fixed");
_Static_assert(sizeof(anteroom_position) == 24, "the position's layout is fixed");

#define NAME(code) \
  case code:       \
    return #code

const char *anteroom_code_name(int32_t code) {
  switch (code) {
    NAME(ANTEROOM_OK);
    NAME(ANTEROOM_NOT_FOUND);
    NAME(ANTEROOM_NOT_A_LOG);
    NAME(ANTEROOM_UNSUPPORTED_VERSION);
    NAME(ANTEROOM_KEY_REQUIRED);
    NAME(ANTEROOM_KEY_NOT_EXPECTED);
    NAME(ANTEROOM_WRONG_KEY);
    NAME(ANTEROOM_KEY_CHANGED);
    NAME(ANTEROOM_INVALID_KEY_LENGTH);
    NAME(ANTEROOM_CORRUPTED);
    NAME(ANTEROOM_TYPE_MISMATCH);
    NAME(ANTEROOM_INVALID_KEY);
    NAME(ANTEROOM_KEY_TOO_LARGE);
    NAME(ANTEROOM_RECORD_TOO_LARGE);
    NAME(ANTEROOM_FULL);
    NAME(ANTEROOM_NO_SPACE);
    NAME(ANTEROOM_BUSY);
    NAME(ANTEROOM_DEADLINE_EXCEEDED);
    NAME(ANTEROOM_PROTECTED_DATA);
    NAME(ANTEROOM_READ_ONLY);
    NAME(ANTEROOM_SUSPENDED);
    NAME(ANTEROOM_CLOSED);
    NAME(ANTEROOM_FORKED_HANDLE);
    NAME(ANTEROOM_FAILED_EARLIER);
    NAME(ANTEROOM_SYSTEM);
    NAME(ANTEROOM_MISSING_FIELD);
    NAME(ANTEROOM_INVALID_ARGUMENT);
    NAME(ANTEROOM_BUFFER_TOO_SMALL);
    default:
      return "an unknown code";
  }
}
