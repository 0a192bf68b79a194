#include "lanes.h"

struct gate {
    u32 target, left, right;
};

/* Run a stage from its list of gates.
 *
 * The code holds the number of runs; for each its kind, its length, and then target, left and right
 * slot of every gate; then the number of copies, and target and literal of each. Gates of one run
 * do not read one another.
 *
 * Loops are counted, for LLVM unrolls no others, and copy each gate before they store to memory,
 * which may alias it.
 */
void interpret(lanes *memory, const i32 *code)
{
    i64 runs = *code++;
    for (i64 run = 0; run < runs; run++) {
        i32 kind = code[0];
        i64 count = code[1];
        const struct gate *gates = (const struct gate *)(code + 2);
        code += 2 + 3 * count;
        if (kind == 0)
            for (i64 i = 0; i < count; i++) {
                const struct gate gate = gates[i];
                memory[gate.target] = memory[gate.left] & memory[gate.right];
            }
        else if (kind == 1)
            for (i64 i = 0; i < count; i++) {
                const struct gate gate = gates[i];
                memory[gate.target] = memory[gate.left] & ~memory[gate.right];
            }
        else
            for (i64 i = 0; i < count; i++) {
                const struct gate gate = gates[i];
                memory[gate.target] = ~(memory[gate.left] | memory[gate.right]);
            }
    }
    i64 copies = *code++;
    for (i64 i = 0; i < copies; i++, code += 2) {
        u32 target = code[0], literal = code[1];
        memory[target] = memory[literal >> 1] ^ SPLAT(-(u64)(literal & 1));
    }
}
