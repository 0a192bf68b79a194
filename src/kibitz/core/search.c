#include "lookahead.h"

/* Search for whether the first role reaches a value, in a table of positions.
 *
 * One loop walks along a line, and stops where it is told to, to go on from there later. What it
 * looks at next is the rule's affair:
 *
 * Proof numbers (Nagai 2002): visit the leaf that needs least to decide the root. Every node has a
 * proof number, how much is left to prove that the value is reached, and a disproof number, how much
 * is left to prove that it is not. A node that needs all of its children has the largest number of
 * theirs, and one more for each other that is open (Ueda and others 2008): many positions are
 * reached in several ways, and a sum would count them as often.
 *
 * Alpha-beta with a null window: a node is decided by the first child that answers for the role to
 * move, or by all of them. Moves are tried in the order of how often they decided a node before (the
 * history heuristic of Schaeffer 1983), and of eight that are made at a time, those first that leave
 * fewer replies, or make more threats. The next eight are made when these have failed.
 *
 * Bounded: the same, for whether a role can force its win in so many plies.
 *
 * Only what was derived from ends is called proved or disproved. A position that comes again on a
 * line decides nothing. So what the table holds does not depend on how a position was reached. */

enum rule { PROOF_NUMBERS, ALPHA_BETA, BOUNDED };
enum { MISSES, HITS, OPEN }; /* what a node comes to for the role to move there */

#define WEIGHT 4          /* how much less a move is looked at that has always failed */
#define REPLY 10          /* how many successes of a move one reply of the opponent weighs */
#define THREAT (1ll << 32) /* more than anything else weighs */
#define RANKED 1024       /* after how many nodes moves get a new order */
#define HOPELESS 250         /* so many plies are too few where every move is refuted at once */
#define NO_BRANCH -1

INLINE i64 least_of(i64 a, i64 b)
{
    return a < b ? a : b;
}

INLINE i64 most_of(i64 a, i64 b)
{
    return a > b ? a : b;
}

INLINE u64 *rows_at(const struct line *line, i64 ply, i64 words)
{
    return line->rows + ply * line->width * words;
}

INLINE struct branch *branches_at(const struct line *line, i64 ply)
{
    return line->branches + ply * line->width;
}

INLINE void be_busy(const struct search *run, u64 hash, i64 change)
{
    if (run->busy_mask)
        __atomic_fetch_add(run->busy + (hash & run->busy_mask), change, __ATOMIC_RELAXED);
}

INLINE int is_busy(const struct search *run, u64 hash)
{
    return run->busy_mask &&
           __atomic_load_n(run->busy + (hash & run->busy_mask), __ATOMIC_RELAXED) > 0;
}

INLINE int comes_again(const struct line *line, i64 words)
{
    const struct frame *last = line->frames + line->ply;
    for (i64 ply = 0; ply < line->ply; ply++)
        if (line->hashes[ply] == line->hashes[line->ply] &&
            equal_rows(line->frames[ply].row, last->row, words))
            return 1;
    return 0;
}

/* ---- what a bounded search knows ---- */

INLINE u64 *known_place(const struct search *run, const struct frame *frame, i64 words)
{
    u64 hash = run->line->hashes[frame - run->line->frames];
    return run->known + (hash & run->known_mask) * (u64)(words + 1);
}

/* Keep that so many plies are enough, or that they are too few. */
INLINE void remember(const struct search *run, const struct frame *frame, int is_won, i64 words)
{
    u64 *place = known_place(run, frame, words), plies = (u64)frame->plies;
    u64 entry = equal_rows(place + 1, frame->row, words) && *place ? *place : 255;
    u64 enough = entry & 255, too_few = entry >> 8;
    if (is_won && plies < enough)
        enough = plies;
    if (!is_won && plies > too_few)
        too_few = plies;
    *place = enough | too_few << 8;
    for (i64 word = 0; word < words; word++)
        place[1 + word] = frame->row[word];
}

INLINE struct numbers recall(const struct search *run, const struct frame *frame, i64 words)
{
    const u64 *place = known_place(run, frame, words);
    u64 left = (u64)(run->plies - run->line->ply);
    if (!*place || !equal_rows(place + 1, frame->row, words))
        return (struct numbers){0, 0};
    return (struct numbers){left < (*place & 255), left > *place >> 8};
}

/* Keep the moves that a bounded search must look into, the one that decided last before others. */
static i64 open_bounded(const struct game *game, const struct search *run, struct frame *frame,
                        struct branch *branches, u64 *rows, i64 words)
{
    i64 ply = frame - run->line->frames, left = run->plies - ply, enough = 1;
    struct outlook out;
    frame->proves = frame->mover == run->winner;
    u64 win = run->winner ? IS_MISSED : IS_REACHED;
    for (i64 child = 0; child < frame->found; child++) {
        i64 word = child % WORDS;
        if (word == 0)
            make_group(game, run->look, run->table, frame, branches, rows, &out, words);
        u64 status = word_at(&out.status, word);
        if (status && status < IS_REACHED)
            return (i64)status;
        int is_lost = status && status != win, ends = word_at(&out.ended, word) & 1;
        if (!status && run->table) {
            struct numbers known = probe(run->table, rows + child * words, word_at(&out.hash, word), run->aim, words);
            is_lost = is_decided(known) && (known.pn == 0) == run->winner;
        }
        if (is_lost) {
            if (!frame->proves) {
                frame->answer = HITS;
                frame->plies = HOPELESS;
                return 0;
            }
        } else if (status && ends) {
            if (frame->proves) {
                frame->answer = HITS;
                frame->plies = 1;
                return 0;
            }
        } else if (status && left >= 2) {
            enough = 2;
            if (frame->proves)
                frame->answer = HITS; /* and one ply may be enough for another child */
        } else {
            struct branch *branch = branches + frame->branches++;
            *branch = (struct branch){branches[child].move, (i32)child, word_at(&out.hash, word), 0, 0, 0};
            if (branch->move == run->killers[ply]) {
                struct branch swap = branches[0];
                branches[0] = *branch;
                *branch = swap;
            }
        }
    }
    if (frame->answer == HITS)
        frame->plies = enough;
    else if (frame->branches == 0) {
        frame->answer = MISSES;
        frame->plies = frame->proves ? HOPELESS : enough;
    } else if (left <= 2) {
        frame->answer = frame->proves ? MISSES : HITS;
        frame->plies = left;
    }
    return 0;
}

/* ---- proof numbers ---- */

/* Make all moves of a node, and set the numbers of its children. */
static i64 open_numbers(const struct game *game, const struct search *run, struct frame *frame,
                        struct branch *branches, u64 *rows, i64 words)
{
    struct outlook out;
    for (i64 child = 0; child < frame->found; child++) {
        i64 word = child % WORDS;
        if (word == 0)
            make_group(game, run->look, run->table, frame, branches, rows, &out, words);
        u64 status = word_at(&out.status, word);
        if (status && status < IS_REACHED)
            return (i64)status;
        struct branch *branch = branches + child;
        branch->place = (i32)child;
        branch->hash = word_at(&out.hash, word);
        branch->pn = status == IS_MISSED ? INFINITE : 0;
        branch->dn = status == IS_REACHED ? INFINITE : 0;
        if (status)
            continue;
        struct numbers known = probe(run->table, rows + child * words, branch->hash, run->aim, words);
        if (known.pn + known.dn == 0) {
            i64 left = (i64)word_at(&out.left, word);
            known = word_at(&out.second, word) ? (struct numbers){left, 1} : (struct numbers){1, left};
            const i64 *history = run->history + 2 * (frame->mover * run->line->width + branch->move);
            i64 scale = 1 + WEIGHT * history[1] / (history[0] + history[1] + 1);
            i64 *easy = frame->proves ? &known.pn : &known.dn;
            *easy = least_of(UNDECIDED, *easy * scale);
        }
        branch->pn = (i32)known.pn;
        branch->dn = (i32)known.dn;
    }
    frame->branches = frame->found;
    return 0;
}

/* Set the numbers of a node from those of its children. Returns the child to look at, with the
 * bounds at which to come back, or NO_BRANCH if the node's own bounds are reached. */
INLINE i64 choose_number(struct search *run, struct frame *frame, const struct branch *branches)
{
    i64 least = INFINITE, least_seen = INFINITE, second = INFINITE, most = 0, open = 0;
    i64 chosen = NO_BRANCH;
    for (i64 i = 0; i < frame->branches; i++) {
        i64 easy = frame->proves ? branches[i].pn : branches[i].dn;
        i64 hard = frame->proves ? branches[i].dn : branches[i].pn;
        if (hard == 0)
            continue; /* it cannot help */
        open++;
        most = most_of(most, hard);
        i64 seen = easy;
        if (easy && is_busy(run, branches[i].hash))
            seen = least_of(UNDECIDED, easy + easy / 2 + 2);
        least = least_of(least, easy);
        if (seen < least_seen || chosen == NO_BRANCH) {
            second = least_seen;
            least_seen = seen;
            chosen = i;
        } else
            second = least_of(second, seen);
    }
    i64 easy = open ? least : INFINITE;
    i64 hard = easy == 0 ? INFINITE : open ? least_of(UNDECIDED, most + open - 1) : 0;
    struct line *line = run->line;
    line->pn = frame->proves ? easy : hard;
    line->dn = frame->proves ? hard : easy;
    if (line->pn >= frame->pn_bound || line->dn >= frame->dn_bound || easy == 0 || hard == 0 ||
        (easy >= UNDECIDED && hard >= UNDECIDED))
        return NO_BRANCH;
    const struct branch *best = branches + chosen;
    i64 bound = frame->proves ? frame->pn_bound : frame->dn_bound;
    i64 other = frame->proves ? frame->dn_bound : frame->pn_bound;
    /* others may be at a better child */
    bound = most_of(least_of(bound, second + second / 4 + 1), (frame->proves ? best->pn : best->dn) + 1);
    other = most_of(other - (open - 1), (frame->proves ? best->dn : best->pn) + 1);
    frame[1].pn_bound = frame->proves ? bound : other;
    frame[1].dn_bound = frame->proves ? other : bound;
    return frame->tried = chosen;
}

/* ---- alpha-beta ---- */

/* Put each role's moves into the order of how often they decided a node. */
static void rank_moves(const struct search *run, i64 roles)
{
    i64 width = run->line->width;
    for (i64 role = 0; role < roles; role++) {
        const i64 *score = run->history + role * width;
        i64 *order = run->line->order + role * width;
        for (i64 i = 1; i < width; i++) {
            i64 move = order[i], place = i;
            for (; place > 0 && score[order[place - 1]] < score[move]; place--)
                order[place] = order[place - 1];
            order[place] = move;
        }
    }
}

/* Make the next eight moves, and put those that are open into order. Returns a trouble, or 0. */
static i64 open_group(const struct game *game, const struct search *run, struct frame *frame,
                      struct branch *branches, u64 *rows, i64 words)
{
    struct outlook out;
    i64 start = WORDS * frame->groups, count = least_of(WORDS, frame->found - start);
    i64 first = frame->branches, left = first;
    make_group(game, run->look, run->table, frame, branches, rows, &out, words);
    u64 good = frame->proves ? IS_REACHED : IS_MISSED;
    for (i64 word = 0; word < count; word++) {
        u64 status = word_at(&out.status, word);
        if (status && status < IS_REACHED)
            return (i64)status;
        if (status == good)
            frame->answer = HITS;
    }
    i64 open[WORDS];
    for (i64 word = 0; word < count && frame->answer < 0; word++) {
        if (word_at(&out.status, word))
            continue;
        struct numbers known = probe(run->table, rows + (start + word) * words,
                                     word_at(&out.hash, word), run->aim, words);
        if (!is_decided(known))
            open[left++ - first] = word;
        else if ((known.pn == 0) == frame->proves)
            frame->answer = HITS;
    }
    if (frame->answer >= 0)
        return 0;
    lanes threats = NONE;
    if (run->look->edit_runs && left > first + 1)
        threats = count_places(game, run->look, frame->mover);
    for (i64 at = first; at < left; at++) {
        i64 word = open[at - first], child = start + word, place = at;
        i64 move = branches[child].move;
        i64 score = run->history[frame->mover * run->line->width + move];
        score += THREAT * (i64)word_at(&threats, word) - REPLY * (i64)word_at(&out.left, word);
        for (; place > first && branches[place - 1].score < score; place--)
            branches[place] = branches[place - 1];
        branches[place] = (struct branch){(i32)move, (i32)child, word_at(&out.hash, word), score, 0, 0};
    }
    frame->branches = left;
    return 0;
}

/* Return the next branch to try, or NO_BRANCH where the node is answered. One that another thread
 * is at comes last. */
INLINE i64 choose_untried(struct search *run, struct frame *frame, struct branch *branches)
{
    i64 next = frame->tried;
    for (i64 i = next; run->busy_mask && i < frame->branches; i++)
        if (!is_busy(run, branches[i].hash)) {
            struct branch branch = branches[i];
            for (; i > next; i--)
                branches[i] = branches[i - 1];
            branches[next] = branch;
            break;
        }
    frame->tried++;
    frame[1].pn_bound = frame[1].dn_bound = INFINITE;
    return next;
}

/* ---- the loop ---- */

/* Look a position up; return whether that is all there is to do. Alpha-beta has looked the first
 * branch up just now. */
INLINE int is_settled(struct search *run, struct frame *frame, enum rule rule, i64 words)
{
    struct line *line = run->line;
    struct numbers known = {0, 0};
    if (rule == BOUNDED)
        known = recall(run, frame, words);
    else if (rule == PROOF_NUMBERS || line->ply == 0 || frame[-1].tried > 1)
        known = probe(run->table, frame->row, line->hashes[line->ply], run->aim, words);
    if (known.pn + known.dn == 0 || (known.pn && known.dn && known.pn < frame->pn_bound && known.dn < frame->dn_bound)) {
        if (rule == BOUNDED || (line->ply < line->deepest && !comes_again(line, words)))
            return 0;
        line->repeated++;
        known = (struct numbers){UNDECIDED, UNDECIDED};
    }
    line->pn = known.pn;
    line->dn = known.dn;
    return 1;
}

INLINE i64 open_node(const struct game *game, struct search *run, struct frame *frame,
                     struct branch *branches, u64 *rows, enum rule rule, i64 words)
{
    struct line *line = run->line;
    if (rule == ALPHA_BETA && line->nodes % RANKED == 0)
        rank_moves(run, game->role_count);
    i64 trouble = list_moves(game, run->look, line->order, line->width, frame, branches);
    if (trouble)
        return trouble;
    frame->proves = frame->mover == 0;
    frame->begun = ++line->nodes;
    frame->branches = frame->tried = frame->was_open = 0;
    frame->answer = -1;
    if (rule != BOUNDED)
        be_busy(run, line->hashes[line->ply], 1);
    if (rule == PROOF_NUMBERS)
        return open_numbers(game, run, frame, branches, rows, words);
    if (rule == BOUNDED)
        return open_bounded(game, run, frame, branches, rows, words);
    return 0;
}

/* Take the numbers of the child that the search comes back from. */
INLINE void take_back(struct search *run, struct frame *frame, struct branch *branches, enum rule rule)
{
    struct line *line = run->line;
    struct numbers back = {line->pn, line->dn};
    int helps = (back.pn == 0) == frame->proves, is_open = !is_decided(back);
    i64 first = frame->mover * line->width; /* of the mover's history */
    if (rule == PROOF_NUMBERS) {
        struct branch *branch = branches + frame->tried;
        branch->pn = (i32)back.pn;
        branch->dn = (i32)back.dn;
        if (!is_open)
            run->history[2 * (first + branch->move) + !helps]++;
    } else if (is_open)
        frame->was_open = 1;
    else if (helps) {
        frame->answer = HITS;
        frame->plies = run->plies - line->ply;
        if (rule == BOUNDED)
            run->killers[line->ply] = branches[frame->tried - 1].move;
        else if (!run->look->edit_runs) { /* the history misleads where threats order moves */
            run->history[first + branches[frame->tried - 1].move] += frame->tried;
            for (i64 i = 0; i < frame->tried; i++)
                run->history[first + branches[i].move]--;
        }
    }
}

/* Choose a branch, or set the numbers of the line where the node is done. */
INLINE i64 choose_branch(const struct game *game, struct search *run, struct frame *frame,
                         struct branch *branches, u64 *rows, enum rule rule, i64 words)
{
    struct line *line = run->line;
    if (rule == PROOF_NUMBERS)
        return choose_number(run, frame, branches);
    while (frame->answer < 0 && frame->tried == frame->branches) {
        if (rule == BOUNDED || WORDS * frame->groups >= frame->found) {
            frame->answer = frame->was_open ? OPEN : MISSES;
            frame->plies = run->plies - line->ply;
        } else if ((line->trouble = open_group(game, run, frame, branches, rows, words)))
            return NO_BRANCH;
    }
    if (frame->answer < 0)
        return choose_untried(run, frame, branches);
    int is_reached = (frame->answer == HITS) == frame->proves;
    line->pn = frame->answer == OPEN ? UNDECIDED : is_reached ? 0 : INFINITE;
    line->dn = frame->answer == OPEN ? UNDECIDED : is_reached ? INFINITE : 0;
    return NO_BRANCH;
}

/* Go on until `limit` more nodes were looked at; return whether the search has ended. */
INLINE i64
walk_line(const struct game *game, struct search *run, i64 limit, enum rule rule, i64 words)
{
    struct line *line = run->line;
    i64 end = line->nodes + limit;
    if (line->ply == 0 && !line->is_back) {
        line->frames[0].row = line->root;
        line->frames[0].pn_bound = line->frames[0].dn_bound = INFINITE;
        line->hashes[0] = hash_row(line->root, words);
    }
    for (;;) {
        struct frame *frame = line->frames + line->ply;
        struct branch *branches = branches_at(line, line->ply);
        u64 *rows = rows_at(line, line->ply, words);
        int is_done = 0;
        if (line->is_back)
            take_back(run, frame, branches, rule);
        else {
            is_done = is_settled(run, frame, rule, words);
            if (!is_done && line->nodes >= end)
                return 0;
            if (!is_done)
                line->trouble = open_node(game, run, frame, branches, rows, rule, words);
        }
        if (!is_done && !line->trouble) {
            i64 next = choose_branch(game, run, frame, branches, rows, rule, words);
            if (next != NO_BRANCH) {
                frame[1].row = rows + branches[next].place * words;
                line->hashes[++line->ply] = branches[next].hash;
                line->is_back = 0;
                continue;
            }
            struct numbers found = {line->pn, line->dn};
            u64 hash = line->hashes[line->ply];
            if (rule == BOUNDED)
                remember(run, frame, found.pn == 0, words);
            else {
                be_busy(run, hash, -1);
                if (found.pn < UNDECIDED || found.dn < UNDECIDED)
                    keep_numbers(run->table, frame->row, hash, run->aim, found,
                                 line->nodes - frame->begun + 1, words);
            }
        }
        if (line->trouble || line->ply == 0)
            return 1;
        line->ply--;
        line->is_back = 1;
    }
}

i64 search_proof_numbers(const struct game *game, struct search *run, i64 limit, i64 words)
{
    return walk_line(game, run, limit, PROOF_NUMBERS, words);
}

i64 search_alpha_beta(const struct game *game, struct search *run, i64 limit, i64 words)
{
    return walk_line(game, run, limit, ALPHA_BETA, words);
}

i64 search_bounded(const struct game *game, struct search *run, i64 limit, i64 words)
{
    return walk_line(game, run, limit, BOUNDED, words);
}

/* List the moves of the line's first position that two plies leave open, and the threats after
 * each. Returns their number. */
i64 search_threats(const struct game *game, struct search *run, i64 *moves, i64 *threats, i64 words)
{
    struct frame *frame = run->line->frames;
    struct branch *branches = run->line->branches;
    struct outlook out;
    lanes places = NONE;
    i64 open = 0;
    frame->row = run->line->root;
    if (list_moves(game, run->look, run->line->order, run->line->width, frame, branches))
        return 0;
    for (i64 child = 0; child < frame->found; child++) {
        if (child % WORDS == 0)
            make_group(game, run->look, 0, frame, branches, run->line->rows, &out, words);
        if (child % WORDS == 0)
            places = count_places(game, run->look, frame->mover);
        if (word_at(&out.status, child % WORDS) == 0) {
            moves[open] = branches[child].move;
            threats[open++] = (i64)word_at(&places, child % WORDS);
        }
    }
    return open;
}
