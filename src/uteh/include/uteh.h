/* uteh from C: the strength of hands without Python in between, for extension modules and for programs that embed Python.

       #include <uteh.h>                       compile with -I and what uteh.get_include() says; nothing is linked

       const uteh_api *api = uteh_import();    once, with the GIL; NULL with a Python exception if it fails
       uint16_t s = api->strength(cards, 7);   as often as you like, from any thread, with or without the GIL

   A card is rank * 4 + suit: ranks 2 to A are 0 to 12, suits c d h s are 0 to 3. A strength runs from 1 (7-5-4-3-2) to 7462 (a royal
   flush); higher is better, equal is a tie. Any bytes are safe in the place of cards, but ids over 51 and repeated cards give a number
   without meaning; first_bad_row finds them. */
#ifndef UTEH_H
#define UTEH_H

#include <Python.h>
#include <stdint.h>

/* Goes up with every change of the struct. What was compiled with another one is refused, and has to be compiled again. */
#define UTEH_ABI 1

typedef struct {
    uint32_t abi;  /* UTEH_ABI */
    uint32_t size; /* of this struct */

    /* Strength of n cards; n is 5, 6 or 7, anything else gives 0. */
    uint16_t (*strength)(const uint8_t *cards, int n);

    /* Strengths of n rows of k cards into out, by the vector instructions of this processor; k is 5, 6 or 7, anything else writes
       nothing. */
    void (*strength_rows)(const uint8_t *rows, int64_t n, int k, uint16_t *out);

    /* The first of n rows of k cards that has an id over 51 or a card twice, or n; k is 1 to 9, anything else gives 0, as no rows do. */
    int64_t (*first_bad_row)(const uint8_t *rows, int64_t n, int k);

    /* Category of a strength: 0 high card, 1 pair, 2 two pair, 3 three of a kind, 4 straight, 5 flush, 6 full house, 7 four of a kind,
       8 straight flush, 9 royal flush; 255 for what is no strength. */
    uint8_t (*category)(uint16_t strength);
} uteh_api;

/* Imports uteh and returns its functions, or NULL with a Python exception. The struct stays where it is until the interpreter ends. */
static inline const uteh_api *uteh_import(void)
{
    const uteh_api *api = (const uteh_api *)PyCapsule_Import("uteh._eval._C_API", 0);

    if (api == NULL)
        return NULL;
    if (api->abi != UTEH_ABI || api->size != sizeof(uteh_api)) {
        PyErr_Format(PyExc_ImportError, "uteh has C API %u of %u bytes; this module was compiled with %u of %u bytes",
                     (unsigned)api->abi, (unsigned)api->size, (unsigned)UTEH_ABI, (unsigned)sizeof(uteh_api));
        return NULL;
    }
    return api;
}

#endif
