/* A plug-in in C: x².
 *
 *     cc -shared -fPIC -I graph/plugin/include graph/plugin/examples/square.c -o libsquare.so
 *
 * The tests build it also with a wrong version (ABI), another entry (ENTRY) and another name (NAME).
 */
#include "coenzyme_plugin.h"

#ifndef ABI
#define ABI COENZYME_ABI
#endif
#ifndef ENTRY
#define ENTRY coenzyme_plugin
#endif
#ifndef NAME
#define NAME "square::square"
#endif

static size_t entries(const coenzyme_array *x) {
    size_t n = 1;
    for (size_t i = 0; i < x->rank; i++) n *= x->shape[i];
    return n;
}

static int32_t value(const void *c, const coenzyme_array *x, size_t n, const coenzyme_array *y, char *message) {
    (void)c, (void)n, (void)message;
    for (size_t i = 0; i < entries(y); i++) y->data[i] = x->data[i] * x->data[i];
    return 0;
}

static int32_t pushforward(const void *c, const coenzyme_array *x, size_t n, const coenzyme_array *dx,
                           const coenzyme_array *dy, char *message) {
    (void)c, (void)n, (void)message;
    for (size_t i = 0; i < entries(dy) && dx->data; i++) dy->data[i] = 2.0 * x->data[i] * dx->data[i];
    return 0;
}

static int32_t pullback(const void *c, const coenzyme_array *x, size_t n, const coenzyme_array *y,
                        const coenzyme_array *dy, const coenzyme_array *dx, char *message) {
    (void)c, (void)n, (void)message;
    for (size_t i = 0; i < entries(y) && dx->data; i++) dx->data[i] += 2.0 * x->data[i] * dy->data[i];
    return 0;
}

static const char *const operands[] = {"x"};
static const coenzyme_operation operations[] = {
    {"square::first", operands, 1, 1, NULL, NULL, value, pushforward, pullback},
    {NAME, operands, 1, 1, NULL, NULL, value, pushforward, pullback},
};
static const coenzyme_plugin_t plugin = {ABI, sizeof(coenzyme_operation), "square", "0.1", operations, 2};

const coenzyme_plugin_t *ENTRY(void) { return &plugin; }
