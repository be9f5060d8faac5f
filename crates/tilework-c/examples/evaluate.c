/* A layout in arrays; then each line of standard input is evaluated:
 *
 *     cc evaluate.c $(pkg-config --cflags --libs tilework) -o evaluate
 *     echo 'composition((8,8):(8,1), ((4,8),2):((16,1),8))' | ./evaluate
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilework.h>

/* The elements of thread 5, when 32 threads share a tile of 8 x 8 elements, two for each. */
static int partition(void) {
    tw_error error;
    tw_value tile = {TW_LAYOUT, 3, 0, {8, 8}, {8, 1}, {2, TW_LEAF, TW_LEAF}};
    tw_value operands[2] = {tile}, shared;
    const char *threads = "((4,8),2):((16,1),8)";
    if (tw_read(threads, strlen(threads), &operands[1], &error) != TW_OK
        || tw_apply("composition", strlen("composition"), operands, 2, &shared, &error) != TW_OK) {
        fprintf(stderr, "%s: %s\n", error.code, error.message);
        return 1;
    }
    int64_t offsets[64];
    if (tw_offsets(&shared, 0, 64, offsets, &error) != TW_OK) return 1;
    printf("# thread 5 has the offsets %" PRId64 " and %" PRId64 "\n", offsets[5], offsets[5 + 32]);
    return offsets[5] != 10 || offsets[5 + 32] != 11;
}

/* Prints the value, or the code of the error behind a `!`. */
static void evaluate(const char *line, size_t size) {
    size_t length;
    tw_error error;
    tw_status status = tw_eval(TW_ANSWER, line, size, NULL, 0, &length, &error);
    if (status == TW_SHORT) {
        char *answer = malloc(length + 1);
        if (answer == NULL) exit(1);
        if (tw_eval(TW_ANSWER, line, size, answer, length + 1, NULL, &error) != TW_OK) exit(1);
        puts(answer);
        free(answer);
    } else {
        printf("! %s\n", error.code);
    }
}

int main(void) {
    static char line[1 << 16];
    if (partition() != 0) return 1;
    while (fgets(line, sizeof line, stdin) != NULL) evaluate(line, strcspn(line, "\n"));
    return 0;
}
