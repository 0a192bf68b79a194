#include "numbers.h"

/* A search tree of any number of roles.
 *
 * A node is a state. Its edges are joint moves, each with the number of times it was taken and the
 * sum of its results for each role; it starts with the results of random matches after it, as one
 * more visit. Where one role chooses, it takes the edge with the highest upper confidence bound.
 *
 * Where several choose, each plays moves in proportion to its regret for not having played them, and
 * now and then any move. Regret is how much better a move would have been against what the others
 * just did, by what is known of that joint move; negative regrets are reset to zero (Tammelin 2014).
 * Over time the mean of what is played, with later visits counting more, approaches an equilibrium
 * of two opposed roles. */

#define SEVERAL -2

INLINE f64 mean_of(const struct joint_tree *run, i64 edge, i64 role)
{
    i64 at = edge * run->roles + role;
    return (run->total[at] + run->prior[at]) / (run->edges[edge].taken + 1.0);
}

/* The edge that the one role with a choice takes. */
static i64 pick_own(const struct joint_tree *run, const struct joint_node *node)
{
    i64 role = node->turn > 0 ? node->turn : 0, best_edge = node->first;
    f64 log = logarithm(node->visits + 2.0), best = -1e9;
    for (i64 at = node->first; at < node->first + node->count; at++) {
        const struct joint_edge *edge = run->edges + at;
        f64 score;
        if (run->nodes[edge->child].status == NODE_PROVEN) {
            /* One proven not to win is chosen only where no unproven edge is left. */
            score = run->value[edge->child * run->roles + role];
            score = score < 1.0 ? score - 1.0 : 2.0;
        } else
            score = mean_of(run, at, role) + run->spread * __builtin_sqrt(log / (edge->taken + 1.0));
        if (score > best) {
            best = score;
            best_edge = at;
        }
    }
    return best_edge;
}

/* Draw a move in proportion to regret, or any; count how often each was to be played. */
static i64 draw_move(struct joint_tree *run, i64 first, i64 size, f64 visits)
{
    struct joint_edge *moves = run->edges + first;
    f64 total = 0.0;
    for (i64 at = 0; at < size; at++)
        total += moves[at].regret;
    for (i64 at = 0; at < size; at++)
        moves[at].played += visits * (total > 0.0 ? moves[at].regret / total : 1.0 / (f64)size);
    if (total <= 0.0 || draw_unit(&run->random) < 2.0 / (2.0 + __builtin_sqrt(visits)))
        return draw_below(&run->random, size);
    f64 left = draw_unit(&run->random) * total;
    i64 place = 0;
    while ((left -= moves[place].regret) >= 0.0 && place + 1 < size)
        place++;
    return place;
}

/* The edge that roles take when each draws its move. */
static i64 pick_joint(struct joint_tree *run, i64 number)
{
    const struct joint_node *node = run->nodes + number;
    i64 roles = run->roles, first = node->first, left = node->first, right = first + node->count;
    for (i64 role = 0; role < roles; role++) {
        i64 size = run->sizes[number * roles + role], wanted = 0;
        if (size) {
            wanted = draw_move(run, first, size, (f64)node->visits);
            first += size;
        }
        run->wanted[role] = wanted;
    }
    for (; left < right; left++) {
        int is_wanted = 1;
        for (i64 role = 0; role < roles; role++)
            is_wanted &= run->slot[left * roles + role] == run->wanted[role];
        if (is_wanted)
            return left;
    }
    return node->first;
}

/* Add each role's regret for its other moves against what the others did. */
static void regret_joint(struct joint_tree *run, i64 number, i64 taken, const f32 *result)
{
    const struct joint_node *node = run->nodes + number;
    i64 roles = run->roles;
    const i32 *own = run->slot + taken * roles;
    for (i64 edge = node->first; edge < node->first + node->count; edge++) {
        i64 differing = 0, who = 0, at = 0, base = node->first;
        for (i64 role = 0; role < roles; role++) {
            i64 slot = run->slot[edge * roles + role];
            if (slot != own[role]) {
                differing++;
                who = role;
                at = base + slot;
            }
            base += run->sizes[number * roles + role];
        }
        if (differing != 1)
            continue;
        i64 to = run->edges[edge].child;
        f64 other = run->nodes[to].status == NODE_PROVEN ? run->value[to * roles + who]
                                                         : mean_of(run, edge, who);
        f64 regret = run->edges[at].regret + other - result[who];
        run->edges[at].regret = regret > 0.0 ? (f32)regret : 0.0f;
    }
}

/* Walk down, stopping at nodes not grown yet or proven. Returns how many walks were made: fewer
 * where two would end at the same new node. */
i64 joint_descend(struct joint_tree *run, struct walks *walks, i64 root)
{
    for (i64 walk = 0; walk < walks->room; walk++) {
        i64 *path = walks->paths + walk * walks->deepest, node = root, length = 0;
        while (run->nodes[node].status == NODE_GROWN && length < walks->deepest) {
            i64 edge = run->nodes[node].turn == SEVERAL ? pick_joint(run, node)
                                                        : pick_own(run, run->nodes + node);
            path[length++] = edge;
            node = run->edges[edge].child;
        }
        for (i64 other = 0; other < walk; other++)
            if (run->nodes[node].status != NODE_PROVEN && walks->leaves[other] == node)
                return walk;
        /* Until its result is known, a walk counts as a loss: the next one looks elsewhere. */
        walks->leaves[walk] = node;
        walks->lengths[walk] = length;
        node = root;
        for (i64 step = 0; step < length; step++) {
            run->nodes[node].visits++;
            run->edges[path[step]].taken++;
            node = run->edges[path[step]].child;
        }
    }
    return walks->room;
}

/* Give a node its edges. */
void joint_grow(struct joint_tree *run, i64 node, i64 turn, const u64 *rows, i64 count)
{
    run->nodes[node].status = NODE_GROWN;
    run->nodes[node].turn = (i8)turn;
    run->nodes[node].first = (i32)run->used_edges;
    run->nodes[node].count = (i32)count;
    for (i64 i = 0; i < count; i++)
        run->edges[run->used_edges++].child =
            (i32)find_or_add(run->states, rows + i * run->states->words);
}

/* Prove a node whose edges decide it: fastest where it wins, slowest where it does not. */
static void settle_joint(struct joint_tree *run, i64 number)
{
    struct joint_node *node = run->nodes + number;
    i64 roles = run->roles, role = node->turn, best = -1;
    int is_open = 0;
    for (i64 edge = node->first; edge < node->first + node->count; edge++) {
        i64 to = run->edges[edge].child;
        const f32 *value = run->value + to * roles, *known = run->value + best * roles;
        if (run->nodes[to].status != NODE_PROVEN)
            is_open = 1;
        else if (best < 0)
            best = to;
        else if (role >= 0) {
            if (value[role] > known[role] ||
                (value[role] == known[role] &&
                 (run->nodes[to].plies < run->nodes[best].plies) == (value[role] >= 1.0f)))
                best = to;
        } else if (role == SEVERAL)
            for (i64 r = 0; r < roles; r++)
                if (value[r] != known[r])
                    return;
    }
    if (best < 0 || (is_open && (role < 0 || run->value[best * roles + role] < 1.0f)))
        return;
    node->status = NODE_PROVEN;
    node->plies = run->nodes[best].plies + 1;
    for (i64 r = 0; r < roles; r++)
        run->value[number * roles + r] = run->value[best * roles + r];
}

/* Add a result to the edges of a path, and prove what has become certain. */
static void back_up_walk(struct joint_tree *run, i64 root, const i64 *path, i64 length,
                         const f32 *result)
{
    for (i64 step = 0; step < length; step++) {
        i64 node = step ? run->edges[path[step - 1]].child : root;
        for (i64 role = 0; role < run->roles; role++)
            run->total[path[step] * run->roles + role] += result[role];
        if (run->nodes[node].turn == SEVERAL)
            regret_joint(run, node, path[step], result);
    }
    for (i64 step = length - 1; step >= 0; step--) {
        i64 node = step ? run->edges[path[step - 1]].child : root;
        if (run->nodes[node].status == NODE_GROWN &&
            run->nodes[run->edges[path[step]].child].status == NODE_PROVEN)
            settle_joint(run, node);
    }
}

/* Back up the results of walks, for each role. */
void joint_back_up(struct joint_tree *run, const struct walks *walks, i64 root, i64 made,
                   const f32 *results)
{
    for (i64 walk = 0; walk < made; walk++)
        back_up_walk(run, root, walks->paths + walk * walks->deepest, walks->lengths[walk],
                     results + walk * run->roles);
}
