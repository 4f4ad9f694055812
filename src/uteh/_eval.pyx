# cython: language_level=3, binding=False, embedsignature=True, freethreading_compatible=True
# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The one compiled module: it turns Python arguments into pointers, calls the C core, and turns its codes into exceptions.

What is public here (`evaluate`, `parse_cards`) is documented for users; the rest serves the Python files, which own its
meaning. Records of the core travel through Python as bytes, checked for size on the way back.
"""
from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.long cimport PyLong_AsLongAndOverflow
from cpython.pycapsule cimport PyCapsule_New
from cpython.sequence cimport PySequence_Check
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport INT64_MAX, int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from os import environ

from uteh.errors import CardError

cdef extern from "Python.h":
    const char *utf8_or_null "PyUnicode_AsUTF8AndSize"(object, Py_ssize_t *) noexcept
    void PyErr_Clear() noexcept

cdef extern from *:
    """
    /* A plain int from 0 to 51, or -1 for all else, without a call where the interpreter's own macros can be had. */
    static inline int uteh_plain_id(PyObject *item)
    {
        Py_ssize_t value;
        if (!PyLong_CheckExact(item))
            return -1;
    #if defined(Py_LIMITED_API) || defined(PYPY_VERSION)
        int overflow;
        value = (Py_ssize_t)PyLong_AsLongAndOverflow(item, &overflow);
    #elif PY_VERSION_HEX >= 0x030C0000
        if (!PyUnstable_Long_IsCompact((PyLongObject *)item))
            return -1;
        value = PyUnstable_Long_CompactValue((PyLongObject *)item);
    #else
        if (Py_SIZE(item) != 0 && Py_SIZE(item) != 1)
            return -1;
        value = Py_SIZE(item) ? (Py_ssize_t)((PyLongObject *)item)->ob_digit[0] : 0;
    #endif
        return value >= 0 && value <= 51 ? (int)value : -1;
    }
    """
    int uteh_plain_id(object item) noexcept

cdef extern from "include/uteh.h":
    enum:
        UTEH_ABI
    ctypedef struct uteh_api:
        unsigned int abi
        unsigned int size
        uint16_t (*strength)(const uint8_t *cards, int n) noexcept nogil
        void (*strength_rows)(const uint8_t *rows, int64_t n, int k, uint16_t *out) noexcept nogil
        int64_t (*first_bad_row)(const uint8_t *rows, int64_t n, int k) noexcept nogil
        uint8_t (*category)(uint16_t strength) noexcept nogil

cdef extern from "_core/cpu.h" nogil:
    enum:
        UTEH_PATHS
    int uteh_cpu_path()
    int uteh_cpu_use(int path)
    int uteh_cpu_has(int path)
    const char *uteh_cpu_name(int path)

cdef extern from "_core/cards.h" nogil:
    enum:
        UTEH_BAD_TEXT
        UTEH_MANY
    ctypedef struct uteh_deck:
        uint64_t taken
        uint8_t place[64]
    int uteh_parse(const char *text, size_t size, uint8_t *ids, int most, size_t *at, size_t *length)
    int uteh_parse_start(const char *text, size_t size, uint8_t *ids)
    int uteh_take(uteh_deck *deck, const uint8_t *ids, int n, int place)
    int64_t uteh_check_rows(const uint8_t *rows, int64_t n, int k)
    int64_t uteh_check_rows_on(int path, const uint8_t *rows, int64_t n, int k)
    int uteh_check_row(const uint8_t *row, int k, int *first, int *second)

cdef extern from "_core/evaluator.h" nogil:
    unsigned uteh_strength(const uint8_t *cards, int n)
    void uteh_strength_rows(const uint8_t *rows, int64_t n, int k, uint16_t *out)
    void uteh_strength_rows_on(int path, const uint8_t *rows, int64_t n, int k, uint16_t *out)

cdef extern from "_core/tables.h" nogil:
    const uint8_t[8192] uteh_category

cdef extern from "_core/settle.h" nogil:
    ctypedef struct uteh_rules:
        int64_t qualifier
        int64_t trips_on_fold
        int64_t both
        int64_t wager_order[5]
        int64_t losing_order[5]
        int64_t fund_gross
    ctypedef struct uteh_stakes:
        int64_t stake[5]
    ctypedef struct uteh_cells:
        int64_t unit
        int64_t limit
        int64_t factor[5][400]
        uint8_t reason[5][400]
    ctypedef struct uteh_rounds:
        const uint8_t *cards
        const void *amount[6]
        int64_t stride[6]
        const uint8_t *street
        int64_t street_stride
        int32_t floats
        int32_t capped
        int32_t streamed
        void *net[5]
        void *total
        int8_t *result
        uint16_t *player
        uint16_t *dealer
        uint8_t *qualifies
        uint8_t *reasons
    ctypedef struct uteh_round:
        int result
        int qualifies
        int cell
        unsigned player
        unsigned dealer
        unsigned board
    void uteh_cells_init(uteh_cells *cells, const uteh_rules *rules)
    int64_t uteh_rounds_check(const uteh_cells *cells, const uteh_rounds *rounds, int64_t first, int64_t last, int *code, int *field)
    int64_t uteh_rounds_whole(const uteh_cells *cells, const uteh_rounds *rounds, int64_t first, int64_t last, int *field)
    void uteh_rounds_settle(const uteh_cells *cells, const uteh_rounds *rounds, int64_t first, int64_t last)
    int uteh_round_check(const uteh_cells *cells, const int64_t *stake, int capped, int street, int *field)
    void uteh_round_rank(const uteh_cells *cells, const uint8_t *cards, int folded, uteh_round *round_)
    int uteh_break(const uteh_cells *cells, int64_t *net)
    unsigned uteh_cap(int64_t *net, int64_t cap)

cdef extern from "_core/table.h" nogil:
    ctypedef struct uteh_tables:
        uteh_rounds rounds
        const uint8_t *holes
        const uint8_t *dealers
        const uint8_t *boards
        const uint8_t *seated
        const int64_t *start
        int64_t seats
        int64_t rows
        int64_t order[2][5]
        int32_t gross
        int32_t shared
        const void *fund
        const void *fee
        const void *bank_fee
        int64_t fund_stride
        int64_t fee_stride
        int64_t bank_fee_stride
        void *net
        void *bank_net
        void *returned
        void *uncovered
        void *returned_by_bet
        void *uncovered_by_bet
    int64_t uteh_tables_cards(const uteh_tables *t, int64_t first, int64_t last)
    int64_t uteh_tables_check(const uteh_cells *cells, const uteh_tables *t, int64_t limit, int64_t first, int64_t last, int *code,
                              int *field)
    int64_t uteh_tables_whole(const uteh_cells *cells, const uteh_tables *t, int64_t first, int64_t last, int *field)
    void uteh_tables_settle(const uteh_cells *cells, const uteh_tables *t, int64_t first, int64_t last)
    void uteh_tables_fund(const uteh_tables *t, int64_t first, int64_t last)

cdef extern from "_core/odds.h" nogil:
    enum:
        UTEH_MAX_PLAYS
        UTEH_MAX_ACTIONS
        UTEH_PREFLOP
        UTEH_FLOP
        UTEH_RIVER
        UTEH_A_CHECK
    ctypedef struct uteh_question:
        int32_t ndealer
        int32_t nflop
        int32_t nlater
        int32_t nlive
        int32_t both
        uint8_t hole[2]
        uint8_t flop[3]
        uint8_t later[2]
        uint8_t dealer[2]
    ctypedef struct uteh_odds:
        int64_t by_category[10][3]
        int64_t unqualified[3]
    ctypedef struct uteh_payoff:
        int64_t win[10][10]
        int64_t lose[10][10]
        int64_t tie[10]
    ctypedef struct uteh_plan:
        int32_t street
        int32_t nactions[3]
        int32_t actions[3][7]
        int32_t fold_by_board
        int64_t largest
        int64_t fold[10]
        uteh_payoff pay[5]
    ctypedef struct uteh_wide:
        int64_t high
        int64_t low
    void uteh_question_init(uteh_question *q, uint64_t taken)
    int64_t uteh_boards(const uteh_question *q)
    int64_t uteh_dealer_hands(const uteh_question *q)
    int64_t uteh_splits(const uteh_question *q)
    int uteh_plan_categories(const uteh_plan *plan, int qualifier, int *categories)
    int64_t uteh_question_scratch(const uteh_question *q, const uteh_plan *plan)
    void uteh_question_odds(const uteh_question *q, int qualifier, void *scratch, uteh_odds *odds)
    void uteh_question_values(const uteh_question *q, const uteh_plan *plan, void *scratch, uteh_wide *sums)
    enum:
        UTEH_HOLE
        UTEH_BOARD
        UTEH_LATER
        UTEH_DEALER
        UTEH_DEAD
        UTEH_PLACES
    ctypedef struct uteh_asked:
        const uint8_t *cards[5]
        int64_t stride[5]
        int32_t width[5]
        int32_t both
        int32_t qualifier
    ctypedef struct uteh_odds_columns:
        int64_t *deals
        int64_t *result[3]
        int64_t *unqualified[3]
        int64_t *by_category
        double *equity
    ctypedef struct uteh_value_columns:
        int64_t denominator[53]
        int64_t scale[53]
        int64_t *numerators
        double *values
        double *margin
        uint8_t *best
    int64_t uteh_most_scratch(int nflop, int nlater, const uteh_plan *plan)
    int64_t uteh_asked_check(const uteh_asked *asked, int64_t first, int64_t last)
    void uteh_asked_odds(const uteh_asked *asked, int64_t first, int64_t last, void *scratch, const uteh_odds_columns *out)
    void uteh_asked_values(const uteh_asked *asked, const uteh_plan *plan, int64_t first, int64_t last, void *scratch,
                           const uteh_value_columns *out)
    void uteh_plan_payoffs(uteh_plan *plan, const uteh_rules *rules, const uteh_stakes *stakes, const int64_t *plays, int nplays,
                           int64_t cap, int bet)

cdef extern from "_core/side.h" nogil:
    ctypedef struct uteh_side:
        int32_t nknown
        int32_t nlive
        int32_t cards
        int32_t hole
        int32_t both
        int32_t dealers
        uint8_t known[7]
        uint8_t live[52]
    int64_t uteh_side_hands(const uteh_side *s)
    void uteh_side_hands_range(const uteh_side *s, int64_t first, int64_t last, int64_t *counts)
    int64_t uteh_side_boards(const uteh_side *s)
    void uteh_side_boards_range(const uteh_side *s, int64_t first, int64_t last, int64_t *counts)

cdef extern from "_core/solve.h" nogil:
    enum:
        UTEH_STAGES
        UTEH_STAGE_SETS
        UTEH_STAGE_FLOPS
        UTEH_STAGE_COUNTS
        UTEH_STAGE_RIVERS
        UTEH_FLOPS
        UTEH_HOLES
        UTEH_CLASSES
    ctypedef struct uteh_game:
        uteh_plan plan
        int32_t qualifier
        int32_t both
        int32_t wide
        int32_t ndealer
        int32_t flop_exposed
        uint8_t dealer[2]
    ctypedef struct uteh_ends:
        int64_t by_level[6][10][12]
        int64_t fold_board[10]
    int64_t uteh_game_scratch(const uteh_game *game, int after)
    int64_t uteh_game_units(const uteh_game *game, int stage)
    void uteh_game_range(const uteh_game *game, int stage, int64_t first, int64_t last, void *shared, void *scratch, uint8_t *flops,
                         const uint8_t *first_actions, uint8_t *rivers)
    void uteh_game_merge(const uteh_game *game, int stage, void *shared, void *scratch)
    int64_t uteh_game_hands(const uteh_game *game, uint32_t *which)
    void uteh_game_sums(const uteh_game *game, const void *shared, const uint32_t *which, uteh_wide *raised, uteh_wide *checked)
    void uteh_game_first_ends(const uteh_game *game, const void *shared, const uint8_t *first_actions, uteh_ends *ends)
    void uteh_game_ends(const uteh_game *game, const void *shared, uteh_ends *ends)
    void uteh_flop_decisions(const uint8_t *rows, int64_t n, const uint8_t *decisions, uint8_t *out)
    int uteh_game_river_bits(const uteh_game *game)
    int64_t uteh_river_bytes(int bits)
    void uteh_river_decisions(const uint8_t *rows, int64_t n, const uint8_t *rivers, int bits, uint8_t *out)
    void uteh_classes(const uint8_t *rows, int64_t n, uint8_t *out)

cdef extern from "_core/deal.h" nogil:
    void uteh_philox(const uint64_t *counter, const uint64_t *key, uint64_t *out)
    void uteh_deal_rows(int path, const uint64_t *key, uint64_t first, int64_t n, uint8_t *rows)

cdef extern from "_core/simulate.h" nogil:
    enum:
        UTEH_ENDS
        UTEH_TURN_CHECK
    ctypedef struct uteh_player:
        uint64_t key[2]
        int32_t both
        int32_t fold_by_board
        int32_t packed
        int32_t river_bits
        uint8_t flop[8]
        uint8_t river[8]
    ctypedef struct uteh_counts:
        int64_t end[2500]
    void uteh_player_init(uteh_player *player, const uint8_t *first)
    void uteh_simulate(const uteh_player *player, const uint8_t *flops, const uint8_t *rivers, uint64_t first, int64_t n,
                       uteh_counts *counts)
    void uteh_count_rounds(const uteh_player *player, const uint8_t *rows, const uint8_t *actions, int64_t n, uteh_counts *counts)

cdef extern from "_core/pairs.h" nogil:
    enum:
        UTEH_MOST_KINDS
        UTEH_PAIR_BOARDS
        UTEH_PAIRS_LARGEST
    ctypedef struct uteh_pairs:
        int32_t nkinds
        int32_t both
        const uteh_plan *plan[4]
        const uint8_t *decisions[4]
        const uint8_t *first[4]
    ctypedef struct uteh_pair_sums:
        uteh_wide net[4]
        uteh_wide square[4]
        uteh_wide product[4][4]
    int64_t uteh_pairs_scratch()
    void uteh_pairs_range(const uteh_pairs *pairs, int64_t first, int64_t last, void *scratch, uteh_pair_sums *sums)


# Paths of the kernels ---------------------------------------------------------------------------------------------------------

cdef str path_name(int path):
    return (<bytes>uteh_cpu_name(path)).decode("ascii")


cdef list path_names():
    return [path_name(path) for path in range(UTEH_PATHS) if uteh_cpu_has(path)]


cdef int path_of(object name, str what) except -1:
    """The path of a name that this machine has."""
    for path in range(UTEH_PATHS):
        if path_name(path) == name and uteh_cpu_has(path):
            return path
    raise ValueError(f"{what} is {name!r}; this build has on this machine: {', '.join(path_names())}")


cdef int use_path() except -1:
    """Once, at import: the best path, or the one that the environment names, which tests and comparisons use."""
    name = environ.get("UTEH_CPU")
    if not name:
        return uteh_cpu_use(-1)
    return uteh_cpu_use(path_of(name, "the environment variable UTEH_CPU"))

use_path()


def cpu_features():
    """Which instructions the kernels for arrays use, and which they could use.

    The best path is chosen when the package is first used. The environment variable UTEH_CPU forces another one; answers are
    the same on every path.

    Returns
    -------
    dict
        "path": the name of the path in use. "available": the names of all that this build has on this machine, among "portable",
        "avx2", "avx512" and "neon".

    Raises
    ------
    ValueError
        Every function that needs the compiled module raises it, if UTEH_CPU names a path that is not available.

    Examples
    --------
    >>> import uteh
    >>> features = uteh.cpu_features()
    >>> features["path"] in features["available"], features["available"][0]
    (True, 'portable')
    """
    return {"path": path_name(uteh_cpu_path()), "available": path_names()}


# For C and Cython -------------------------------------------------------------------------------------------------------------
# _eval.pxd and include/uteh.h say what these do; a lock file in the tests holds their signatures.

cdef uint16_t strength(const uint8_t *cards, int n) noexcept nogil:
    return <uint16_t>uteh_strength(cards, n) if 5 <= n <= 7 else 0


cdef void strength_rows(const uint8_t *rows, int64_t n, int k, uint16_t *out) noexcept nogil:
    if 5 <= k <= 7 and n > 0:
        uteh_strength_rows(rows, n, k, out)


cdef int64_t first_bad_row(const uint8_t *rows, int64_t n, int k) noexcept nogil:
    return uteh_check_rows(rows, n, k) if 1 <= k <= 9 and n > 0 else 0


cdef uint8_t category(uint16_t strength) noexcept nogil:
    return uteh_category[strength] if 1 <= strength <= 7462 else 255


cdef uteh_api c_api
c_api.abi = UTEH_ABI
c_api.size = sizeof(c_api)
c_api.strength = strength
c_api.strength_rows = strength_rows
c_api.first_bad_row = first_bad_row
c_api.category = category
_C_API = PyCapsule_New(&c_api, "uteh._eval._C_API", NULL)


def get_include():
    """The folder of uteh.h, the header for C programs; docs/c_api.md shows how it is used.

    Returns
    -------
    str
        What follows `-I` on the command line of a C compiler. Cython needs no header: `from uteh._eval cimport strength`.

    Examples
    --------
    >>> import os, uteh
    >>> os.listdir(uteh.get_include())
    ['uteh.h']
    """
    from os.path import abspath, dirname, join

    import uteh
    return join(dirname(abspath(uteh.__file__)), "include")


# Cards ------------------------------------------------------------------------------------------------------------------------

# No question has more cards than a deck; one more place shows that a caller gave too many.
cdef enum:
    MOST = 53

cdef str card_name(int card):
    return "23456789TJQKA"[card >> 2] + "cdhs"[card & 3]


cdef str prefix(str place):
    return f"{place}: " if place else ""


cdef int read_text(object text, uint8_t *ids, str place) except -1:
    """Ids of a text; CardError names the token."""
    cdef Py_ssize_t size
    cdef size_t at = 0, length = 0
    cdef const char *utf8
    cdef int n
    utf8 = utf8_or_null(text, &size)
    if utf8 is NULL:
        PyErr_Clear()
        try:
            utf8 = PyUnicode_AsUTF8AndSize(text, &size)
        except UnicodeEncodeError as error:
            raise CardError(f"{prefix(place)}{text[error.start:error.end]!a} is not a card") from None
    n = uteh_parse(utf8, <size_t>size, ids, MOST, &at, &length)
    if n == UTEH_MANY:
        raise CardError(f"{prefix(place)}more than {MOST} cards")
    if n == UTEH_BAD_TEXT:
        token = utf8[at:at + length].decode("utf-8", "replace")
        start = len(utf8[:at].decode("utf-8", "replace")) + 1
        if token == ",":
            raise CardError(f"{prefix(place)}',' has a card on one side only (character {start})")
        raise CardError(f"{prefix(place)}{token!r} is not a card (character {start})")
    return n


cdef int read_item(object item, uint8_t *card, str place) except -1:
    """One id or text of a sequence."""
    cdef int overflow = 0, n
    cdef long value
    cdef uint8_t ids[MOST]
    if isinstance(item, str):
        n = read_text(item, ids, place)
        if n != 1:
            raise CardError(f"{prefix(place)}{item!r} is not one card")
        card[0] = ids[0]
        return 0
    try:
        if isinstance(item, bool):
            raise TypeError
        index = item.__index__()
        if not isinstance(index, int):
            raise TypeError
    except (TypeError, AttributeError):
        raise TypeError(f"{prefix(place)}a card is an id from 0 to 51 or a text, not {type(item).__name__}") from None
    value = PyLong_AsLongAndOverflow(index, &overflow)
    if overflow or not 0 <= value <= 51:
        # repr() of a huge int raises where its digits are limited.
        shown = str(value) if not overflow else "a number that large"
        raise CardError(f"{prefix(place)}{shown} is not a card id (0 to 51)")
    card[0] = <uint8_t>value
    return 0


cdef int read_plain(object cards, uint8_t *ids) noexcept:
    """Ids of a list or tuple of at most seven plain ints in range, the fast and common case; -1 for everything else."""
    cdef Py_ssize_t i, n
    cdef int card
    cdef list as_list
    cdef tuple as_tuple
    if type(cards) is list:
        as_list = <list>cards
        n = len(as_list)
        if n > 7:
            return -1
        for i in range(n):
            card = uteh_plain_id(as_list[i])
            if card < 0:
                return -1
            ids[i] = <uint8_t>card
        return <int>n
    if type(cards) is tuple:
        as_tuple = <tuple>cards
        n = len(as_tuple)
        if n > 7:
            return -1
        for i in range(n):
            card = uteh_plain_id(as_tuple[i])
            if card < 0:
                return -1
            ids[i] = <uint8_t>card
        return <int>n
    return -1


cdef int read_cards(object cards, uint8_t *ids, str place) except -1:
    """Ids, at most MOST, of whatever the contract takes for cards; repeats are left to the caller."""
    cdef int n = 0
    if isinstance(cards, str):
        return read_text(cards, ids, place)
    n = read_plain(cards, ids)
    if n >= 0:
        return n
    if (not PySequence_Check(cards) or isinstance(cards, (bytes, bytearray, memoryview, dict))
            or not hasattr(cards, "__len__")):
        raise TypeError(f"{prefix(place)}cards are text or a sequence of ids and texts, not {type(cards).__name__}")
    if len(getattr(cards, "shape", (0,))) != 1:
        raise TypeError(f"{prefix(place)}cards are a sequence of ids and texts, not an array of {len(cards.shape)} dimensions")
    n = 0
    for item in cards:
        if n == MOST:
            raise CardError(f"{prefix(place)}more than {MOST - 1} cards")
        read_item(item, ids + n, place)
        n += 1
    return n


cdef int refuse_repeat(const uint8_t *ids, int n, str place) except -1:
    """Raises for a card that stands twice among n ids; cheap where none does."""
    cdef uint64_t total = 0, any_bit = 0, bit
    cdef int i, first = 0, second = 0
    for i in range(n):
        bit = <uint64_t>1 << ids[i]
        total += bit
        any_bit |= bit
    if total == any_bit and n <= 52:
        return 0
    uteh_check_row(ids, n, &first, &second)
    raise CardError(f"{prefix(place)}{card_name(ids[second])} is given twice, as card {first + 1} and card {second + 1}")


def evaluate(cards):
    """The strength of 5, 6 or 7 cards: 1 (7-5-4-3-2) to 7462 (royal flush); higher is better, equal is a tie.

    Parameters
    ----------
    cards : str or sequence of int or str
        Text ("As Kd 7h 8h 2c") or card ids (rank * 4 + suit, 0 to 51) or texts of one card each.

    Returns
    -------
    int
        The place of the best five-card hand among the 7,462 classes of equal hands.

    Raises
    ------
    CardError
        A ValueError that names the card: no such card, a card given twice, or another number of cards.
    TypeError
        Something that is neither text nor a sequence of ids and texts.

    Examples
    --------
    >>> import uteh
    >>> uteh.evaluate("As Ks Qs Js Ts 3c 7h")
    7462
    >>> uteh.evaluate([51, 45, 22, 26, 0]) == uteh.evaluate("As Kd 7h 8h 2c")
    True
    """
    cdef uint8_t ids[MOST]
    cdef int n = read_text(cards, ids, None) if type(cards) is str else read_plain(cards, ids)
    if n < 0:
        n = read_cards(cards, ids, None)
    if not 5 <= n <= 7:
        raise CardError(f"a hand has 5, 6 or 7 cards, not {n}")
    refuse_repeat(ids, n, None)
    return uteh_strength(ids, n)


def parse_cards(cards):
    """The ids of cards given as text or as a sequence, as a tuple.

    Rank and suit in either case, `10` for `T`, Unicode suits; blanks, a comma or nothing between cards.

    Parameters
    ----------
    cards : str or sequence of int or str

    Returns
    -------
    tuple of int
        rank * 4 + suit for each card; ranks 2 to A are 0 to 12, suits c d h s are 0 to 3.

    Raises
    ------
    CardError
        A ValueError that names the token that is no card, or the card given twice and both its places.
    TypeError
        Something that is neither text nor a sequence of ids and texts.

    Examples
    --------
    >>> import uteh
    >>> uteh.parse_cards("As Kd")
    (51, 45)
    >>> uteh.parse_cards("10♥, jc")
    (34, 36)
    """
    cdef uint8_t ids[MOST]
    cdef int n = read_cards(cards, ids, None)
    refuse_repeat(ids, n, None)
    return tuple([ids[i] for i in range(n)])


def parse_rows(rows):
    """(ids as a bytearray, number of rows, cards a row) of a sequence of texts or sequences with equally many cards."""
    cdef uint8_t ids[MOST]
    cdef int n, width = -1
    cdef bytearray out = bytearray()
    cdef Py_ssize_t row = 0
    if isinstance(rows, (str, bytes, bytearray)):
        raise TypeError(f"a list of texts is needed, not {type(rows).__name__}; one text is parse_cards'")
    for cards in rows:
        try:
            n = read_cards(cards, ids, None)
            refuse_repeat(ids, n, None)
            if width < 0:
                width = n
            if n != width:
                raise CardError(f"{n} cards, but row 0 has {width}")
        except (CardError, TypeError) as error:
            problem = type(error)(f"row {row}: {error}")
            problem.row = row
            raise problem from None
        out += ids[:n]
        row += 1
    return out, row, max(width, 0)


# Arrays -----------------------------------------------------------------------------------------------------------------------

cdef int get_buffer(object owner, Py_buffer *view, Py_ssize_t size, int flags) except -1:
    """A contiguous buffer of at least size bytes."""
    PyObject_GetBuffer(owner, view, flags)
    if view.len < size:
        PyBuffer_Release(view)
        raise ValueError(f"a buffer of {view.len} bytes where {size} are needed")
    return 0


def check_rows(cards, int k, int64_t first, int64_t last, path=None):
    """The first of rows first to last - 1 that is no set of k cards, or last. A path other than the one in use is for tests."""
    cdef Py_buffer view
    cdef int64_t found
    cdef int on = uteh_cpu_path() if path is None else path_of(path, "path")
    if not (1 <= k <= 9 and 0 <= first <= last <= INT64_MAX // 16):
        raise ValueError("rows out of range")
    get_buffer(cards, &view, <Py_ssize_t>(last * k), PyBUF_C_CONTIGUOUS)
    with nogil:
        found = first + uteh_check_rows_on(on, <const uint8_t *>view.buf + first * k, last - first, k)
    PyBuffer_Release(&view)
    return found


def row_error(const uint8_t[::1] row not None):
    """The CardError message for a row that check_rows found, or None."""
    cdef int first = 0, second = 0
    if not uteh_check_row(&row[0], <int>min(row.shape[0], 9), &first, &second):
        return None
    if first == second:
        return f"column {first}: {row[first]} is not a card id (0 to 51)"
    return f"{card_name(row[first])} is given twice, in columns {first} and {second}"


def strengths(cards, int k, out, int64_t first, int64_t last, path=None):
    """Writes the strengths of rows first to last - 1 (uint8, k a row) into out (uint16). A path other than the one in use is for tests."""
    cdef Py_buffer view, target
    cdef int on = uteh_cpu_path() if path is None else path_of(path, "path")
    if not (5 <= k <= 7 and 0 <= first <= last <= INT64_MAX // 16):
        raise ValueError("rows out of range")
    get_buffer(cards, &view, <Py_ssize_t>(last * k), PyBUF_C_CONTIGUOUS)
    try:
        get_buffer(out, &target, <Py_ssize_t>(last * 2), PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)
    except BaseException:
        PyBuffer_Release(&view)
        raise
    with nogil:
        uteh_strength_rows_on(on, <const uint8_t *>view.buf + first * k, last - first, k, <uint16_t *>target.buf + first)
    PyBuffer_Release(&target)
    PyBuffer_Release(&view)


# Odds and decisions -----------------------------------------------------------------------------------------------------------

cdef tuple PLACES = ("in the hole", "on the board", "among the later cards", "in the dealer's hand", "among the dead cards")


cdef int take(uteh_deck *deck, const uint8_t *ids, int n, int place) except -1:
    cdef int bad = uteh_take(deck, ids, n, place), other
    if bad == n:
        return 0
    name = card_name(ids[bad])
    other = deck.place[ids[bad]]
    if other == place:
        raise CardError(f"{name} is given twice {PLACES[place]}")
    raise CardError(f"{name} is given twice: {PLACES[other]} and {PLACES[place]}")


cdef int read_place(object cards, uint8_t *ids, str place, int least, int most) except -1:
    cdef int n = read_cards(cards, ids, place)
    if not least <= n <= most:
        wanted = f"{most}" if least == most else f"{least} to {most}"
        raise CardError(f"{place}: {n} cards given, {wanted} needed")
    return n


cdef const uteh_rules *rules_of(bytes packed) except NULL:
    if len(packed) != sizeof(uteh_rules):
        raise ValueError("packed rules of another size")
    return <const uteh_rules *><const char *>packed


def rules_size():
    """How many int64 the core's record of a rule set has."""
    return sizeof(uteh_rules) // 8


def question(hole, board, later, dealer, dead, bytes rules not None):
    """The record of what is known, (record, completions of the board, dealer hands a board), after every check of the cards."""
    cdef uteh_question q
    cdef uteh_deck deck
    cdef uint8_t ids[MOST]
    cdef int n
    cdef Py_ssize_t size
    cdef const char *utf8
    cdef const uteh_rules *packed = rules_of(rules)
    memset(&q, 0, sizeof(q))
    memset(&deck, 0, sizeof(deck))
    q.both = packed.both != 0
    n = 0
    if isinstance(hole, str):
        try:
            utf8 = PyUnicode_AsUTF8AndSize(hole, &size)
            n = uteh_parse_start(utf8, <size_t>size, q.hole)
        except UnicodeEncodeError:
            n = 0
    if n:
        for name, cards in (("board", board), ("later", later), ("dealer", dealer), ("dead", dead)):
            if read_cards(cards, ids, name):
                raise CardError(f"hole: {hole.strip()!r} names a starting hand, which stands only where {name} is empty; give two cards")
    else:
        read_place(hole, ids, "hole", 2, 2)
        memcpy(q.hole, ids, 2)
    take(&deck, q.hole, 2, 0)
    n = read_place(board, ids, "board", 0, 5)
    take(&deck, ids, n, 1)
    q.nflop = min(n, 3)
    memcpy(q.flop, ids, q.nflop)
    q.nlater = n - q.nflop
    memcpy(q.later, ids + q.nflop, q.nlater)
    n = read_place(later, ids, "later", 0, 2)
    if q.nlater + n > 2:
        raise CardError(f"later: {n} cards given beside a board of {3 + q.nlater}; turn and river are two cards")
    take(&deck, ids, n, 2)
    memcpy(q.later + q.nlater, ids, n)
    q.nlater += n
    q.ndealer = read_place(dealer, ids, "dealer", 0, 2)
    take(&deck, ids, q.ndealer, 3)
    memcpy(q.dealer, ids, q.ndealer)
    n = read_place(dead, ids, "dead", 0, 52)
    take(&deck, ids, n, 4)
    uteh_question_init(&q, deck.taken)
    n = 5 - q.nflop - q.nlater + 2 - q.ndealer
    if q.nlive < n:
        raise CardError(f"dead: {q.nlive} cards are left, {n} are needed to finish the deal")
    return PyBytes_FromStringAndSize(<const char *>&q, sizeof(q)), uteh_boards(&q), uteh_dealer_hands(&q)


cdef const uteh_question *question_of(bytes record) except NULL:
    if len(record) != sizeof(uteh_question):
        raise ValueError("a question of another size")
    return <const uteh_question *><const char *>record


def board_shape(bytes record not None):
    """(flop cards known, board cards known) of a question."""
    cdef const uteh_question *q = question_of(record)
    return q.nflop, q.nflop + q.nlater


cdef int64_t room(const uteh_question *q, const uteh_plan *p, void **scratch) except -1:
    """Memory for an answer, to be freed; NULL where none is needed."""
    cdef int64_t size = uteh_question_scratch(q, p)
    scratch[0] = NULL
    if size:
        scratch[0] = malloc(<size_t>size)
        if scratch[0] == NULL:
            raise MemoryError
    return size


def odds(bytes record not None, bytes rules not None):
    """33 counts: category by category lose, tie, win, then the unqualified part of each."""
    cdef const uteh_question *q = question_of(record)
    cdef int qualifier = <int>rules_of(rules).qualifier
    cdef uteh_odds counts
    cdef const int64_t *all_counts = &counts.by_category[0][0]
    cdef void *scratch
    cdef int i
    room(q, NULL, &scratch)
    with nogil:
        uteh_question_odds(q, qualifier, scratch, &counts)
        free(scratch)
    return tuple([all_counts[i] for i in range(30)] + [counts.unqualified[i] for i in range(3)])


def plan(bytes rules not None, int street, tuple stakes not None, tuple plays not None, int64_t cap, tuple actions not None,
         int bet=-1):
    """(record, largest payoff) for the decisions of a street: stakes are five amounts in chips (Play is ignored), plays the sizes of
    Play, actions for each street a tuple of indexes into plays, -1 for a fold and -2 for a check. Payoffs are those of all bets, or of
    one."""
    cdef uteh_plan p
    cdef uteh_stakes s
    cdef int64_t sizes[8]
    cdef int i, j
    if not (0 <= street <= 2 and len(stakes) == 5 and len(plays) <= UTEH_MAX_PLAYS and len(actions) == 3):
        raise ValueError("a plan that does not fit")
    memset(&p, 0, sizeof(p))
    p.street = street
    for i in range(5):
        s.stake[i] = stakes[i]
    for i in range(len(plays)):
        sizes[i] = plays[i]
    for i in range(3):
        if not 1 <= len(actions[i]) <= UTEH_MAX_ACTIONS:
            raise ValueError("a plan that does not fit")
        p.nactions[i] = <int32_t>len(actions[i])
        for j in range(p.nactions[i]):
            p.actions[i][j] = actions[i][j]
            if not -2 <= p.actions[i][j] < len(plays):
                raise ValueError("a plan that does not fit")
    uteh_plan_payoffs(&p, rules_of(rules), &s, sizes, <int>len(plays), cap, bet)
    return PyBytes_FromStringAndSize(<const char *>&p, sizeof(p)), p.largest


cdef const uteh_plan *plan_of(bytes record) except NULL:
    if len(record) != sizeof(uteh_plan):
        raise ValueError("a plan of another size")
    return <const uteh_plan *><const char *>record


def plan_categories(bytes plan_record not None, bytes rules not None):
    """The categories below which dealer hands are counted for a plan: the qualifier, and those at which a payoff changes."""
    cdef int categories[9]
    cdef int n = uteh_plan_categories(plan_of(plan_record), <int>rules_of(rules).qualifier, categories), i
    return tuple([categories[i] for i in range(n)])


def values(bytes plan_record not None, bytes record not None):
    """The sum of each action of the plan's street over all deals."""
    cdef const uteh_plan *p = plan_of(plan_record)
    cdef const uteh_question *q = question_of(record)
    cdef uteh_wide sums[UTEH_MAX_ACTIONS]
    cdef void *scratch
    cdef int i
    room(q, p, &scratch)
    with nogil:
        uteh_question_values(q, p, scratch, sums)
        free(scratch)
    return tuple([<object>sums[i].high * 4294967296 + sums[i].low for i in range(p.nactions[p.street])])


def splits(bytes record not None):
    """In how many ways a completion of the board splits into flop and later cards."""
    return uteh_splits(question_of(record))


cdef int read_asked(tuple places, bytes rules, int64_t first, int64_t last, uteh_asked *a, Py_buffer *views) except -1:
    """Fills a from five places (buffer, cards a row, whether there is a row for each question); views are to be released, all five."""
    cdef const uteh_rules *packed = rules_of(rules)
    cdef int i, width, used = 0
    if not (0 <= first <= last <= INT64_MAX // 1024 and len(places) == UTEH_PLACES):
        raise ValueError("questions out of range")
    try:
        for i in range(UTEH_PLACES):
            buffer, width, by_row = places[i]
            if not 0 <= width <= 52:
                raise ValueError("a place that does not fit")
            get_buffer(buffer, &views[i], <Py_ssize_t>(width * (last if by_row else 1)), PyBUF_C_CONTIGUOUS)
            used += 1
            a.cards[i] = <const uint8_t *>views[i].buf
            a.width[i] = width
            a.stride[i] = width if by_row else 0
        if not (a.width[UTEH_HOLE] == 2 and a.width[UTEH_BOARD] <= 5 and a.width[UTEH_DEALER] <= 2
                and a.width[UTEH_LATER] + max(a.width[UTEH_BOARD] - 3, 0) <= 2):
            raise ValueError("a place that does not fit")
    except BaseException:
        for i in range(used):
            PyBuffer_Release(&views[i])
        raise
    a.both = packed.both != 0
    a.qualifier = <int32_t>packed.qualifier
    return 0


cdef int get_columns(tuple outs, const Py_ssize_t *width, int n, int64_t last, Py_buffer *views, void **to) except -1:
    """Pointers to the columns, NULL where one is None, of so many bytes a row; as many views as are returned are to be released."""
    cdef int i, used = 0
    if len(outs) != n:
        raise ValueError("columns that do not fit")
    try:
        for i in range(n):
            to[i] = NULL
            if outs[i] is not None:
                get_buffer(outs[i], &views[used], <Py_ssize_t>last * width[i], PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)
                to[i] = views[used].buf
                used += 1
    except BaseException:
        for i in range(used):
            PyBuffer_Release(&views[i])
        raise
    return used


def asked_check(tuple places not None, bytes rules not None, int64_t first, int64_t last):
    """The first of rows first to last - 1 that is no question, or last."""
    cdef uteh_asked a
    cdef Py_buffer views[5]
    cdef int64_t row
    read_asked(places, rules, first, last, &a, views)
    with nogil:
        row = uteh_asked_check(&a, first, last)
    for i in range(UTEH_PLACES):
        PyBuffer_Release(&views[i])
    return row


cdef int asked_room(const uteh_asked *a, const uteh_plan *p, void **scratch) except -1:
    """Memory that the answer to any row needs, to be freed."""
    cdef int nflop = min(a.width[UTEH_BOARD], 3)
    cdef int64_t size = uteh_most_scratch(nflop, a.width[UTEH_BOARD] - nflop + a.width[UTEH_LATER], p)
    scratch[0] = malloc(<size_t>size + 1)
    if scratch[0] == NULL:
        raise MemoryError
    return 0


def asked_odds(tuple places not None, bytes rules not None, tuple outs not None, int64_t first, int64_t last):
    """Answers to rows first to last - 1; outs are deals, three results and three unqualified ones (lose, tie, win), by_category (30
    a row), all int64, and equity (float64), each may be None."""
    cdef uteh_asked a
    cdef uteh_odds_columns columns
    cdef Py_buffer views[5]
    cdef Py_buffer targets[9]
    cdef Py_ssize_t[9] width = [8, 8, 8, 8, 8, 8, 8, 240, 8]
    cdef void *to[9]
    cdef void *scratch = NULL
    cdef int i, used = 0
    read_asked(places, rules, first, last, &a, views)
    try:
        used = get_columns(outs, width, 9, last, targets, to)
        asked_room(&a, NULL, &scratch)
        columns.deals = <int64_t *>to[0]
        for i in range(3):
            columns.result[i] = <int64_t *>to[1 + i]
            columns.unqualified[i] = <int64_t *>to[4 + i]
        columns.by_category = <int64_t *>to[7]
        columns.equity = <double *>to[8]
        with nogil:
            uteh_asked_odds(&a, first, last, scratch, &columns)
            free(scratch)
    finally:
        for i in range(used):
            PyBuffer_Release(&targets[i])
        for i in range(UTEH_PLACES):
            PyBuffer_Release(&views[i])


def asked_values(tuple places not None, bytes rules not None, bytes plan_record not None, dict denominators not None, tuple outs not None,
                 int64_t first, int64_t last):
    """Answers to rows first to last - 1; denominators has (denominator of the values, scale of the numerators) by live cards; outs are
    numerators (int64, a row of as many as the plan's street has actions), values (float64, the same), best (uint8) and margin
    (float64), each may be None."""
    cdef const uteh_plan *p = plan_of(plan_record)
    cdef uteh_asked a
    cdef uteh_value_columns columns
    cdef Py_buffer views[5]
    cdef Py_buffer targets[4]
    cdef Py_ssize_t n = p.nactions[p.street]
    cdef Py_ssize_t[4] width = [8 * n, 8 * n, 1, 8]
    cdef void *to[4]
    cdef void *scratch = NULL
    cdef int i, used = 0
    memset(&columns, 0, sizeof(columns))
    for live, (denominator, scale) in denominators.items():
        if not 0 <= live <= 52:
            raise ValueError("no such number of live cards")
        columns.denominator[<int>live] = denominator
        columns.scale[<int>live] = scale
    read_asked(places, rules, first, last, &a, views)
    try:
        if not (p.street == UTEH_PREFLOP or (a.width[UTEH_BOARD] >= 3 and (
                p.street == UTEH_FLOP or a.width[UTEH_BOARD] + a.width[UTEH_LATER] == 5))):
            raise ValueError("a street that the cards do not reach")
        used = get_columns(outs, width, 4, last, targets, to)
        asked_room(&a, p, &scratch)
        columns.numerators = <int64_t *>to[0]
        columns.values = <double *>to[1]
        columns.best = <uint8_t *>to[2]
        columns.margin = <double *>to[3]
        with nogil:
            uteh_asked_values(&a, p, first, last, scratch, &columns)
            free(scratch)
    finally:
        for i in range(used):
            PyBuffer_Release(&targets[i])
        for i in range(UTEH_PLACES):
            PyBuffer_Release(&views[i])


# Settlement -------------------------------------------------------------------------------------------------------------------

def cells(bytes rules not None):
    """The record with every outcome's factors and reasons under packed rules, and the largest amount that cannot overflow."""
    cdef uteh_cells c
    uteh_cells_init(&c, rules_of(rules))
    return PyBytes_FromStringAndSize(<const char *>&c, sizeof(c)), c.limit


cdef const uteh_cells *cells_of(bytes record) except NULL:
    if len(record) != sizeof(uteh_cells):
        raise ValueError("cells of another size")
    return <const uteh_cells *><const char *>record


def settle_round(bytes cells_record not None, hole, dealer, board, int64_t ante, int64_t play, int64_t blind, int64_t trips,
                 int64_t bad_beat, int64_t cap, int street, bint whole):
    """One round: (code, field) where the bets are wrong, otherwise (nets, (result, strengths of player, dealer and board, qualifies),
    (reasons, mask of the bets that were cut)). Amounts are chips; a cap below 0 is none. With whole, net is in chips, otherwise in
    1/unit of a chip."""
    cdef const uteh_cells *c = cells_of(cells_record)
    cdef uteh_deck deck
    cdef uteh_round r
    cdef uint8_t ids[MOST]
    cdef uint8_t cards[9]
    cdef int64_t stake[6]
    cdef int64_t net[5]
    cdef int code, field = 0, bet
    cdef unsigned cut
    cdef char reasons[5]
    memset(&deck, 0, sizeof(deck))
    read_place(hole, ids, "hole", 2, 2)
    memcpy(cards, ids, 2)
    take(&deck, ids, 2, 0)
    read_place(dealer, ids, "dealer", 2, 2)
    memcpy(cards + 2, ids, 2)
    take(&deck, ids, 2, 3)
    read_place(board, ids, "board", 5, 5)
    memcpy(cards + 4, ids, 5)
    take(&deck, ids, 5, 1)
    stake[0] = ante
    stake[1] = play
    stake[2] = blind
    stake[3] = trips
    stake[4] = bad_beat
    stake[5] = max(cap, 0)
    code = uteh_round_check(c, stake, cap >= 0, street, &field)
    if code:
        return code, field
    uteh_round_rank(c, cards, play == 0, &r)
    for bet in range(5):
        net[bet] = stake[bet] * c.factor[bet][r.cell]
        reasons[bet] = <char>(c.reason[bet][r.cell] if stake[bet] else 0)
        if whole:
            code = uteh_break(c, &net[bet])
            if code:
                return code, bet
    cut = uteh_cap(net, cap if whole or cap < 0 else cap * c.unit)
    return ((net[0], net[1], net[2], net[3], net[4]), (r.result, r.player, r.dealer, r.board, r.qualifies != 0),
            (PyBytes_FromStringAndSize(reasons, 5), cut))


# Results of so many bytes are written past the caches.
cdef enum:
    STREAMED = 16777216


def settle_rounds(bytes cells_record not None, int step, cards, tuple amounts not None, bint floats, street, tuple outs not None,
                  int64_t first, int64_t last):
    """A range of rows: step 0 checks the bets, 1 looks for winnings that are no whole chips, 2 settles; (row, code, field), row is
    last where nothing is wrong. amounts are six buffers of int64 or float64 (the sixth may be None), of one item for every row or
    one a row; outs eleven, each may be None: five nets, total, result, player, dealer, qualifies, reasons."""
    cdef const uteh_cells *c = cells_of(cells_record)
    cdef uteh_rounds r
    cdef Py_buffer views[20]
    cdef int used = 0, i, code = 0, field = 0
    cdef int64_t row, written = 0
    cdef void *out[11]
    cdef int[11] width = [8, 8, 8, 8, 8, 8, 1, 2, 2, 1, 5]
    if not (0 <= first <= last <= INT64_MAX // 16 and len(amounts) == 6 and len(outs) == 11 and 0 <= step <= 2):
        raise ValueError("rounds out of range")
    memset(&r, 0, sizeof(r))
    try:
        get_buffer(cards, &views[used], <Py_ssize_t>(last * 9), PyBUF_C_CONTIGUOUS)
        r.cards = <const uint8_t *>views[used].buf
        used += 1
        r.floats = floats
        for i in range(6):
            if amounts[i] is None:
                if i < 5:
                    raise ValueError("an amount is missing")
                continue
            get_buffer(amounts[i], &views[used], 8, PyBUF_C_CONTIGUOUS)
            used += 1
            r.amount[i] = views[used - 1].buf
            r.stride[i] = views[used - 1].len > 8
            if r.stride[i] and views[used - 1].len < last * 8:
                raise ValueError("an amount of another length")
        r.capped = amounts[5] is not None
        if street is not None:
            get_buffer(street, &views[used], 1, PyBUF_C_CONTIGUOUS)
            used += 1
            r.street = <const uint8_t *>views[used - 1].buf
            r.street_stride = views[used - 1].len > 1
            if r.street_stride and views[used - 1].len < last:
                raise ValueError("streets of another length")
        for i in range(11):
            out[i] = NULL
            if outs[i] is not None:
                get_buffer(outs[i], &views[used], <Py_ssize_t>(last * width[i]), PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)
                out[i] = views[used].buf
                written += views[used].len
                used += 1
        for i in range(5):
            r.net[i] = out[i]
        r.total = out[5]
        r.streamed = written > STREAMED
        r.result = <int8_t *>out[6]
        r.player = <uint16_t *>out[7]
        r.dealer = <uint16_t *>out[8]
        r.qualifies = <uint8_t *>out[9]
        r.reasons = <uint8_t *>out[10]
        with nogil:
            row = last
            if step == 0:
                row = uteh_rounds_check(c, &r, first, last, &code, &field)
            elif step == 1:
                row = uteh_rounds_whole(c, &r, first, last, &field)
            else:
                uteh_rounds_settle(c, &r, first, last)
    finally:
        for i in range(used):
            PyBuffer_Release(&views[i])
    return row, code, field


cdef const void *tables_buffer(object owner, Py_buffer *views, int *used, int64_t size, int flags) except? NULL:
    """The memory of a buffer of at least size bytes, which joins the views; NULL for None."""
    if owner is None:
        return NULL
    get_buffer(owner, &views[used[0]], <Py_ssize_t>size, PyBUF_C_CONTIGUOUS | flags)
    used[0] += 1
    return views[used[0] - 1].buf


cdef const void *tables_amount(object owner, Py_buffer *views, int *used, int64_t n, int64_t *stride) except? NULL:
    """The same for amounts: one, or n."""
    cdef const void *found = tables_buffer(owner, views, used, 8, 0)
    if found != NULL:
        stride[0] = views[used[0] - 1].len > 8
        if stride[0] and views[used[0] - 1].len < n * 8:
            raise ValueError("an amount of another length")
    return found


def settle_tables(bytes cells_record not None, bytes rules not None, int step, tuple shape not None, tuple cards not None,
                  tuple amounts not None, street, bint floats, tuple money not None, tuple outs not None, int64_t first, int64_t last):
    """A range of tables. Step 0 looks for bad cards, 1 for bad bets, 2 for winnings that are no whole chips, 3 settles, 4 does the fund's
    part of that alone; (table or row, code, field), the first being where the range ends if nothing is wrong.

    shape is (rows, rows a table or 0, the first row of each table or None, whether rows may share a hole, the most of an amount);
    cards are holes, dealers, boards and who is seated (or None); amounts five buffers, money the fund, fees and the player-dealer's fees
    (each may be None), of one item or one a row or table; outs the nets by bet (five), result, player, dealer, qualifies, reasons, net,
    bank_net, returned, uncovered, and the last two by bet (each may be None)."""
    cdef const uteh_cells *c = cells_of(cells_record)
    cdef const uteh_rules *packed = rules_of(rules)
    cdef uteh_tables t
    cdef Py_buffer views[32]
    cdef int used = 0, i, code = 0, field = 0
    cdef int64_t found, limit = shape[4]
    cdef const void *out[16]
    cdef int[16] width = [8, 8, 8, 8, 8, 1, 2, 2, 1, 5, 8, 8, 8, 8, 40, 40]
    memset(&t, 0, sizeof(t))
    t.rows = shape[0]
    t.seats = shape[1]
    t.shared = bool(shape[3])
    if not (0 <= first <= last <= INT64_MAX // 16 and 0 <= t.rows <= INT64_MAX // 64 and len(amounts) == 5 and len(outs) == 16
            and len(cards) == 4 and len(money) == 3 and 0 <= step <= 4 and 0 <= t.seats <= 1 << 20):
        raise ValueError("tables out of range")
    for i in range(5):
        t.order[0][i] = packed.wager_order[i]
        t.order[1][i] = packed.losing_order[i]
    t.gross = packed.fund_gross != 0
    t.rounds.floats = floats
    try:
        t.start = <const int64_t *>tables_buffer(shape[2], views, &used, (last + 1) * 8, 0)
        t.holes = <const uint8_t *>tables_buffer(cards[0], views, &used, t.rows * 2, 0)
        t.dealers = <const uint8_t *>tables_buffer(cards[1], views, &used, last * 2, 0)
        t.boards = <const uint8_t *>tables_buffer(cards[2], views, &used, last * 5, 0)
        t.seated = <const uint8_t *>tables_buffer(cards[3], views, &used, t.rows, 0)
        for i in range(5):
            t.rounds.amount[i] = tables_amount(amounts[i], views, &used, t.rows, &t.rounds.stride[i])
        t.rounds.street = <const uint8_t *>tables_buffer(street, views, &used, 1, 0)
        if street is not None:
            t.rounds.street_stride = views[used - 1].len > 1
            if t.rounds.street_stride and views[used - 1].len < t.rows:
                raise ValueError("streets of another length")
        t.fund = tables_amount(money[0], views, &used, last, &t.fund_stride)
        t.fee = tables_amount(money[1], views, &used, t.rows, &t.fee_stride)
        t.bank_fee = tables_amount(money[2], views, &used, last, &t.bank_fee_stride)
        for i in range(16):
            out[i] = tables_buffer(outs[i], views, &used, (last if i == 11 else t.rows) * width[i], PyBUF_WRITABLE)
        for i in range(5):
            t.rounds.net[i] = <void *>out[i]
        t.rounds.result = <int8_t *>out[5]
        t.rounds.player = <uint16_t *>out[6]
        t.rounds.dealer = <uint16_t *>out[7]
        t.rounds.qualifies = <uint8_t *>out[8]
        t.rounds.reasons = <uint8_t *>out[9]
        t.net = <void *>out[10]
        t.bank_net = <void *>out[11]
        t.returned = <void *>out[12]
        t.uncovered = <void *>out[13]
        t.returned_by_bet = <void *>out[14]
        t.uncovered_by_bet = <void *>out[15]
        for i in range(5):
            if t.rounds.amount[i] == NULL:
                raise ValueError("an amount is missing")
        if (step != 4 and (cards[0] is None or cards[1] is None or cards[2] is None)) or (step > 2 and t.rounds.result == NULL and t.rows):
            raise ValueError("something is missing")
        with nogil:
            found = last
            if step == 0:
                found = uteh_tables_cards(&t, first, last)
            elif step == 1:
                found = uteh_tables_check(c, &t, limit, first, last, &code, &field)
            elif step == 2:
                found = uteh_tables_whole(c, &t, first, last, &field)
            elif step == 3:
                uteh_tables_settle(c, &t, first, last)
            else:
                uteh_tables_fund(&t, first, last)
    finally:
        for i in range(used):
            PyBuffer_Release(&views[i])
    return found, code, field


# Side bets --------------------------------------------------------------------------------------------------------------------

def side(tuple known not None, tuple dead not None, int cards, bint hole, bint both, bint dealers):
    """(record, units) of a side bet: the known cards of a hand of so many cards, or, where cards is 0, of the hole (or not) and the
    board; dead cards come no more."""
    cdef uteh_side s
    cdef uint64_t taken = 0
    cdef int i
    if not (len(known) <= (cards or (7 if hole else 5)) and cards in (0, 5, 7) and len(known) >= 2 * hole):
        raise ValueError("a side bet that does not fit")
    memset(&s, 0, sizeof(s))
    s.cards = cards
    s.hole = hole
    s.both = both
    s.dealers = dealers
    for card in known:
        s.known[s.nknown] = card
        s.nknown += 1
    for card in (*known, *dead):
        if not 0 <= card <= 51 or taken >> <int>card & 1:
            raise ValueError("a card that does not fit")
        taken |= <uint64_t>1 << <int>card
    for i in range(52):
        if not taken >> i & 1:
            s.live[s.nlive] = i
            s.nlive += 1
    return (PyBytes_FromStringAndSize(<const char *>&s, sizeof(s)), uteh_side_hands(&s) if cards else uteh_side_boards(&s))


def side_range(bytes record not None, int64_t first, int64_t last, counts):
    """Adds the units first to last - 1 of a side bet to a buffer of 40 int64."""
    cdef const uteh_side *s
    cdef Py_buffer view
    if len(record) != sizeof(uteh_side):
        raise ValueError("a side bet of another size")
    s = <const uteh_side *><const char *>record
    if not 0 <= first <= last <= (uteh_side_hands(s) if s.cards else uteh_side_boards(s)):
        raise ValueError("units out of range")
    get_buffer(counts, &view, 40 * 8, PyBUF_SIMPLE | PyBUF_WRITABLE)
    with nogil:
        if s.cards:
            uteh_side_hands_range(s, first, last, <int64_t *>view.buf)
        else:
            uteh_side_boards_range(s, first, last, <int64_t *>view.buf)
    PyBuffer_Release(&view)


# The whole game ---------------------------------------------------------------------------------------------------------------

def payoffs(bytes plan_record not None):
    """The payoffs of a plan: (by category after a fold, for each play (win [player][dealer], lose, tie) flat: 210 numbers)."""
    cdef const uteh_plan *p = plan_of(plan_record)
    cdef int i, j
    cdef const int64_t *pay
    cdef list plays = []
    for i in range(UTEH_MAX_PLAYS):
        pay = &p.pay[i].win[0][0]
        plays.append([pay[j] for j in range(210)])
    return [p.fold[i] for i in range(10)], plays


def game(bytes plan_record not None, bytes rules not None, bint wide, dealer, int flop_exposed):
    """The record of a game: a plan, whether sums need 64 bits, the cards of the dealer's that the player sees, and how many of the
    flop's."""
    cdef uteh_game g
    cdef const uteh_rules *packed = rules_of(rules)
    cdef int i
    if not (len(dealer) <= 2 and 0 <= flop_exposed <= 1):
        raise ValueError("a game that does not fit")
    memset(&g, 0, sizeof(g))
    g.plan = plan_of(plan_record)[0]
    g.qualifier = <int32_t>packed.qualifier
    g.both = packed.both != 0
    g.wide = wide
    g.ndealer = <int32_t>len(dealer)
    g.flop_exposed = flop_exposed
    for i in range(g.ndealer):
        if not 0 <= dealer[i] < 52:
            raise ValueError("a game that does not fit")
        g.dealer[i] = dealer[i]
    return PyBytes_FromStringAndSize(<const char *>&g, sizeof(g))


cdef const uteh_game *game_of(bytes record) except NULL:
    if len(record) != sizeof(uteh_game):
        raise ValueError("a game of another size")
    return <const uteh_game *><const char *>record


cdef Py_ssize_t hands_size(const uteh_game *g):
    return UTEH_HOLES * (52 if g.flop_exposed else 1)


def game_scratch(bytes record not None, bint after):
    """Bytes of a scratch for the values of a game, or for what comes after them."""
    return uteh_game_scratch(game_of(record), after)


def game_units(bytes record not None, int stage):
    """Units of a stage."""
    if not 0 <= stage < UTEH_STAGES:
        raise ValueError("no such stage")
    return uteh_game_units(game_of(record), stage)


def game_range(bytes record not None, bint after, int stage, int64_t first, int64_t last, shared, scratch, flops, first_actions, rivers):
    """Does the units first to last - 1 of a stage; flops, first_actions and rivers are None where the stage has no use for them."""
    cdef const uteh_game *g = game_of(record)
    cdef Py_buffer views[5]
    cdef void *pointers[5]
    cdef Py_ssize_t[5] sizes
    cdef int used = 0, i
    if not (0 <= stage < UTEH_STAGES and 0 <= first <= last <= uteh_game_units(g, stage)):
        raise ValueError("units out of range")
    if stage != UTEH_STAGE_SETS and after != (stage >= UTEH_STAGE_COUNTS):
        raise ValueError("a scratch for other stages")
    sizes[0] = sizes[1] = <Py_ssize_t>uteh_game_scratch(g, after)
    sizes[2] = <Py_ssize_t>(uteh_game_units(g, UTEH_STAGE_FLOPS) * UTEH_HOLES)
    sizes[3] = hands_size(g)
    sizes[4] = <Py_ssize_t>uteh_river_bytes(uteh_game_river_bits(g))
    if (stage == UTEH_STAGE_COUNTS and (flops is None or first_actions is None)) or (stage == UTEH_STAGE_RIVERS and rivers is None):
        raise ValueError("a buffer is missing")
    try:
        for i, owner in enumerate((shared, scratch, flops, first_actions, rivers)):
            pointers[i] = NULL
            if owner is None:
                continue
            get_buffer(owner, &views[used], sizes[i], PyBUF_SIMPLE | PyBUF_WRITABLE)
            pointers[i] = views[used].buf
            used += 1
        with nogil:
            uteh_game_range(g, stage, first, last, pointers[0], pointers[1], <uint8_t *>pointers[2], <const uint8_t *>pointers[3],
                            <uint8_t *>pointers[4])
    finally:
        for i in range(used):
            PyBuffer_Release(&views[i])


def game_merge(bytes record not None, int stage, shared, scratch):
    """Moves what a stage has added up in another scratch to the shared one."""
    cdef const uteh_game *g = game_of(record)
    cdef Py_ssize_t size = <Py_ssize_t>uteh_game_scratch(g, stage >= UTEH_STAGE_COUNTS)
    cdef Py_buffer to, source
    get_buffer(shared, &to, size, PyBUF_SIMPLE | PyBUF_WRITABLE)
    try:
        get_buffer(scratch, &source, size, PyBUF_SIMPLE | PyBUF_WRITABLE)
        with nogil:
            uteh_game_merge(g, stage, to.buf, source.buf)
        PyBuffer_Release(&source)
    finally:
        PyBuffer_Release(&to)


def game_hands(bytes record not None):
    """(uint32 numbers of the starting hands by hole (and exposed flop card), 2**32 - 1 for none; how many numbers there may be)."""
    cdef const uteh_game *g = game_of(record)
    cdef bytearray which = bytearray(4 * hands_size(g))
    return which, uteh_game_hands(g, <uint32_t *><char *>which)


def game_sums(bytes record not None, shared, bytearray which not None, Py_ssize_t numbers):
    """(raised by starting hand and then by action, checked by starting hand): Python ints in flat lists."""
    cdef const uteh_game *g = game_of(record)
    cdef Py_ssize_t bets = 0, i
    cdef bytearray raised, checked
    cdef uteh_wide *sums
    cdef Py_buffer view
    if len(which) != 4 * hands_size(g) or numbers < 169 or numbers > hands_size(g):
        raise ValueError("hands that do not fit")
    for i in range(len(which) // 4):
        if (<const uint32_t *><const char *>which)[i] >= numbers and (<const uint32_t *><const char *>which)[i] != <uint32_t>-1:
            raise ValueError("hands that do not fit")
    for i in range(g.plan.nactions[UTEH_PREFLOP]):
        bets += g.plan.actions[UTEH_PREFLOP][i] != UTEH_A_CHECK
    raised = bytearray(numbers * bets * sizeof(uteh_wide))
    checked = bytearray(numbers * sizeof(uteh_wide))
    get_buffer(shared, &view, <Py_ssize_t>uteh_game_scratch(g, 0), PyBUF_SIMPLE)
    uteh_game_sums(g, view.buf, <const uint32_t *><const char *>which, <uteh_wide *><char *>raised, <uteh_wide *><char *>checked)
    PyBuffer_Release(&view)
    sums = <uteh_wide *><char *>raised
    first = [<object>sums[i].high * 4294967296 + sums[i].low for i in range(numbers * bets)]
    sums = <uteh_wide *><char *>checked
    return first, [<object>sums[i].high * 4294967296 + sums[i].low for i in range(numbers)]


def game_ends(bytes record not None, shared, first_actions):
    """730 counts of how deals end: by last action (five plays, a fold), the player's category, and 12 levels; then of those folded by
    the board's category. With first_actions those that end before the flop, from the scratch of the values; otherwise the others."""
    cdef const uteh_game *g = game_of(record)
    cdef Py_buffer view, actions
    cdef uteh_ends ends
    cdef const int64_t *counts = &ends.by_level[0][0][0]
    cdef int i
    get_buffer(shared, &view, <Py_ssize_t>uteh_game_scratch(g, first_actions is None), PyBUF_SIMPLE)
    try:
        if first_actions is None:
            uteh_game_ends(g, view.buf, &ends)
        else:
            get_buffer(first_actions, &actions, UTEH_HOLES, PyBUF_SIMPLE)
            uteh_game_first_ends(g, view.buf, <const uint8_t *>actions.buf, &ends)
            PyBuffer_Release(&actions)
    finally:
        PyBuffer_Release(&view)
    return tuple([counts[i] for i in range(720)] + [ends.fold_board[i] for i in range(10)])


def river_bytes(bytes record not None):
    """Bytes of the decisions on the river."""
    return uteh_river_bytes(uteh_game_river_bits(game_of(record)))


def strategy(cards, int k, decisions, out, int64_t first, int64_t last):
    """Rows first to last - 1 of k cards: the starting hand's number (2), the place of the flop action (5) or of the river action (7),
    from the decisions of that street."""
    cdef Py_buffer view, target, table
    cdef const uint8_t *rows
    cdef uint8_t *to
    cdef Py_ssize_t size
    cdef int bits
    if not (k in (2, 5, 7) and 0 <= first <= last <= INT64_MAX // 16):
        raise ValueError("rows out of range")
    bits = 2 if len(decisions) < uteh_river_bytes(4) else 4
    size = 0 if k == 2 else UTEH_FLOPS * UTEH_HOLES if k == 5 else <Py_ssize_t>uteh_river_bytes(bits)
    get_buffer(cards, &view, <Py_ssize_t>(last * k), PyBUF_C_CONTIGUOUS)
    try:
        get_buffer(decisions, &table, size, PyBUF_SIMPLE)
        try:
            get_buffer(out, &target, <Py_ssize_t>last, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)
            rows = <const uint8_t *>view.buf + first * k
            to = <uint8_t *>target.buf + first
            with nogil:
                if k == 2:
                    uteh_classes(rows, last - first, to)
                elif k == 5:
                    uteh_flop_decisions(rows, last - first, <const uint8_t *>table.buf, to)
                else:
                    uteh_river_decisions(rows, last - first, <const uint8_t *>table.buf, bits, to)
            PyBuffer_Release(&target)
        finally:
            PyBuffer_Release(&table)
    finally:
        PyBuffer_Release(&view)


# Random rounds ----------------------------------------------------------------------------------------------------------------

cdef int words_of(bytes key, uint64_t *words) except -1:
    """A key of 16 bytes, the lowest first."""
    cdef int i
    if len(key) != 16:
        raise ValueError("a key has 16 bytes")
    words[0] = words[1] = 0
    for i in range(16):
        words[i // 8] |= <uint64_t>key[i] << 8 * (i % 8)
    return 0


def philox(tuple counter not None, bytes key not None):
    """The block of four words of the generator at a counter of four."""
    cdef uint64_t[4] at
    cdef uint64_t[4] out
    cdef uint64_t[2] words
    words_of(key, words)
    at[0], at[1], at[2], at[3] = counter
    uteh_philox(at, words, out)
    return out[0], out[1], out[2], out[3]


def deal(bytes key not None, int64_t start, out, int64_t first, int64_t last, path=None):
    """Writes the rounds start + first to start + last - 1 into the rows first to last - 1 of out (uint8, nine a row)."""
    cdef uint64_t[2] words
    cdef Py_buffer target
    cdef int on = uteh_cpu_path() if path is None else path_of(path, "path")
    words_of(key, words)
    if not (0 <= first <= last <= INT64_MAX // 16 and 0 <= start <= INT64_MAX - last):
        raise ValueError("rounds out of range")
    get_buffer(out, &target, <Py_ssize_t>(last * 9), PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)
    with nogil:
        uteh_deal_rows(on, words, <uint64_t>(start + first), last - first, <uint8_t *>target.buf + first * 9)
    PyBuffer_Release(&target)


def player(bytes key not None, bytes rules not None, first, flop, river, bint packed=False, int river_bits=4):
    """The record of who plays: key and rules of the rounds; what to do before the flop by starting hand, and what the places among the
    decisions on flop and river mean, as the core's turns; whether the decisions on the flop are a bit each, and how many bits those on
    the river."""
    cdef uteh_player p
    cdef const uteh_rules *under = rules_of(rules)
    cdef uint8_t[169] by_class
    cdef int i
    if (len(first) != 169 or len(flop) > 8 or len(river) > 8 or max(*first, *flop, *river) > UTEH_TURN_CHECK
            or river_bits not in (2, 4)):
        raise ValueError("a player who does not fit")
    memset(&p, 0, sizeof(p))
    words_of(key, p.key)
    p.both = under.both != 0
    p.fold_by_board = under.trips_on_fold == 1
    p.packed = packed
    p.river_bits = river_bits
    for i in range(169):
        by_class[i] = first[i]
    for i in range(len(flop)):
        p.flop[i] = flop[i]
    for i in range(len(river)):
        p.river[i] = river[i]
    uteh_player_init(&p, by_class)
    return PyBytes_FromStringAndSize(<const char *>&p, sizeof(p))


cdef const uteh_player *player_of(bytes record) except NULL:
    if len(record) != sizeof(uteh_player):
        raise ValueError("a player of another size")
    return <const uteh_player *><const char *>record


cdef int note(const uteh_counts *counts, int64_t *totals, list done, int64_t start, int64_t stop) except -1:
    """Adds what has been counted, and says which rounds that were: all of it or none, since no signal is seen in between."""
    cdef int i
    if done and done[len(done) - 1][1] == start:
        start = done.pop()[0]
    done.append((start, stop))
    for i in range(UTEH_ENDS):
        totals[i] += counts.end[i]
    return 0


def ends():
    """How many ways there are in which a round can end, which is how many int64 there are in a buffer of counts."""
    return UTEH_ENDS


def simulate(bytes player_record not None, bytes flops not None, bytes rivers not None, int64_t start, int64_t stop, totals,
             list done not None):
    """Plays the rounds start to stop - 1, adds their ends to totals and the range to done."""
    cdef const uteh_player *p = player_of(player_record)
    cdef const uint8_t *on_flop = <const uint8_t *><const char *>flops
    cdef const uint8_t *on_river = <const uint8_t *><const char *>rivers
    cdef uteh_counts counts
    cdef Py_buffer view
    if not (0 <= start <= stop and len(rivers) >= uteh_river_bytes(p.river_bits)
            and len(flops) >= (UTEH_FLOPS * UTEH_HOLES // 8 + 1 if p.packed else UTEH_FLOPS * UTEH_HOLES)):
        raise ValueError("rounds out of range")
    get_buffer(totals, &view, UTEH_ENDS * 8, PyBUF_SIMPLE | PyBUF_WRITABLE)
    try:
        with nogil:
            memset(&counts, 0, sizeof(counts))
            uteh_simulate(p, on_flop, on_river, <uint64_t>start, stop - start, &counts)
        note(&counts, <int64_t *>view.buf, done, start, stop)
    finally:
        PyBuffer_Release(&view)


def count_rounds(bytes player_record not None, rows, actions, int64_t start, int64_t stop, totals, list done not None):
    """The same for rounds that others have played: nine cards and the core's turn of each."""
    cdef const uteh_player *p = player_of(player_record)
    cdef uteh_counts counts
    cdef Py_buffer views[3]
    cdef int used = 0, i
    if not 0 <= start <= stop <= start + INT64_MAX // 16:
        raise ValueError("rounds out of range")
    try:
        get_buffer(totals, &views[0], UTEH_ENDS * 8, PyBUF_SIMPLE | PyBUF_WRITABLE)
        used = 1
        get_buffer(rows, &views[1], <Py_ssize_t>((stop - start) * 9), PyBUF_C_CONTIGUOUS)
        used = 2
        get_buffer(actions, &views[2], <Py_ssize_t>(stop - start), PyBUF_C_CONTIGUOUS)
        used = 3
        with nogil:
            memset(&counts, 0, sizeof(counts))
            uteh_count_rounds(p, <const uint8_t *>views[1].buf, <const uint8_t *>views[2].buf, stop - start, &counts)
        note(&counts, <int64_t *>views[0].buf, done, start, stop)
    finally:
        for i in range(used):
            PyBuffer_Release(&views[i])


# Seats at one table -----------------------------------------------------------------------------------------------------------

def pairs_scratch():
    """Bytes of a scratch, which starts as zeros and serves one thread at a time."""
    return uteh_pairs_scratch()


def pairs_range(tuple plans not None, tuple decisions not None, tuple firsts not None, bint both, scratch, int64_t first, int64_t last):
    """Boards first to last - 1 of the joint moments of up to four kinds of seats: (sums of the net wins, of their squares, of the products
    of two seats by kind and kind), in the payoffs' units. None where a payoff is too large for that."""
    cdef uteh_pairs p
    cdef uteh_pair_sums sums
    cdef int i, j
    cdef bytes record
    cdef Py_buffer view
    memset(&p, 0, sizeof(p))
    memset(&sums, 0, sizeof(sums))
    p.nkinds = <int32_t>len(plans)
    p.both = both
    if not (1 <= p.nkinds <= UTEH_MOST_KINDS and p.nkinds == len(decisions) == len(firsts)
            and 0 <= first <= last <= UTEH_PAIR_BOARDS):
        raise ValueError("pairs out of range")
    for i in range(p.nkinds):
        record = plans[i]  # the tuples keep the records while the core reads them
        p.plan[i] = plan_of(record)
        if p.plan[i].largest > UTEH_PAIRS_LARGEST:
            return None
        record = decisions[i]
        p.decisions[i] = <const uint8_t *><const char *>record
        if len(record) != UTEH_FLOPS * UTEH_HOLES:
            raise ValueError("decisions of another size")
        record = firsts[i]
        p.first[i] = <const uint8_t *><const char *>record
        if len(record) != UTEH_CLASSES:
            raise ValueError("decisions of another size")
    get_buffer(scratch, &view, <Py_ssize_t>uteh_pairs_scratch(), PyBUF_SIMPLE | PyBUF_WRITABLE)
    with nogil:
        uteh_pairs_range(&p, first, last, view.buf, &sums)
    PyBuffer_Release(&view)
    return ([wide(&sums.net[i]) for i in range(p.nkinds)], [wide(&sums.square[i]) for i in range(p.nkinds)],
            [[wide(&sums.product[i][j]) if j >= i else 0 for j in range(p.nkinds)] for i in range(p.nkinds)])


cdef object wide(const uteh_wide *sum):
    return <object>sum.high * 4294967296 + sum.low
