#include "numbers.h"

/* A search tree of two roles that take turns.
 *
 * A node is a state, however it was reached, with its visits and the sum of their results for each
 * role, between 0 and 1. A walk down takes the edge with the highest upper confidence bound on the
 * mean of its node. An edge that was not taken yet counts as if it had been, with the mean of its
 * parent, better or worse by how matches went in which that move was made. A node is proven where
 * its chooser has a proven edge to the highest goal, or where all edges are proven. */

#define MIDDLE 0.5
#define TAKEN -2 /* the child of an edge while its node is being made */
#define FEW 10.0 /* matches with a move that count as much as knowing nothing of it */

/* The open edge with the highest bound for the role that has the choice, or -1. */
INLINE i64 pick_edge(const struct turn_tree *run, const struct turn_node *here)
{
    i64 role = here->turn > 0, best_edge = -1;
    f64 visits = here->visits + 1.0, mean = (here->total[role] + MIDDLE) / visits, best = -1e9;
    f64 log = logarithm(visits + 1.0);
    for (i64 at = here->first; at < here->first + here->count; at++) {
        const struct turn_edge *edge = run->edges + at;
        f64 first = run->guesses ? mean : mean + edge->prior, guess = edge->prior, total = 0.0;
        f64 tried = edge->taken;
        if (edge->child >= 0) {
            const struct turn_node *to = run->nodes + edge->child;
            if (to->status == NODE_PROVEN)
                continue;
            total = to->total[role];
            tried = to->visits;
            guess = to->guess;
        }
        first = first < 0.0 ? 0.0 : first > 1.0 ? 1.0 : first;
        f64 score = (total + first) / (tried + 1.0);
        if (run->guesses)
            score += run->share * ((role == 0 ? guess : 1.0 - guess) - score);
        score += run->spread * __builtin_sqrt(log / (edge->taken + 1.0));
        if (score > best) {
            best = score;
            best_edge = at;
        }
    }
    return best_edge;
}

/* Prove a node whose edges decide it: fastest where it wins, slowest where it does not. */
static void settle_node(struct turn_tree *run, struct turn_node *here)
{
    i64 role = here->turn;
    const struct turn_node *best = 0;
    int is_open = 0;
    for (i64 at = here->first; at < here->first + here->count; at++) {
        const struct turn_node *to = run->nodes + run->edges[at].child;
        if (run->edges[at].child < 0 || to->status != NODE_PROVEN)
            is_open = 1;
        else if (!best)
            best = to;
        else if (role >= 0) {
            f32 value = to->value[role], known = best->value[role];
            if (value > known ||
                (value == known && (to->plies < best->plies) == (value >= run->tops[role])))
                best = to;
        }
    }
    if (!best || (is_open && role < 0))
        return;
    if (is_open && best->value[role] < run->tops[role]) {
        here->floors[0] = best->value[0];
        here->floors[1] = best->value[1];
        return;
    }
    here->status = NODE_PROVEN;
    here->plies = best->plies + 1;
    here->value[0] = here->guess = best->value[0];
    here->value[1] = best->value[1];
}

/* The node before a step of a path, from its root. */
INLINE struct turn_node *node_at(const struct turn_tree *run, i64 root, const i64 *path, i64 step)
{
    return run->nodes + (step ? run->edges[path[step - 1]].child : root);
}

/* Add a result to the nodes of a path, from its end up. Who has a choice gets at least what the best
 * proven move gives. */
static void add_result(struct turn_tree *run, i64 root, const i64 *path, i64 length, f64 first, f64 second)
{
    for (i64 step = length; step >= 0; step--) {
        struct turn_node *node = node_at(run, root, path, step);
        if (step < length && ((node->turn == 0 && node->floors[0] > first) ||
                              (node->turn == 1 && node->floors[1] > second))) {
            first = node->floors[0];
            second = node->floors[1];
        }
        node->total[0] += first;
        node->total[1] += second;
    }
}

static void settle_path(struct turn_tree *run, i64 root, const i64 *path, i64 length)
{
    for (i64 step = length - 1; step >= 0; step--) {
        struct turn_node *node = node_at(run, root, path, step);
        if (node_at(run, root, path, step + 1)->status != NODE_PROVEN)
            return;
        if (node->status == NODE_GROWN)
            settle_node(run, node);
    }
}

INLINE f32 guess_of(const struct turn_tree *run, i64 edge)
{
    const struct turn_edge *here = run->edges + edge;
    return here->child < 0 ? here->prior : run->nodes[here->child].guess;
}

/* Give the nodes of a path the guess of their best edge, from the end up. */
static void guess_path(struct turn_tree *run, i64 root, const i64 *path, i64 length)
{
    for (i64 step = length; step >= 0; step--) {
        struct turn_node *node = node_at(run, root, path, step);
        if (node->status != NODE_GROWN)
            continue;
        f32 best = guess_of(run, node->first);
        for (i64 at = node->first + 1; at < node->first + node->count; at++) {
            f32 here = guess_of(run, at);
            best = (node->turn == 1) == (here < best) ? here : best;
        }
        node->guess = best;
    }
}

/* Whether a leaf gets edges now: one that waits does at its second visit. A leaf is a node, or an
 * edge e without one, as -2 - e. */
INLINE int gets_edges(const struct turn_tree *run, i64 leaf, i64 root, i64 waits)
{
    if (leaf < 0)
        return !waits;
    const struct turn_node *here = run->nodes + leaf;
    return here->status == NODE_NEW && (!waits || leaf == root || here->visits > 1);
}

/* Take back the walks to leaves that others have found, and close the gaps. */
static void drop_walks(struct turn_tree *run, struct walks *walks, i64 root, i64 made)
{
    walks->made = 0;
    for (i64 walk = 0; walk < made; walk++) {
        i64 *path = walks->paths + walk * walks->deepest, length = walks->lengths[walk];
        if (walks->leaves[walk] != -1) {
            i64 to = walks->made++;
            walks->leaves[to] = walks->leaves[walk];
            walks->lengths[to] = length;
            for (i64 step = 0; step < length; step++)
                walks->paths[to * walks->deepest + step] = path[step];
            continue;
        }
        run->nodes[root].visits--;
        for (i64 step = 0; step < length; step++) {
            struct turn_edge *edge = run->edges + path[step];
            edge->taken--;
            if (edge->child >= 0)
                run->nodes[edge->child].visits--;
        }
    }
}

/* Walk down to a leaf, and mark it as taken; return it, -1 if another walk has it, or the number of
 * the last node in `end` if its value is known. */
static i64 walk_down(struct turn_tree *run, i64 root, i64 *path, i64 deepest, i64 *length, i64 *end)
{
    struct turn_node *nodes = run->nodes;
    i64 node = root;
    *length = 0;
    *end = -1;
    nodes[root].visits++;
    while (nodes[node].status == NODE_GROWN && *length < deepest) {
        i64 number = pick_edge(run, nodes + node);
        if (number < 0) {
            settle_node(run, nodes + node);
            break;
        }
        struct turn_edge *edge = run->edges + number;
        path[(*length)++] = number;
        edge->taken++;
        if (edge->child < 0) {
            i64 is_taken = edge->child == TAKEN;
            edge->child = TAKEN;
            return is_taken ? -1 : -2 - number;
        }
        node = edge->child;
        nodes[node].visits++;
    }
    i64 status = nodes[node].status, is_taken = nodes[node].is_busy;
    if (status == NODE_PROVEN || status == NODE_STUCK || status == NODE_GROWN)
        *end = node;
    else
        nodes[node].is_busy = 1;
    return is_taken ? -1 : node;
}

/* Walk down, to at most so many leaves, and hand them over. */
void turns_descend(struct turn_tree *run, struct walks *walks, struct judging *judging, i64 root,
                   i64 most, i64 waits)
{
    i64 made = 0, missed = 0, words = run->states->words;
    walks->open = walks->closed = 0;
    while (walks->open + walks->closed < most && made < walks->room - 1 && missed <= most / 4) {
        i64 *path = walks->paths + made * walks->deepest, length, end;
        i64 leaf = walk_down(run, root, path, walks->deepest, &length, &end);
        if (end >= 0) {
            const struct turn_node *node = run->nodes + end;
            int is_proven = node->status == NODE_PROVEN;
            missed++;
            add_result(run, root, path, length, is_proven ? node->value[0] : MIDDLE,
                is_proven ? node->value[1] : MIDDLE);
            if (is_proven)
                settle_path(run, root, path, length);
            if (run->nodes[root].status == NODE_PROVEN)
                break;
            continue;
        }
        walks->lengths[made] = length;
        walks->leaves[made++] = leaf;
        if (leaf == -1)
            missed++;
        else if (gets_edges(run, leaf, root, waits))
            walks->open++;
        else
            walks->closed++;
    }
    drop_walks(run, walks, root, made);
    i64 first = 0, last = walks->open;
    for (i64 walk = 0; walk < walks->made; walk++) {
        i64 leaf = walks->leaves[walk], length = walks->lengths[walk], row = leaf;
        i64 at = gets_edges(run, leaf, root, waits) ? first++ : last++;
        const i64 *path = walks->paths + walk * walks->deepest;
        struct leaf *to = judging->leaves + at;
        to->node = to->edge = to->given = -1;
        if (leaf >= 0)
            to->node = (i32)leaf;
        else {
            to->edge = (i32)(-2 - leaf);
            to->given = run->edges[to->edge].move;
            row = node_at(run, root, path, length - 1) - run->nodes;
        }
        walks->leaves[walk] = at;
        for (i64 w = 0; w < words; w++)
            judging->leaf_rows[at * words + w] = run->states->rows[row * words + w];
    }
}

/* Give a node what is certain of it. */
static void note_certain(const struct successor *found, struct turn_node *to)
{
    if (to->status != NODE_NEW)
        return;
    to->status = (i8)found->status;
    to->plies = found->plies;
    to->value[0] = to->guess = found->value[0];
    to->value[1] = found->value[1];
}

/* Make the node of a leaf, if there is room; return whether there was. */
static int make_node(struct turn_tree *run, const struct judging *judging, i64 number)
{
    struct leaf *leaf = judging->leaves + number;
    if (leaf->edge < 0) {
        run->nodes[leaf->node].is_busy = 0;
        return 1;
    }
    struct turn_edge *edge = run->edges + leaf->edge;
    edge->child = -1;
    if (run->states->used >= run->states->room)
        return 0;
    edge->child = leaf->node =
        (i32)find_or_add(run->states, judging->leaf_rows + number * judging->words);
    run->nodes[leaf->node].visits++;
    if (judging->table && run->nodes[leaf->node].status == NODE_NEW)
        run->nodes[leaf->node].guess = (f32)leaf->result[0];
    return 1;
}

/* Give a leaf its edges, if there is room, and nodes to those that need no visit. */
static int grow_leaf(struct turn_tree *run, const struct judging *judging, const struct leaf *leaf)
{
    struct turn_node *node = run->nodes + leaf->node;
    i64 begin = leaf->first, count = leaf[1].first - begin, certain = 0;
    if (count == 0 || node->status != NODE_NEW)
        return 1;
    for (i64 i = 0; i < count; i++)
        certain += judging->successors[begin + i].status != NODE_NEW;
    if (run->states->used + certain > run->states->room || run->used_edges + count > run->edge_room)
        return 0;
    struct turn_edge *edges = run->edges + run->used_edges;
    node->first = (i32)run->used_edges;
    node->count = (i32)count;
    node->turn = (i8)leaf->turn;
    node->status = NODE_GROWN;
    f64 mean = 0.0;
    for (i64 i = 0; i < count; i++) {
        const struct successor *found = judging->successors + begin + i;
        const f64 *known = run->moves + 2 * (found->move + (leaf->turn == 1 ? judging->offset : 0));
        f64 prior = (known[1] + FEW * MIDDLE) / (known[0] + FEW);
        prior = run->guesses ? found->guess : (found->gained + FEW * prior) / (found->tried + FEW);
        edges[i] = (struct turn_edge){-1, found->move, 0, (f32)prior};
        mean += prior / (f64)count;
        const u64 *row = judging->rows + (begin + i) * judging->words;
        if (found->status == NODE_NEW)
            edges[i].child = *find_place(run->states, row); /* -1 where it is missing */
        else {
            edges[i].child = (i32)find_or_add(run->states, row);
            note_certain(found, run->nodes + edges[i].child);
        }
    }
    for (i64 i = 0; i < count && !run->guesses; i++)
        edges[i].prior = (f32)(run->weight * (edges[i].prior - mean));
    run->used_edges += count;
    settle_node(run, node);
    return 1;
}

/* Give leaves their edges, and back up results; return whether all had room. */
i64 turns_grow(struct turn_tree *run, const struct walks *walks, struct judging *judging, i64 root)
{
    i64 fits = 1, count = walks->open + walks->closed;
    for (i64 i = 0; i < 2 * judging->moves; i++) {
        run->moves[i] += judging->tally[i];
        judging->tally[i] = 0.0;
    }
    for (i64 leaf = 0; leaf < count; leaf++)
        __builtin_prefetch(place_of(run->states, judging->leaf_rows + leaf * judging->words));
    for (i64 i = 0; i < judging->leaves[walks->open].first; i++)
        __builtin_prefetch(place_of(run->states, judging->rows + i * judging->words));
    for (i64 leaf = 0; leaf < count; leaf++)
        fits &= make_node(run, judging, leaf) && grow_leaf(run, judging, judging->leaves + leaf);
    for (i64 walk = 0; walk < walks->made; walk++) {
        const struct leaf *leaf = judging->leaves + walks->leaves[walk];
        const i64 *path = walks->paths + walk * walks->deepest;
        i64 length = walks->lengths[walk] - (leaf->node < 0);
        const struct turn_node *node = run->nodes + leaf->node;
        int is_proven = leaf->node >= 0 && node->status == NODE_PROVEN;
        add_result(run, root, path, length, is_proven ? node->value[0] : leaf->result[0],
            is_proven ? node->value[1] : leaf->result[1]);
        if (is_proven)
            settle_path(run, root, path, length);
        if (run->guesses)
            guess_path(run, root, path, length);
    }
    return fits;
}

/* Whether a node keeps its edges. */
INLINE int keeps_edges(const struct turn_tree *run, i64 node, i64 root, i64 least)
{
    return run->nodes[node].count > 0 && (node == root || run->nodes[node].visits >= least);
}

/* Mark the nodes that are kept; count them and their edges. */
void turns_mark(const struct turn_tree *run, i64 root, i64 least, i64 *stack, u8 *kept, i64 *sizes)
{
    i64 size = 1;
    stack[0] = root;
    kept[root] = 1;
    sizes[0] = 1;
    sizes[1] = 0;
    while (size) {
        i64 node = stack[--size];
        const struct turn_node *here = run->nodes + node;
        if (!keeps_edges(run, node, root, least))
            continue;
        sizes[1] += here->count;
        for (i64 at = here->first; at < here->first + here->count; at++) {
            i64 child = run->edges[at].child;
            if (child < 0 || kept[child])
                continue;
            kept[child] = 1;
            sizes[0]++;
            stack[size++] = child;
        }
    }
}

/* Move what is kept to the front; return the new place of the root. `order` has the nodes by their
 * first edges. */
i64 turns_compact(struct turn_tree *run, i64 root, i64 least, const i64 *order, const u8 *kept,
                  i64 *place)
{
    struct numbered *states = run->states;
    struct turn_node *nodes = run->nodes;
    i64 used = states->used, count = 0, written = 0;
    for (i64 node = 0; node < used; node++) {
        place[node] = count;
        count += kept[node];
    }
    for (i64 i = 0; i < used; i++) {
        struct turn_node *node = nodes + order[i];
        if (!kept[order[i]])
            continue;
        if (!keeps_edges(run, order[i], root, least)) {
            if (node->status == NODE_GROWN)
                node->status = NODE_NEW;
            node->count = node->first = 0;
            node->floors[0] = node->floors[1] = 0.0f;
            continue;
        }
        for (i64 at = node->first; at < node->first + node->count; at++) {
            struct turn_edge *edge = run->edges + written++;
            *edge = run->edges[at];
            edge->child = edge->child < 0 ? edge->child : (i32)place[edge->child];
        }
        node->first = (i32)(written - node->count);
    }
    for (u64 i = 0; i <= states->mask; i++)
        states->table[i] = -1;
    states->used = 0;
    for (i64 node = 0; node < used; node++)
        if (kept[node]) {
            nodes[states->used] = nodes[node];
            find_or_add(states, states->rows + node * states->words);
        }
    for (i64 node = states->used; node < used; node++)
        nodes[node] = (struct turn_node){.turn = -1};
    run->used_edges = written;
    return place[root];
}
