#include "judge.h"

/* Value the leaves of a search tree together: successors, ends within two moves, random matches. */

#define MOST_LOOKS 4 /* steps that may go into looking at replies, for each of one of matches */
#define NO_REPLY 1e29f /* sums of weights are smaller; those of no reply at all are larger */
#define MIDDLE 0.5

/* Whether looking at all replies would take far longer than random matches. */
i64 judge_is_wide(const struct judging *run, i64 leaves)
{
    i64 matches = MOST_LOOKS * LANES * run->length;
    return matches > 0 && leaves * run->most * run->most > matches;
}

/* Make the moves that lead to leaves which have no rows yet. */
static void make_rows(const struct game *game, struct judging *run, i64 count)
{
    struct expansion *found = run->expansion;
    i64 words = run->words, missing = 0;
    for (i64 leaf = 0; leaf < count; leaf++) {
        run->places[leaf] = run->leaves[leaf].given;
        missing += run->leaves[leaf].given >= 0;
    }
    if (missing == 0)
        return;
    found->written = 0;
    found->rows = run->leaf_rows;
    run->advance(game, found, run->places, count);
    for (i64 leaf = 0; leaf < count; leaf++)
        for (i64 w = 0; w < words && run->leaves[leaf].given >= 0; w++)
            run->leaf_rows[leaf * words + w] = found->out_rows[leaf * words + w];
}

/* Find the successors of the open leaves, and sort them by leaf. */
static void sort_successors(const struct game *game, struct judging *run, i64 open, i64 closed)
{
    struct expansion *found = run->expansion;
    struct leaf *leaves = run->leaves;
    i64 words = run->words, low = (1ll << run->bits) - 1, count = 0;
    found->written = 0;
    if (open > 0) {
        found->rows = run->leaf_rows;
        run->expand(game, found, 0, open);
        count = found->written;
    }
    for (i64 leaf = 0; leaf <= open + closed; leaf++)
        run->places[leaf] = 0;
    for (i64 i = 0; i < count; i++)
        run->places[found->out_parents[i]]++;
    i64 begin = 0;
    for (i64 leaf = 0; leaf <= open + closed; leaf++) {
        i64 size = run->places[leaf];
        leaves[leaf].first = (i32)begin;
        leaves[leaf].turn = -1;
        leaves[leaf].is_decided = 0;
        for (i32 role = 0; role < 2; role++)
            if (leaf < open && bit_at(found->flags, 1 + game->goal_count + role, leaf))
                leaves[leaf].turn = role;
        run->places[leaf] = begin;
        begin += size;
        if (leaf < open)
            run->most = leaf && run->most > size ? run->most : size;
    }
    for (i64 i = 0; i < count; i++) {
        i64 at = run->places[found->out_parents[i]]++;
        for (i64 w = 0; w < words; w++)
            run->rows[at * words + w] = found->out_rows[i * words + w];
        i64 role = leaves[found->out_parents[i]].turn > 0;
        run->successors[at] = (struct successor){
            .move = (i32)((i64)(found->out_moves[i] >> run->bits * role) & low), .status = NODE_NEW};
    }
}

/* Write what is certain of a successor that was looked at. */
INLINE void decode_lane(const struct game *game, const struct judging *run, i64 lane, struct successor *to)
{
    const lanes *out = run->block->out;
    i64 goals = game->goal_count, role = -1, best = -1;
    if (bit_at(out, 0, lane)) {
        to->status = NODE_PROVEN;
        for (i64 goal = 0; goal < goals; goal++)
            if (bit_at(out, 1 + goal, lane))
                to->value[run->slots[2 * goal]] += (f32)((f64)run->slots[2 * goal + 1] / 100);
        return;
    }
    if (bit_at(out, goals + 3, lane)) {
        to->status = NODE_STUCK;
        return;
    }
    if (bit_at(out, goals + 4, lane)) {
        to->status = NODE_CLOSED;
        return;
    }
    if (bit_at(out, goals + 6, lane)) /* goals are not opposed */
        return;
    for (i64 r = 0; r < 2; r++)
        if (bit_at(out, goals + 1 + r, lane))
            role = r;
    if (role < 0)
        return;
    for (i64 goal = 0; goal < goals; goal++)
        if (run->slots[2 * goal] == role && run->slots[2 * goal + 1] > best &&
            bit_at(out, goals + 7 + goal, lane))
            best = run->slots[2 * goal + 1];
    f32 found = (f32)((f64)best / 100);
    if (best >= 0 && (found >= run->tops[role] || bit_at(out, goals + 5, lane))) {
        to->status = NODE_PROVEN;
        to->plies = 1;
        to->value[role] = found;
        to->value[1 - role] = (f32)(run->opposed_total - (f64)best / 100);
    }
}

/* What the first role gets after a successor by weights: by its best reply, if it was looked at. */
static f32 guess_successor(const struct game *game, const struct judging *run, i64 lane, i64 at)
{
    const struct leaves *block = run->block;
    i64 goals = game->goal_count, words = run->words;
    if (run->successors[at].status == NODE_PROVEN)
        return run->successors[at].value[0];
    for (i64 role = 0; role < 2; role++) {
        f32 best = block->extremes[(1 - role) * LANES + lane];
        if (!bit_at(block->out, goals + 1 + role, lane) || best > NO_REPLY || best < -NO_REPLY)
            continue;
        f32 known = (f32)logistic(best + run->table[words * 8 * 256]);
        for (i64 goal = 0; goal < goals; goal++)
            if (run->slots[2 * goal] == role && bit_at(block->out, goals + 7 + goal, lane)) {
                f32 gained = (f32)((f64)run->slots[2 * goal + 1] / 100);
                gained = role == 0 ? gained : 1.0f - gained;
                known = (role == 0) == (gained > known) ? gained : known;
            }
        return known;
    }
    return (f32)logistic(score_row(run->rows + at * words, words, run->table));
}

static void look_at_successors(const struct game *game, struct judging *run, i64 count, int looks)
{
    struct leaves *block = run->block;
    for (i64 start = 0; start < count; start += LANES) {
        block->count = count - start < LANES ? count - start : LANES;
        block->looked_at = looks ? block->count : 0;
        block->rows = run->rows + start * run->words;
        run->look(game, block);
        for (i64 lane = 0; lane < block->count; lane++) {
            decode_lane(game, run, lane, run->successors + start + lane);
            if (run->table)
                run->successors[start + lane].guess = guess_successor(game, run, lane, start + lane);
        }
    }
}

/* Whether successors decide a leaf; its value is its result then. */
static int decide_leaf(struct judging *run, struct leaf *leaf)
{
    const struct successor *best = 0;
    int is_open = 0;
    for (i64 at = leaf->first; at < leaf[1].first; at++) {
        const struct successor *to = run->successors + at;
        if (to->status != NODE_PROVEN)
            is_open = 1;
        else if (!best || (leaf->turn >= 0 && to->value[leaf->turn] > best->value[leaf->turn]))
            best = to;
    }
    if (!best || (is_open && (leaf->turn < 0 || best->value[leaf->turn] < run->tops[leaf->turn])))
        return 0;
    leaf->result[0] = best->value[0];
    leaf->result[1] = best->value[1];
    return 1;
}

/* What the first role gets by weights, after the best move. */
static f32 guess_leaf(const struct judging *run, i64 number)
{
    const struct leaf *leaf = run->leaves + number;
    if (leaf->first == leaf[1].first)
        return (f32)logistic(score_row(run->leaf_rows + number * run->words, run->words, run->table));
    f32 best = run->successors[leaf->first].guess;
    for (i64 at = leaf->first + 1; at < leaf[1].first; at++) {
        f32 here = run->successors[at].guess;
        best = (leaf->turn == 1) == (here < best) ? here : best;
    }
    return best;
}

/* Share the lanes among the leaves that are not decided, and among the successors of a leaf that
 * are not certain, from any of them on. */
static i64 share_lanes(struct judging *run, i64 count, i64 share)
{
    i64 words = run->words, lane = 0;
    for (i64 number = 0; number < count; number++) {
        const struct leaf *leaf = run->leaves + number;
        if (leaf->is_decided)
            continue;
        i64 begin = leaf->first, end = leaf[1].first, at = -1;
        if (end > begin)
            at = begin + draw_below(&run->random, end - begin);
        for (i64 i = 0; i < share; i++, lane++) {
            if (at >= 0)
                do
                    at = at + 1 < end ? at + 1 : begin;
                while (run->successors[at].status == NODE_PROVEN);
            run->lane_leaf[lane] = number;
            run->lane_at[lane] = at;
            const u64 *row = at < 0 ? run->leaf_rows + number * words : run->rows + at * words;
            for (i64 w = 0; w < words; w++)
                run->lane_rows[lane * words + w] = row[w];
        }
    }
    return lane;
}

/* Count what matches gave those who chose their first move. */
static void count_results(const struct game *game, struct judging *run, i64 count)
{
    const lanes *out = run->block->out;
    for (i64 lane = 0; lane < count; lane++) {
        struct leaf *leaf = run->leaves + run->lane_leaf[lane];
        i64 at = run->lane_at[lane];
        struct successor none = {0}, *to = at < 0 ? &none : run->successors + at;
        to->tried += 1.0;
        if (!bit_at(out, 0, lane)) {
            leaf->result[0] += MIDDLE;
            leaf->result[1] += MIDDLE;
            to->gained += MIDDLE;
            continue;
        }
        for (i64 goal = 0; goal < game->goal_count; goal++)
            if (bit_at(out, 3 + goal, lane)) {
                i64 role = run->slots[2 * goal];
                f64 gained = (f64)run->slots[2 * goal + 1] / 100;
                leaf->result[role] += gained;
                to->gained += role == leaf->turn ? gained : 0.0;
            }
    }
}

/* Count for each move the matches it was made in, and what they gave who made it. */
static void tally_moves(const struct game *game, struct judging *run)
{
    const lanes *out = run->block->out;
    for (i64 move = 0; move < run->moves; move++) {
        lanes made = run->block->used[move] & out[0];
        if (!is_any(made))
            continue;
        f64 *tally = run->tally + 2 * move;
        tally[0] += (f64)ones_all(made);
        for (i64 goal = 0; goal < game->goal_count; goal++)
            if (run->slots[2 * goal] == (move >= run->offset))
                tally[1] += (f64)(ones_all(made & out[3 + goal]) * run->slots[2 * goal + 1]) / 100;
    }
}

/* Value leaves by their rows: the open ones, which get successors, and behind them the closed. */
void judge_leaves(const struct game *game, struct judging *run, i64 open, i64 closed)
{
    struct leaves *block = run->block;
    i64 count = open + closed, playing = closed;
    make_rows(game, run, count);
    sort_successors(game, run, open, closed);
    look_at_successors(game, run, run->leaves[count].first, !judge_is_wide(run, count));
    for (struct leaf *leaf = run->leaves; leaf < run->leaves + open; leaf++) {
        leaf->is_decided = decide_leaf(run, leaf);
        playing += !leaf->is_decided;
    }
    if (playing == 0)
        return;
    for (i64 number = 0; number < count; number++) {
        struct leaf *leaf = run->leaves + number;
        if (leaf->is_decided)
            continue;
        leaf->result[0] = run->table ? guess_leaf(run, number) : 0.0;
        leaf->result[1] = run->table ? 1.0 - leaf->result[0] : 0.0;
    }
    if (run->table)
        return;
    i64 share = LANES / playing > 1 ? LANES / playing : 1;
    block->rows = run->lane_rows;
    block->count = share_lanes(run, count, share);
    block->made = 0;
    run->play(game, block);
    run->matches += block->count;
    run->made += block->made;
    run->length = block->made / block->count;
    run->clashes += ones_all(block->out[2]);
    count_results(game, run, block->count);
    tally_moves(game, run);
    for (i64 number = 0; number < count; number++) {
        struct leaf *leaf = run->leaves + number;
        if (leaf->is_decided)
            continue;
        for (i64 role = 0; role < 2; role++)
            leaf->result[role] /= (f64)share;
        i64 role = leaf->turn;
        for (i64 at = leaf->first; role >= 0 && at < leaf[1].first; at++) {
            const struct successor *to = run->successors + at;
            if (to->status == NODE_PROVEN && to->value[role] > leaf->result[role]) {
                leaf->result[0] = to->value[0]; /* who moves will not do worse than what is proven */
                leaf->result[1] = to->value[1];
            }
        }
    }
}
