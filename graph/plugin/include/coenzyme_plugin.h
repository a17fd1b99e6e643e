/* Operations with derivatives, offered by a shared library to coenzyme-graph.
 *
 * The library exports `const coenzyme_plugin_t *coenzyme_plugin(void)`. Arrays are of double, in logical order, the last axis fastest.
 * All functions return 0, or something else after they have written a message; they may be called from any thread, by several at
 * once. Operands `x` are `n` arrays, outputs `y` as many as `output_count`. See examples/square.c.
 */
#ifndef COENZYME_PLUGIN_H
#define COENZYME_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define COENZYME_ABI 2u
#define COENZYME_MOST_AXES 8
#define COENZYME_MESSAGE 256

/* `data` is NULL where there is no array: the tangent or cotangent of an operand that is inactive, an operand without its entries. */
typedef struct {
    size_t rank;
    const size_t *shape;
    double *data;
} coenzyme_array;

typedef struct {
    size_t rank;
    size_t shape[COENZYME_MOST_AXES];
} coenzyme_shape;

typedef struct {
    const char *name;            /* "crate::operation" */
    const char *const *operands; /* their names */
    size_t operand_count;
    size_t output_count;         /* 1 or more */
    const void *context;         /* given to all functions */
    /* The shapes of the outputs; NULL: each has that of the first operand. */
    int32_t (*outline)(const void *context, const coenzyme_array *x, size_t n, coenzyme_shape *y, char *message);
    /* The outputs; all of `y` holds zeros. */
    int32_t (*value)(const void *context, const coenzyme_array *x, size_t n, const coenzyme_array *y, char *message);
    /* The tangents of the outputs; all of `dy` holds zeros. NULL: there is no forward rule. */
    int32_t (*pushforward)(const void *context, const coenzyme_array *x, size_t n, const coenzyme_array *dx,
                           const coenzyme_array *dy, char *message);
    /* Adds to the cotangents of the operands, from the outputs and their cotangents. NULL: there is no reverse rule. */
    int32_t (*pullback)(const void *context, const coenzyme_array *x, size_t n, const coenzyme_array *y,
                        const coenzyme_array *dy, const coenzyme_array *dx, char *message);
} coenzyme_operation;

typedef struct {
    uint32_t abi;            /* COENZYME_ABI */
    uint32_t operation_size; /* sizeof(coenzyme_operation) */
    const char *name;
    const char *version;
    const coenzyme_operation *operations;
    size_t operation_count;
} coenzyme_plugin_t;

#endif
