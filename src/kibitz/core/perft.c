#include "choice.h"

/* Count the states below a block, depth first.
 *
 * A block's successors by the first legal moves of its lanes, by the second, and so on, are blocks
 * of the next level. Dense ones are visited at once; thin ones are squeezed into the level's
 * buffer, which is visited when it holds a whole block. A fluent has BUFFER_ROW vectors there.
 */
#define DENSE (LANES * 3 / 4)
#define BUFFER_ROW 3

static void expand_level(const struct game *game, struct perft *run, lanes *memory, i64 left,
                         i64 depth, lanes mask, i64 r, i64 bits);

/* Add up joint moves lane by lane, where several roles have a choice. */
static i64 products(const struct game *game, const u64 *counts, lanes mask, i64 bits)
{
    i64 total = 0;
    for (int w = 0; w < WORDS; w++)
        for (u64 left = WORD(mask, w); left; left &= left - 1) {
            int lane = __builtin_ctzll(left);
            i64 product = 1;
            for (i64 r = 0; r < game->role_count; r++) {
                i64 most = 0;
                for (i64 k = 0; k < bits; k++)
                    most |= (i64)(counts[(r * (bits + 1) + k) * WORDS + w] >> lane & 1) << k;
                product *= most + 1;
            }
            total += product;
        }
    return total;
}

/* Count the lanes, and continue below them. */
static void visit(const struct game *game, struct perft *run, lanes *memory, i64 left, i64 depth,
                  lanes mask, i64 bits)
{
    run->counts[depth] += ones_all(mask);
    if (left == 0 || *(const volatile i64 *)run->stop)
        return;
    view(game, memory);
    lanes *scratch = memory + run->scratch, stuck, clash;
    count_all(game, memory, scratch, &stuck, &clash, bits);
    mask &= ~(stuck | (memory[game->terminal] & SPLAT(run->ends)));
    if (!is_any(mask))
        return;
    if (left > 1) {
        expand_level(game, run, memory, left, depth, mask, 0, bits);
        return;
    }
    if (is_any(clash & mask)) {
        run->counts[depth + 1] += products(game, (const u64 *)scratch, mask, bits);
        return;
    }
    const lanes *joined = scratch + game->role_count * (bits + 1);
    i64 total = ones_all(mask);
    UNROLL
    for (i64 k = 0; k < bits; k++)
        total += ones_all(joined[k] & mask) << k;
    run->counts[depth + 1] += total;
}

/* Squeeze the next states of a mask into the buffer of the level below. Squeezing the marked bits
 * of a word together takes six steps, whose masks depend on the marks only and so are made once
 * for all fluents (Warren, Hacker's Delight, section 7-4). */
static void
append(const struct game *game, struct perft *run, const lanes *memory, lanes *child, lanes mask)
{
    lanes moves[6], marks = mask, zeros = ~mask << 1;
    UNROLL
    for (int i = 0; i < 6; i++) {
        lanes parity = zeros;
        UNROLL
        for (int shift = 1; shift < 64; shift *= 2)
            parity ^= parity << shift;
        moves[i] = parity & marks;
        marks = (marks ^ moves[i]) | moves[i] >> (1 << i);
        zeros &= ~parity;
    }
    i64 *held = (i64 *)(child + run->buffered), index[WORDS], shift[WORDS], position = *held;
    UNROLL
    for (int w = 0; w < WORDS; w++) {
        index[w] = position >> 6;
        shift[w] = position & 63;
        position += ones(WORD(mask, w));
    }
    *held = position;
    for (i64 f = 0; f < game->fluent_count; f++) {
        lanes bits = memory[game->next + f] & mask;
        UNROLL
        for (int i = 0; i < 6; i++) {
            lanes moving = bits & moves[i];
            bits = (bits ^ moving) | moving >> (1 << i);
        }
        u64 *row = (u64 *)(child + run->buffer + BUFFER_ROW * f);
        UNROLL
        for (int w = 0; w < WORDS; w++) {
            row[index[w]] |= WORD(bits, w) << shift[w];
            row[index[w] + 1] |= WORD(bits, w) >> 1 >> (63 - shift[w]);
        }
    }
}

/* Visit the first block that a level has buffered. */
static void
flush(const struct game *game, struct perft *run, lanes *memory, i64 left, i64 depth, i64 bits)
{
    i64 *held = (i64 *)(memory + run->buffered);
    i64 taken = *held < LANES ? *held : LANES;
    *held -= taken;
    for (i64 f = 0; f < game->fluent_count; f++) {
        lanes *row = memory + run->buffer + BUFFER_ROW * f;
        memory[game->fluents + f] = row[0];
        UNROLL
        for (int i = 1; i < BUFFER_ROW; i++)
            row[i - 1] = row[i];
        row[BUFFER_ROW - 1] = NONE;
    }
    visit(game, run, memory, left, depth, first_lanes(taken), bits);
}

/* Choose moves for the roles left, step, and visit or buffer what comes out. */
static void expand_level(const struct game *game, struct perft *run, lanes *memory, i64 left,
                         i64 depth, lanes mask, i64 r, i64 bits)
{
    if (r == game->role_count) {
        lanes *child = memory + run->stride;
        step(game, memory);
        if (ones_all(mask) >= DENSE) {
            for (i64 f = 0; f < game->fluent_count; f++)
                child[game->fluents + f] = memory[game->next + f];
            visit(game, run, child, left - 1, depth + 1, mask, bits);
        } else {
            append(game, run, memory, child, mask);
            if (*(i64 *)(child + run->buffered) >= LANES)
                flush(game, run, child, left - 1, depth + 1, bits);
        }
        return;
    }
    const struct role role = game->roles[r];
    i64 moves = GROUP * role.groups;
    lanes *does = memory + role.does, seen;
    const lanes *legal = memory + role.legal;
    lanes chooses = memory[run->scratch + r * (bits + 1) + bits];
    if (!is_any(chooses & mask)) {
        for (i64 i = 0; i < moves; i++)
            does[i] = legal[i];
        expand_level(game, run, memory, left, depth, mask, r + 1, bits);
        return;
    }
    lanes *remaining = memory + run->remaining + (role.does - game->roles[0].does);
    for (i64 i = 0; i < moves; i++)
        remaining[i] = legal[i] & mask;
    while (is_any(seen = take_moves(remaining, does, moves)))
        expand_level(game, run, memory, left, depth, seen, r + 1, bits);
}

/* Count the states below those in level 0's memory. */
void perft_run(const struct game *game, struct perft *run, const lanes *mask, i64 depth, i64 bits)
{
    visit(game, run, run->arena, depth, 0, *mask, bits);
    for (i64 level = 1; level <= depth; level++) {
        lanes *memory = run->arena + level * run->stride;
        while (*(i64 *)(memory + run->buffered) > 0)
            flush(game, run, memory, depth - level, level, bits);
    }
}
