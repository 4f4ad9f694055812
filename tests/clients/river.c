/* A Python module in C on top of uteh: how often a hand wins, ties and loses on the river, by counting all 990 dealer hands. */
#include <uteh.h>

#include <string.h>

static const uteh_api *api;

static PyObject *count(PyObject *module, PyObject *args)
{
    Py_buffer view;
    uint8_t dealer[7], rows[990][7];
    uint16_t strengths[990], player;
    long n = 0, i, totals[3] = {0, 0, 0};
    uint64_t taken = 0;
    int a, b;

    (void)module;
    if (!PyArg_ParseTuple(args, "y*", &view)) /* hole and board, seven ids */
        return NULL;
    if (view.len != 7 || api->first_bad_row((const uint8_t *)view.buf, 1, 7) != 1) {
        PyErr_SetString(PyExc_ValueError, "seven different card ids are needed");
        PyBuffer_Release(&view);
        return NULL;
    }
    player = api->strength((const uint8_t *)view.buf, 7);
    for (i = 0; i < 7; i++)
        taken |= (uint64_t)1 << ((const uint8_t *)view.buf)[i];
    memcpy(dealer, view.buf, 7);
    PyBuffer_Release(&view);
    for (a = 0; a < 52; a++)
        for (b = 0; b < a; b++)
            if (!(taken >> a & 1) && !(taken >> b & 1)) {
                dealer[0] = (uint8_t)a;
                dealer[1] = (uint8_t)b;
                memcpy(rows[n++], dealer, 7);
            }
    Py_BEGIN_ALLOW_THREADS api->strength_rows(rows[0], n, 7, strengths);
    for (i = 0; i < n; i++)
        totals[strengths[i] > player ? 2 : strengths[i] == player]++;
    Py_END_ALLOW_THREADS return Py_BuildValue("lll", totals[0], totals[1], totals[2]);
}

static PyMethodDef methods[] = {
    {"count", count, METH_VARARGS, "Wins, ties and losses of a hole and a board, given as seven bytes."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "river", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_river(void)
{
    api = uteh_import();
    return api == NULL ? NULL : PyModule_Create(&definition);
}
