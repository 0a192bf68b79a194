/* Two plies of a position, eight moves at a time.
 *
 * Word i of a block holds the i-th of eight children, in all of its lanes; after one more step, lane
 * j of it holds that child's j-th reply. So two plies take two steps of a block for eight moves,
 * however many replies there are, up to 64. The steps lead from one area of fluents to another and
 * back, so that nothing is copied. */
#ifndef KIBITZ_LOOKAHEAD_H
#define KIBITZ_LOOKAHEAD_H

#include "positions.h"

/* What is known of eight children; word i is about the i-th. */
struct outlook {
    lanes status;  /* 0 while two plies decide nothing, IS_REACHED, IS_MISSED, or a trouble */
    lanes ended;
    lanes second;  /* whether the second role chooses */
    lanes left;    /* replies that do not lose at once */
    lanes hash;
};

struct movers {
    lanes stuck;  /* a role has no move */
    lanes both;   /* both choose */
    lanes second; /* the second role chooses */
};

INLINE struct movers see_movers(const struct game *game, const lanes *memory)
{
    lanes stuck = NONE, first = NONE, second = NONE;
    for (i64 r = 0; r < game->role_count; r++) {
        struct legal_moves legal = legal_moves(memory + game->roles[r].legal, game->roles[r].moves);
        stuck |= ~legal.some;
        if (r)
            second = legal.several;
        else
            first = legal.several;
    }
    return (struct movers){stuck, first & second, second};
}

/* List the moves of whoever chooses, and the one of the other role. Leaves the state in all lanes.
 * Returns a trouble, or 0. */
static i64 list_moves(const struct game *game, const struct look *look, const i64 *order, i64 width,
                      struct frame *frame, struct branch *branches)
{
    lanes *memory = look->memory;
    spread_row(game, memory, look->scratch, frame->row);
    game->moves(memory, game->moves_code);
    struct movers movers = see_movers(game, memory);
    if (WORD(movers.both, 0))
        return BOTH_CHOOSE;
    if (WORD(movers.stuck, 0))
        return STUCK_STATE;
    frame->mover = WORD(movers.second, 0) & 1;
    frame->found = frame->waiting = frame->groups = 0;
    for (i64 r = 0; r < game->role_count; r++) {
        const struct role role = game->roles[r];
        for (i64 i = 0; i < role.moves; i++) {
            i64 move = order[r * width + i];
            if (!bit_at(memory, role.legal + move, 0))
                continue;
            if (r == frame->mover)
                branches[frame->found++].move = (i32)move;
            else
                frame->waiting = role.does + move;
        }
    }
    return 0;
}

/* Write the states after the moves, each as the smallest of its images; return their hashes. */
INLINE lanes write_rows(const struct game *game, const struct look *look, u64 *rows, i64 used,
                        i64 words)
{
    lanes *best = look->scratch, hash = NONE;
    for (i64 image = 0; image < look->image_count; image++) {
        const i32 *order = look->images + 64 * words * image;
        lanes *into = image ? best + words : best;
        for (i64 word = 0; word < words; word++) {
            i64 left = game->fluent_count - 64 * word;
            lanes row = NONE, bit = SPLAT(1);
            for (i64 i = 0; i < (left < 64 ? left : 64); i++, bit <<= 1)
                row |= look->memory[order[64 * word + i]] & bit;
            into[word] = row;
        }
        if (image)
            keep_smaller(best, into, words, 1);
    }
    for (i64 word = 0; word < words; word++) {
        for (i64 i = 0; i < used; i++)
            rows[i * words + word] = word_at(best + word, i);
        hash = mix_each((hash ^ best[word]) + SPLAT(word));
    }
    return hash;
}

/* The lanes in which one of the goals holds that are asked for. */
INLINE lanes goals_asked(const struct game *game, const lanes *memory, const i64 *asked)
{
    lanes found = NONE;
    for (i64 goal = 0; goal < game->goal_count; goal++)
        found |= memory[game->goals + goal] & SPLAT(asked[goal]);
    return found;
}

/* Count, for each child of the group that was made last, the places where the mover would win if it
 * moved once more. The children are the same in all lanes of a word, so each place gets a lane. */
INLINE lanes count_places(const struct game *game, const struct look *look, i64 mover)
{
    lanes *memory = look->memory, total = NONE;
    const u64 *edit = look->edits + mover * look->edit_runs * game->fluent_count * EDITS;
    i64 count = game->fluent_count; /* stores to lanes may alias it */
    lanes *now = memory + game->fluents, *next = memory + game->next;
    for (i64 run = 0; run < look->edit_runs; run++) {
        lanes excluded = NONE;
        for (i64 f = 0; f < count; f++, edit += EDITS) {
            lanes before = next[f];
            now[f] = (before | SPLAT(edit[0])) & SPLAT(edit[1]);
            excluded |= before & SPLAT(edit[2]);
        }
        game->ends(memory, game->ends_code);
        lanes wins = goals_asked(game, memory, mover ? look->missed : look->reached);
        total += ones_each(wins & memory[game->terminal] & ~excluded);
    }
    return total;
}

/* The status of ends, by what they reach. */
INLINE lanes judge_ends(lanes reached, lanes missed, lanes odd)
{
    lanes status = choose(reached, SPLAT(IS_REACHED), SPLAT(IS_MISSED));
    return choose(~(reached ^ missed), SPLAT(NO_GOAL), choose(odd, SPLAT(NOT_OPPOSED), status));
}

INLINE lanes some_bits(lanes x)
{
    return (lanes)(x != NONE);
}

/* Make up to 64 replies of each child, one a lane, and decide what they decide. */
INLINE void make_replies(const struct game *game, const struct look *look, struct outlook *out)
{
    lanes *memory = look->memory, replies = NONE;
    game->reply_view(memory, game->reply_view_code);
    struct movers movers = see_movers(game, memory);
    lanes over = judge_ends(goals_asked(game, memory, look->reached),
                            goals_asked(game, memory, look->missed),
                            odd_goals(game, look->partners, memory));
    out->ended = memory[game->terminal];
    out->second = movers.second;
    for (i64 r = 0; r < game->role_count; r++) {
        const struct role role = game->roles[r];
        lanes chooses = r ? movers.second : ~movers.second;
        for (i64 i = 0; i < role.moves; i++) {
            lanes allowed = memory[role.legal + i];
            lanes lane = SPLAT(1) << (replies & 63) & (lanes)(replies < SPLAT(64));
            memory[role.does + i] = allowed & (lane | ~chooses);
            replies += allowed & chooses & SPLAT(1);
        }
    }
    game->reply_step(memory, game->reply_step_code);
    game->ends(memory, game->ends_code);
    lanes made = choose((lanes)(replies > SPLAT(63)), ALL, (SPLAT(1) << (replies & 63)) - 1);
    lanes ended = memory[game->terminal] & made;
    lanes reached = goals_asked(game, memory, look->reached) & ended;
    lanes missed = goals_asked(game, memory, look->missed) & ended;
    lanes second = movers.second;
    out->left = replies - ones_each(choose(second, reached, missed));
    lanes win = choose(second, SPLAT(IS_MISSED), SPLAT(IS_REACHED));
    lanes loss = choose(second, SPLAT(IS_REACHED), SPLAT(IS_MISSED));
    lanes status = loss & (lanes)(out->left == NONE);
    status = choose(some_bits(choose(second, missed, reached)), win, status);
    status = choose(some_bits(odd_goals(game, look->partners, memory) & ended),
                    SPLAT(NOT_OPPOSED), status);
    status = choose(some_bits(~(reached ^ missed) & ended), SPLAT(NO_GOAL), status);
    status = choose(movers.both, SPLAT(BOTH_CHOOSE), status);
    status = choose(movers.stuck, SPLAT(STUCK_STATE), status);
    out->status = choose(out->ended, over, status);
}

/* Make the next eight moves of a frame, and the replies to them; write the rows they lead to. The
 * first eight follow on `list_moves`, which has left the state in all lanes. */
static void make_group(const struct game *game, const struct look *look,
                       const struct positions *table, struct frame *frame,
                       const struct branch *branches, u64 *rows, struct outlook *out, i64 words)
{
    lanes *memory = look->memory;
    i64 first = WORDS * frame->groups++, used = frame->found - first;
    if (used > WORDS)
        used = WORDS;
    if (first) {
        spread_row(game, memory, look->scratch, frame->row);
        if (look->keeps)
            game->moves(memory, game->moves_code);
    }
    for (i64 r = 0; r < game->role_count; r++) {
        const struct role role = game->roles[r];
        for (i64 i = 0; i < role.moves; i++)
            memory[role.does + i] = NONE;
    }
    if (frame->waiting)
        memory[frame->waiting] = ALL;
    u64 *does = (u64 *)(memory + game->roles[frame->mover].does);
    for (i64 word = 0; word < WORDS; word++) /* words without a move repeat the first one */
        does[branches[first + (word < used ? word : 0)].move * WORDS + word] = ~0ull;
    game->step(memory, game->step_code);
    out->hash = write_rows(game, look, rows + first * words, used, words);
    if (table) /* fetched while the replies are made */
        for (i64 i = 0; i < WORDS; i++) {
            const u64 *bucket = table->entries + (WORD(out->hash, i) & table->mask) * (u64)(words + 1);
            __builtin_prefetch(bucket);
            __builtin_prefetch(bucket + BUCKET * (words + 1) - 1);
        }
    make_replies(game, look, out);
}

#endif
