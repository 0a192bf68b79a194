#include "lanes.h"

/* Plain tree search in many positions at once: each lane of a block belongs to one tree.
 *
 * A lane goes down its tree by upper confidence bounds (Kocsis and Szepesvari 2006), adds one node,
 * and plays at random to the end; the block takes all lanes one move further at a time, whatever
 * each of them is doing. */

enum { RESTS, LOADED, FRESH, PLAYS };

/* Give a node an edge for each move of the role that chooses there. Returns 1; 0 if there is no
 * room for its edges, or -1 if several roles choose. */
static i64 expand_node(const struct game *game, struct trees *run, i64 lane, i64 node)
{
    const lanes *memory = run->matches->memory;
    i64 who = 0, most = -1;
    for (i64 r = 0; r < game->role_count; r++) {
        i64 count = 0;
        for (i64 move = 0; move < game->roles[r].moves; move++)
            count += bit_at(memory, run->legal[r] + move, lane);
        if (count > 1 && most > 1)
            return -1;
        if (count > most) {
            who = r;
            most = count;
        }
    }
    if (run->used_edges + most > run->edge_room)
        return 0;
    run->first_edge[node] = run->used_edges;
    run->edge_count[node] = (i32)most;
    run->chooser[node] = (i8)who;
    for (i64 move = 0; move < game->roles[who].moves; move++)
        if (bit_at(memory, run->legal[who] + move, lane)) {
            struct tree_edge *edge = run->edges + run->used_edges++;
            *edge = (struct tree_edge){(i32)move, -1, 0, 0.0f};
        }
    return 1;
}

/* Return an edge that was not tried yet, drawn at random, or the one with the best bound. */
INLINE i64 choose_edge(struct trees *run, i64 lane, i64 node)
{
    i64 first = run->first_edge[node], end = first + run->edge_count[node], untried = 0, best = first;
    f64 highest = -1.0;
    for (i64 edge = first; edge < end; edge++)
        untried += run->edges[edge].visits == 0;
    if (untried) {
        i64 left = draw_below(run->random + lane, untried);
        for (i64 edge = first; edge < end; edge++)
            if (run->edges[edge].visits == 0 && left-- == 0)
                return edge;
    }
    for (i64 edge = first; edge < end; edge++) {
        f64 tried = (f64)run->edges[edge].visits;
        f64 bound = run->edges[edge].total / tried +
                    run->exploration * __builtin_sqrt(run->logs[run->visits[node]] / tried);
        if (bound > highest) {
            highest = bound;
            best = edge;
        }
    }
    return best;
}

INLINE void new_node(struct trees *run, i64 node)
{
    run->edge_count[node] = -1;
    run->visits[node] = 0;
    run->terminal[node] = 0;
}

/* What each role has where play has ended, from 0 to 1; a half where it has not, or has no goal. */
INLINE void score_lane(const struct game *game, struct trees *run, i64 lane, f64 *scores)
{
    const lanes *memory = run->matches->memory;
    for (i64 r = 0; r < game->role_count; r++) {
        i64 found = 0;
        f64 value = 0.0;
        if (bit_at(memory, game->terminal, lane))
            for (i64 goal = 0; goal < game->goal_count; goal++)
                if (run->goal_role[goal] == r && bit_at(memory, game->goals + goal, lane)) {
                    found++;
                    value += run->goal_value[goal];
                }
        scores[r] = found == 1 ? value : 0.5;
    }
}

/* Count the playout of a lane along its path, and go down again; returns whether a state is to be
 * loaded. A node at which play ended is counted again at once. */
static int back_up(const struct game *game, struct trees *run, struct tree *tree, i64 lane, f64 *scores)
{
    i64 root = lane * run->nodes, roles = game->role_count;
    i64 *path = run->path + lane * 2 * TREE_DEPTH;
    for (;;) {
        for (i64 i = 0; i < tree->length; i++) {
            struct tree_edge *edge = run->edges + path[2 * i + 1];
            run->visits[path[2 * i]]++;
            edge->visits++;
            edge->total += (f32)scores[run->chooser[path[2 * i]]];
        }
        for (i64 r = 0; r < roles; r++)
            run->sums[lane * roles + r] += scores[r];
        if (++tree->done >= run->playouts) {
            tree->phase = RESTS;
            return 0;
        }
        i64 node = root;
        tree->length = 0;
        tree->wanted = -1;
        while (run->edge_count[node] >= 0 && tree->length < TREE_DEPTH) {
            i64 edge = choose_edge(run, lane, node);
            if (run->edges[edge].visits == 0) {
                tree->wanted = edge;
                break;
            }
            path[2 * tree->length] = node;
            path[2 * tree->length++ + 1] = edge;
            node = run->edges[edge].child;
            if (run->terminal[node])
                break;
        }
        if (!run->terminal[node]) {
            tree->at = node;
            tree->phase = LOADED;
            return 1;
        }
        for (i64 r = 0; r < roles; r++)
            scores[r] = run->scores[node * roles + r];
    }
}

/* Go on in one lane after the block was viewed; returns 1 if a state is to be loaded, or -1 where
 * several roles choose. */
static i64 go_on(const struct game *game, struct trees *run, i64 lane, i64 turn)
{
    struct tree *tree = run->tree + lane;
    lanes *memory = run->matches->memory;
    i64 node = tree->at, *path = run->path + lane * 2 * TREE_DEPTH;
    f64 *scores = run->lane_scores;
    if (tree->phase == LOADED) {
        if (run->edge_count[node] < 0 && tree->wanted < 0) {
            i64 answer = expand_node(game, run, lane, node);
            if (answer < 0)
                return -1;
            if (answer)
                tree->wanted = run->first_edge[node] +
                               draw_below(run->random + lane, run->edge_count[node]);
        }
        tree->begun = turn;
        tree->phase = PLAYS;
        if (tree->wanted < 0 || tree->length >= TREE_DEPTH) /* no room: play from here */
            return 0;
        struct tree_edge *edge = run->edges + tree->wanted;
        const struct role *role = game->roles + run->chooser[node];
        for (i64 move = 0; move < role->moves; move++)
            set_bit(memory, role->legal + move, lane, move == edge->move);
        path[2 * tree->length] = node;
        path[2 * tree->length++ + 1] = tree->wanted;
        tree->at = lane * run->nodes + tree->used++;
        edge->child = (i32)tree->at;
        new_node(run, tree->at);
        tree->phase = FRESH;
        return 0;
    }
    if (tree->phase == FRESH) {
        u64 *row = run->rows + node * run->words;
        for (i64 w = 0; w < run->words; w++)
            row[w] = 0;
        for (i64 f = 0; f < game->fluent_count; f++)
            row[f >> 6] |= (u64)bit_at(memory, game->fluents + f, lane) << (f & 63);
        tree->phase = PLAYS;
    }
    int is_over = bit_at(run->matches->over, 0, lane);
    if (!is_over && turn - tree->begun <= run->longest)
        return 0;
    score_lane(game, run, lane, scores);
    if (is_over && turn - tree->begun == 1 && tree->length) {
        run->terminal[node] = 1;
        for (i64 r = 0; r < game->role_count; r++)
            run->scores[node * game->role_count + r] = scores[r];
    }
    return back_up(game, run, tree, lane, scores);
}

/* Search from the state of every tree's first node; write the most visited moves. Returns 0, or -1
 * where several roles choose at a time. `game` has masks in the place of legal moves. */
i64 trees_search(const struct game *game, struct trees *run, i64 trees, i64 bits)
{
    lanes *memory = run->matches->memory;
    i64 *loading = run->loading, loads = trees, active = trees;
    run->used_edges = 0;
    for (i64 lane = 0; lane < trees; lane++) {
        i64 root = lane * run->nodes;
        run->tree[lane] = (struct tree){LOADED, root, 1, -1, 0, 0, 0};
        new_node(run, root);
        loading[lane] = lane;
    }
    for (i64 turn = 1;; turn++) {
        for (i64 i = 0; i < loads; i++) {
            const u64 *row = run->rows + run->tree[loading[i]].at * run->words;
            for (i64 f = 0; f < game->fluent_count; f++)
                set_bit(memory, game->fluents + f, loading[i], row[f >> 6] >> (f & 63) & 1);
        }
        if (!active)
            break;
        loads = active = 0;
        matches_view(game, run->matches, bits);
        for (i64 lane = 0; lane < trees; lane++) {
            if (run->tree[lane].phase == RESTS)
                continue;
            i64 answer = go_on(game, run, lane, turn);
            if (answer < 0)
                return -1;
            if (answer)
                loading[loads++] = lane;
            active += run->tree[lane].phase != RESTS;
        }
        matches_advance(game, run->matches, bits);
    }
    for (i64 lane = 0; lane < trees; lane++) {
        i64 first = run->first_edge[lane * run->nodes], most = -1;
        for (i64 edge = first; edge < first + run->edge_count[lane * run->nodes]; edge++)
            if (run->edges[edge].visits > most) {
                most = run->edges[edge].visits;
                run->best[lane] = run->edges[edge].move;
            }
    }
    return 0;
}
