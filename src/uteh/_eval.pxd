# What other Cython modules may cimport from uteh: plain functions over stdint types, defined in _eval.pyx, no extern lines.
# Cards are ids 0 to 51, rank * 4 + suit; any bytes are safe, repeated cards give a number without meaning.
from libc.stdint cimport int64_t, uint8_t, uint16_t

# Strength, 1 to 7462, of n cards; n is 5, 6 or 7 (anything else gives 0).
cdef uint16_t strength(const uint8_t *cards, int n) noexcept nogil

# Strengths of n rows of k cards into out; k is 5, 6 or 7 (anything else writes nothing).
cdef void strength_rows(const uint8_t *rows, int64_t n, int k, uint16_t *out) noexcept nogil
