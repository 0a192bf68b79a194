/* Random choice of moves, in all lanes at once, all numbers bit-sliced.
 *
 * Add up the legal moves (carry-save adders), draw a rank below that number (by rejection), and
 * walk over the moves, subtracting them from the rank in groups of eight until it would fall below
 * zero. A lane whose draws are all rejected keeps its state and tries again in the next round, so
 * the choice is exactly uniform without waiting for the slowest lane.
 *
 * `bits` is a constant wherever these are compiled: LLVM then keeps the digits in registers.
 */
#ifndef KIBITZ_CHOICE_H
#define KIBITZ_CHOICE_H

#include "lanes.h"

#define DRAWS 3
#define STEADY_DRAWS 32

/* Count eight bits: four bits of sum. */
INLINE void add_group(const lanes *moves, lanes sum[4])
{
    lanes s1, c1, s2, c2, s3, c3, c4, t1, d1, d2;
    full_adder(moves[0], moves[1], moves[2], &s1, &c1);
    full_adder(moves[3], moves[4], moves[5], &s2, &c2);
    full_adder(moves[6], moves[7], s1, &s3, &c3);
    half_adder(s2, s3, &sum[0], &c4);
    full_adder(c1, c2, c3, &t1, &d1);
    half_adder(t1, c4, &sum[1], &d2);
    half_adder(d1, d2, &sum[2], &sum[3]);
}

/* Write the number of legal moves less one, in `bits` vectors, then the lanes without a move. */
static void count_moves(const lanes *legal, i64 groups, lanes *out, i64 bits)
{
    lanes sums[MOST_BITS];
    UNROLL
    for (i64 k = 0; k < bits; k++)
        sums[k] = NONE;
    for (i64 g = 0; g < groups; g++) {
        lanes part[4], carry = NONE;
        add_group(legal + GROUP * g, part);
        UNROLL
        for (i64 k = 0; k < bits; k++)
            if (k < 4)
                full_adder(sums[k], part[k], carry, &sums[k], &carry);
            else
                half_adder(sums[k], carry, &sums[k], &carry);
    }
    lanes borrow = ALL;
    UNROLL
    for (i64 k = 0; k < bits; k++) {
        out[k] = sums[k] ^ borrow;
        borrow &= ~sums[k];
    }
    out[bits] = borrow;
}

/* Take one word in each place (xoshiro256++, Blackman and Vigna 2021, one generator a word). */
INLINE lanes random_lanes(lanes *state)
{
    lanes s0 = state[0], s1 = state[1], s2 = state[2], s3 = state[3];
    lanes sum = s0 + s3, result = (sum << 23 | sum >> 41) + s0, shifted = s1 << 17;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= shifted;
    state[0] = s0;
    state[1] = s1;
    state[2] = s2;
    state[3] = s3 << 45 | s3 >> 19;
    return result;
}

/* Draw a number from 0 to `most` in each lane; after the bits come the lanes that got none.
 *
 * If `steady`, what a lane draws does not depend on other lanes, and it hardly ever waits.
 */
static void draw(const lanes *most, lanes *random, lanes *rank, int steady, i64 bits)
{
    lanes masks[MOST_BITS], drawn[MOST_BITS], ranks[MOST_BITS], pending = NONE;
    UNROLL
    for (i64 k = bits; k-- > 0;) {
        masks[k] = pending |= most[k];
        ranks[k] = NONE;
    }
    for (int round = 0; round < (steady ? STEADY_DRAWS : DRAWS) && is_any(pending); round++) {
        lanes above = NONE;
        UNROLL
        for (i64 k = 0; k < bits; k++) {
            drawn[k] = NONE;
            if (steady || is_any(masks[k])) /* a bit that no lane needs takes no randomness */
                drawn[k] = random_lanes(random) & masks[k];
            above = (drawn[k] & ~most[k]) | (~(drawn[k] ^ most[k]) & above);
        }
        lanes accepted = pending & ~above;
        UNROLL
        for (i64 k = 0; k < bits; k++)
            ranks[k] = choose(accepted, drawn[k], ranks[k]);
        pending &= above;
    }
    UNROLL
    for (i64 k = 0; k < bits; k++)
        rank[k] = ranks[k];
    rank[bits] = pending;
}

/* Mark the rank-th legal move of each lane as made. */
static void
select_move(const lanes *legal, lanes *does, i64 groups, const lanes *rank, lanes *scratch, i64 bits)
{
    lanes left[MOST_BITS], found = NONE, low[3] = {NONE, NONE, NONE}, merged[GROUP];
    UNROLL
    for (i64 k = 0; k < bits; k++)
        left[k] = rank[k];
    UNROLL
    for (int j = 0; j < GROUP; j++)
        merged[j] = NONE;
    for (i64 g = 0; g < groups; g++) {
        const lanes *moves = legal + GROUP * g;
        lanes part[4], less[MOST_BITS], borrow = NONE;
        add_group(moves, part);
        UNROLL
        for (i64 k = 0; k < bits; k++)
            if (k < 4) {
                lanes differ = left[k] ^ part[k];
                less[k] = differ ^ borrow;
                borrow = (part[k] & ~left[k]) | (borrow & ~differ);
            } else {
                less[k] = left[k] ^ borrow;
                borrow &= ~left[k];
            }
        lanes here = borrow & ~found;
        found |= borrow;
        UNROLL
        for (int k = 0; k < 3; k++)
            low[k] |= here & left[k];
        UNROLL
        for (int j = 0; j < GROUP; j++)
            merged[j] |= here & moves[j];
        scratch[g] = here;
        UNROLL
        for (i64 k = 0; k < bits; k++)
            left[k] = less[k];
    }
    lanes picks[GROUP];
    UNROLL
    for (int j = 0; j < GROUP; j++) {
        lanes borrow = merged[j];
        UNROLL
        for (int k = 0; k < 3; k++) {
            lanes old = low[k];
            low[k] = old ^ borrow;
            borrow &= ~old;
        }
        picks[j] = borrow;
    }
    for (i64 g = 0; g < groups; g++)
        UNROLL
        for (int j = 0; j < GROUP; j++)
            does[GROUP * g + j] = scratch[g] & picks[j];
}

/* Count every role's moves into scratch, `bits` + 1 vectors a role: moves less one, and whether
 * there is a choice. Behind them stands the OR of all roles. Sets the lanes in which a role has no
 * move, and those in which several roles have a choice. */
INLINE void
count_all(const struct game *game, const lanes *memory, lanes *scratch, lanes *stuck_out,
          lanes *clash_out, i64 bits)
{
    lanes stuck = NONE, clash = NONE, choosing = NONE;
    lanes *joined = scratch + game->role_count * (bits + 1);
    UNROLL
    for (i64 k = 0; k < bits; k++)
        joined[k] = NONE;
    for (i64 r = 0; r < game->role_count; r++) {
        const struct role role = game->roles[r]; /* a copy: stores to lanes may alias it */
        lanes *out = scratch + r * (bits + 1), chooses = NONE;
        count_moves(memory + role.legal, role.groups, out, bits);
        lanes none = out[bits];
        stuck |= none;
        UNROLL
        for (i64 k = 0; k < bits; k++) {
            lanes bit = out[k] & ~none;
            out[k] = bit;
            chooses |= bit;
            joined[k] |= bit;
        }
        out[bits] = chooses;
        clash |= choosing & chooses;
        choosing |= chooses;
    }
    *stuck_out = stuck;
    *clash_out = clash;
}

struct made {
    lanes over;  /* at an end, or without a joint move */
    lanes ended; /* of these the ones at an end */
    lanes stays; /* still without a draw */
    lanes clash; /* where several roles have a choice */
};

/* Sample one move per role and lane of a block that was viewed; step it. */
INLINE struct made
make_moves(const struct game *game, lanes *memory, lanes *random, lanes *scratch, int steady, i64 bits)
{
    i64 width = bits + 1, roles = game->role_count;
    lanes *joined = scratch + roles * width, *ranks = joined + width;
    lanes *shared = ranks + roles * width, *groups = shared + width;
    lanes stuck, clash, waiting = NONE;
    count_all(game, memory, scratch, &stuck, &clash, bits);
    lanes ended = memory[game->terminal], over = ended | stuck;
    int together = is_any(clash);
    if (together)
        for (i64 r = 0; r < roles; r++) {
            draw(scratch + r * width, random, ranks + r * width, steady, bits);
            waiting |= ranks[r * width + bits];
        }
    else {
        draw(joined, random, shared, steady, bits);
        waiting = shared[bits];
    }
    for (i64 r = 0; r < roles; r++) {
        const struct role role = game->roles[r]; /* a copy: stores to lanes may alias it */
        lanes *rank = ranks + r * width;
        if (!together) {
            lanes chooses = scratch[r * width + bits];
            UNROLL
            for (i64 k = 0; k < bits; k++)
                rank[k] = shared[k] & chooses;
        }
        select_move(memory + role.legal, memory + role.does, role.groups, rank, groups, bits);
    }
    step(game, memory);
    return (struct made){over, ended, waiting & ~over, clash};
}

/* Make each lane's first remaining move; return the lanes that had one. */
INLINE lanes take_moves(lanes *remaining, lanes *does, i64 moves)
{
    lanes seen = NONE;
    for (i64 i = 0; i < moves; i++) {
        lanes here = remaining[i], pick = here & ~seen;
        seen |= here;
        remaining[i] = here ^ pick;
        does[i] = pick;
    }
    return seen;
}

#endif
