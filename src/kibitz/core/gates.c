#include "lanes.h"

/* Run a stage from its list of gates.
 *
 * The code holds the number of runs; for each its kind, its length, and then target, left and right
 * slot of every gate; then the number of copies, and target and literal of each. Gates of one run
 * do not read one another.
 */
void interpret(lanes *memory, const i32 *code)
{
    i64 runs = *code++;
    for (i64 run = 0; run < runs; run++) {
        i32 kind = *code++;
        const i32 *end = code + 3 * (i64)code[0] + 1;
        code++;
        if (kind == 0)
            for (; code < end; code += 3)
                memory[code[0]] = memory[code[1]] & memory[code[2]];
        else if (kind == 1)
            for (; code < end; code += 3)
                memory[code[0]] = memory[code[1]] & ~memory[code[2]];
        else
            for (; code < end; code += 3)
                memory[code[0]] = ~(memory[code[1]] | memory[code[2]]);
    }
    i64 copies = *code++;
    for (const i32 *end = code + 2 * copies; code < end; code += 2)
        memory[code[0]] = memory[code[1] >> 1] ^ SPLAT(-(i64)(code[1] & 1));
}
