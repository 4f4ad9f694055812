# What other Cython modules may cimport from uteh: plain functions over stdint types, defined in _eval.pyx, no extern lines.
# Cards are ids 0 to 51, rank * 4 + suit; any bytes are safe, repeated cards give a number without meaning. include/uteh.h has the
# same for C.
from libc.stdint cimport int64_t, uint8_t, uint16_t

# Strength, 1 to 7462, of n cards; n is 5, 6 or 7 (anything else gives 0).
cdef uint16_t strength(const uint8_t *cards, int n) noexcept nogil

# Strengths of n rows of k cards into out; k is 5, 6 or 7 (anything else writes nothing).
cdef void strength_rows(const uint8_t *rows, int64_t n, int k, uint16_t *out) noexcept nogil

# The first of n rows of k cards that has an id over 51 or a card twice, or n; k is 1 to 9 (anything else gives 0, as no rows do).
cdef int64_t first_bad_row(const uint8_t *rows, int64_t n, int k) noexcept nogil

# Category of a strength, 0 (high card) to 9 (royal flush); 255 for what is no strength.
cdef uint8_t category(uint16_t strength) noexcept nogil
