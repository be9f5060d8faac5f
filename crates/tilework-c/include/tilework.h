/* tilework: CuTe's layout algebra, exact. MIT or Apache-2.0.
 *
 * Memory is the caller's: the library returns nothing that has to be freed, and keeps nothing between calls. All
 * functions may be called from several threads at the same time. A call takes at most 2 MiB of stack, more than the
 * threads of macOS and musl have by default.
 *
 * Text is UTF-8 with its length in bytes. A buffer gets a terminating 0; if it is too short, the result is TW_SHORT,
 * and the length says what it takes: call once without a buffer, allocate length + 1 bytes, and call again. `length`
 * and `error` may be null.
 *
 * Pointers that are not null have to be valid for the length, the capacity or the count beside them. Whatever else is
 * passed is answered or refused. */

#ifndef TILEWORK_H
#define TILEWORK_H

#include <stddef.h>
#include <stdint.h>

// Of tw_eval: the answer as it prints, with its condition.
#define TW_ANSWER 0

// Of tw_eval: the answer without its condition.
#define TW_VALUE 1

// Of tw_eval: the condition on the names of the text under which the answer holds; empty if it always does.
#define TW_CONDITION 2

// Of tw_eval: the kind of the answer, such as `a layout`.
#define TW_KIND 3

// Of tw_eval: for a text `emit L as c`, the function that computes an offset, with the checks of its condition.
#define TW_SOURCE 4

// The bytes of a code with its terminating 0.
#define TW_CODE 32

// The bytes of a sentence with its terminating 0; a longer one ends in `...`.
#define TW_MESSAGE 464

// The most numbers of a tuple.
#define TW_LEAVES 32

// The most numbers and tuples together.
#define TW_NODES 63

// In a profile: a number.
#define TW_LEAF -1

// A kind: a number or a tuple of numbers, `extents`.
#define TW_TUPLE 0

// A kind: a layout, `extents:strides`, whose offsets begin at `offset`.
#define TW_LAYOUT 1

// How a call ended.
typedef enum {
  // What was asked for is written.
  TW_OK = 0,
  // The language or the algebra refuses: the code is one of theirs.
  TW_REFUSED = 1,
  // The buffer is shorter than the answer with its terminating 0; the length is that of the answer.
  TW_SHORT = 2,
  // An argument that no call may have, such as a null pointer with a length.
  TW_MISUSE = 3,
  // A defect of tilework: please report the sentence.
  TW_INTERNAL = 4,
} tw_status;

// Why a call did not end with TW_OK; empty if it did.
typedef struct {
  // A short name of the condition, which will not change.
  char code[TW_CODE];
  // The first byte of the text that the error is about.
  size_t begin;
  // The byte after the last one.
  size_t end;
  // One sentence, with advice if there is any.
  char message[TW_MESSAGE];
} tw_error;

// A tuple of integers, or a layout.
//
// Its numbers are in `extents`, from left to right, and the nesting is in `profile`, in preorder: TW_LEAF for a
// number, and for a tuple the number of its modes, before them. ((4,8),2):((16,1),8) has the extents 4, 8, 2, the
// strides 16, 1, 8, and the 5 nodes 2, 2, TW_LEAF, TW_LEAF, TW_LEAF; the number 4 has the node TW_LEAF.
typedef struct {
  // TW_TUPLE or TW_LAYOUT.
  int kind;
  // The nodes of the profile.
  int nodes;
  // Of a layout: what is added to each offset, as of a slice.
  int64_t offset;
  // The numbers of a tuple, or the extents of a layout.
  int64_t extents[TW_LEAVES];
  // Of a layout: its strides.
  int64_t strides[TW_LEAVES];
  // The nesting.
  int8_t profile[TW_NODES];
} tw_value;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, `MAJOR.MINOR.PATCH`.
const char *tw_version(void);

// The functions of the language: a line each with its name, its parameters and result, and the question that
// it answers, between tabs.
tw_status tw_functions(char *buffer, size_t capacity, size_t *length, tw_error *error);

// The value of an expression, or what `part` names of it: TW_ANSWER, TW_VALUE, TW_CONDITION, TW_KIND, TW_SOURCE.
//
// `length` is that of the answer without its terminating 0. An answer that does not fit with it is not written:
// the buffer then has an empty text.
tw_status tw_eval(int part,
                  const char *expression,
                  size_t expression_length,
                  char *buffer,
                  size_t capacity,
                  size_t *length,
                  tw_error *error);

// The value of an expression as arrays: a number, a tuple of integers, a truth value as 1 or 0, or a layout with
// integer strides and an offset.
tw_status tw_read(const char *expression,
                  size_t expression_length,
                  tw_value *value,
                  tw_error *error);

// Arrays as text that tw_eval and tw_read read.
tw_status tw_write(const tw_value *value, char *buffer, size_t capacity, size_t *length, tw_error *error);

// A function of the language on arrays, by its name: tw_apply("composition", 11, operands, 2, &result, &error).
//
// Indices are passed as operands. A tuple is a shape, a coordinate or a tiler, by what the function takes. In the
// error, `begin` and `end` are those of the operands that it is about.
tw_status tw_apply(const char *name,
                   size_t name_length,
                   const tw_value *operands,
                   size_t count,
                   tw_value *result,
                   tw_error *error);

// The offsets of the indices `first`, `first` + 1, ..., `count` of them. After an error, those before it are written.
tw_status tw_offsets(const tw_value *layout,
                     int64_t first,
                     size_t count,
                     int64_t *offsets,
                     tw_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TILEWORK_H */
