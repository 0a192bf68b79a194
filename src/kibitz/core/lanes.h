/* Operations on blocks of lanes, written once for processors and GPUs. */
#ifndef KIBITZ_LANES_H
#define KIBITZ_LANES_H

#include "core.h"

#ifdef __NVPTX__
#define SPLAT(word) ((lanes)(word))
#define WORD(block, index) (block)
#else
#define SPLAT(word) ((lanes)((lanes){} + (u64)(word))) /* GCC's sum may not alias */
#define WORD(block, index) ((block)[index])
#endif
#define NONE SPLAT(0)
#define ALL (~NONE)

INLINE int is_any(lanes x)
{
#if __has_builtin(__builtin_reduce_or) && !defined(__NVPTX__)
    return __builtin_reduce_or(x) != 0;
#else
    u64 joined = 0;
    for (int w = 0; w < WORDS; w++)
        joined |= WORD(x, w);
    return joined != 0;
#endif
}

INLINE i64 ones(u64 word)
{
    return __builtin_popcountll(word);
}

/* Count the ones of each word. */
INLINE lanes ones_each(lanes x)
{
#if __has_builtin(__builtin_elementwise_popcount)
    return __builtin_elementwise_popcount(x);
#else
    lanes counts = x;
    for (int w = 0; w < WORDS; w++)
        WORD(counts, w) = ones(WORD(x, w));
    return counts;
#endif
}

INLINE i64 ones_all(lanes x)
{
    lanes each = ones_each(x);
#if __has_builtin(__builtin_reduce_add) && !defined(__NVPTX__)
    return __builtin_reduce_add(each);
#else
    i64 total = 0;
    for (int w = 0; w < WORDS; w++)
        total += WORD(each, w);
    return total;
#endif
}

INLINE int bit_at(const lanes *memory, i64 slot, i64 lane)
{
    return ((const u64 *)memory)[slot * WORDS + (lane >> 6)] >> (lane & 63) & 1;
}

INLINE lanes choose(lanes mask, lanes a, lanes b)
{
    return (mask & a) | (b & ~mask);
}

/* The first `count` lanes. */
INLINE lanes first_lanes(i64 count)
{
    lanes mask = NONE;
    UNROLL
    for (int w = 0; w < WORDS; w++) {
        i64 here = count - 64 * w;
        WORD(mask, w) = here >= 64 ? ~0ull : here > 0 ? (1ull << here) - 1 : 0;
    }
    return mask;
}

INLINE u64 word_at(const lanes *block, i64 word)
{
    return ((const u64 *)block)[word];
}

INLINE void set_bit(lanes *memory, i64 slot, i64 lane, u64 value)
{
    u64 *word = (u64 *)memory + slot * WORDS + (lane >> 6);
    *word = (*word & ~(1ull << (lane & 63))) | value << (lane & 63);
}

/* The lanes in which no goal holds together with its partner. */
INLINE lanes odd_goals(const struct game *game, const i64 *partners, const lanes *memory)
{
    lanes paired = NONE;
    for (i64 goal = 0; goal < game->goal_count; goal++)
        if (partners[goal] >= 0)
            paired |= memory[game->goals + goal] & memory[game->goals + partners[goal]];
    return ~paired;
}

struct legal_moves {
    lanes some;
    lanes several;
};

/* The lanes in which a role has a legal move, and those in which it has several. */
INLINE struct legal_moves legal_moves(const lanes *legal, i64 moves)
{
    struct legal_moves found = {NONE, NONE};
    for (i64 i = 0; i < moves; i++) {
        found.several |= found.some & legal[i];
        found.some |= legal[i];
    }
    return found;
}

INLINE void full_adder(lanes x, lanes y, lanes z, lanes *sum, lanes *carry)
{
    lanes half = x ^ y;
    *sum = half ^ z;
    *carry = (x & y) | (half & z);
}

INLINE void half_adder(lanes x, lanes y, lanes *sum, lanes *carry)
{
    *sum = x ^ y;
    *carry = x & y;
}

/* The finaliser of MurmurHash3 (Appleby 2011), of a word or of each word of a block. */
#define MIX(x)                                                                                     \
    (x = (x ^ x >> 33) * 0xFF51AFD7ED558CCDull, x = (x ^ x >> 33) * 0xC4CEB9FE1A85EC53ull,         \
     x ^ x >> 33)

INLINE u64 mix(u64 x)
{
    return MIX(x);
}

INLINE lanes mix_each(lanes x)
{
    return MIX(x);
}

/* The finaliser of SplitMix64 (Steele, Lea and Flood 2014). */
INLINE u64 scramble(u64 x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

/* Draw a word, and advance the state. */
INLINE u64 split_mix(u64 *state)
{
    return scramble(*state += 0x9E3779B97F4A7C15ull);
}

/* Draw a number below another. Multiplying the upper half keeps the bias below 2^-32 times it. */
INLINE i64 draw_below(u64 *state, i64 below)
{
    return (i64)((split_mix(state) >> 32) * (u64)below >> 32);
}

/* Draw a number from 0 to 1. */
INLINE f64 draw_unit(u64 *state)
{
    return (f64)(split_mix(state) >> 11) * 0x1p-53;
}

/* e to the power of a number that is not positive, to 15 digits. */
INLINE f64 exponential(f64 x)
{
    if (x < -700.0)
        return 0.0;
    i64 power = (i64)(x * 1.4426950408889634 - 0.5);
    f64 rest = x - (f64)power * 0.6931471805599453, sum = 1.0;
    for (int k = 14; k > 0; k--)
        sum = 1.0 + rest / k * sum;
    union {
        u64 bits;
        f64 number;
    } scale = {(u64)(power + 1023) << 52};
    return sum * scale.number;
}

INLINE f64 logistic(f64 x)
{
    f64 power = exponential(x < 0.0 ? x : -x);
    return (x < 0.0 ? power : 1.0) / (1.0 + power);
}

/* The natural logarithm of a positive number, to 15 digits. */
INLINE f64 logarithm(f64 x)
{
    union {
        f64 number;
        u64 bits;
    } part = {x};
    i64 power = (i64)(part.bits >> 52) - 1023;
    part.bits = (part.bits & ((1ull << 52) - 1)) | 1023ull << 52;
    if (part.number > 1.4142135623730951) {
        part.number /= 2.0;
        power++;
    }
    f64 ratio = (part.number - 1.0) / (part.number + 1.0), square = ratio * ratio, sum = 0.0;
    UNROLL
    for (int k = 23; k > 0; k -= 2)
        sum = 1.0 / k + square * sum;
    return (f64)power * 0.6931471805599453 + 2.0 * ratio * sum;
}

#endif
