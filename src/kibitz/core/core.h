/* Native loops of Kibitz: what they share, and the functions that Python calls.
 *
 * Python reads the structs and prototypes of this file (core/__init__.py), so each is declared
 * once. Every field of a struct takes eight bytes: a pointer, an i64, a u64 or a function. Nothing
 * here allocates, keeps global state, or calls a library; bounds come with the arrays.
 *
 * A state is a row of 64-bit words, one bit for each fluent. Gates work on slots: slot i of a block
 * holds fluent, move or gate i of `LANES` states, one bit each (bit-sliced).
 */
#ifndef KIBITZ_CORE_H
#define KIBITZ_CORE_H

#include <stddef.h>
#include <stdint.h>

typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef float f32;
typedef double f64;

/* One bit of each state of a block. On a GPU a block is what one thread holds. */
#ifdef __NVPTX__
#define WORDS 1
typedef u32 lanes;
#else
#define WORDS 8
typedef u64 lanes __attribute__((vector_size(64), may_alias));
#endif
#define LANES (64 * WORDS)
#define GROUP 8     /* Moves that are taken together; areas of moves are padded to this. */
#define MOST_BITS 32 /* Bits of the largest number of moves. */

#define INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL
#endif

/* ---- game ---- */

struct role {
    i64 groups; /* of GROUP moves */
    i64 does;   /* first slot of the moves made */
    i64 legal;  /* first slot of the moves that may be made */
    i64 moves;
};

/* A stage of gates: native code of one game, or `interpret` with the game's list of gates. */
typedef void (*stage)(lanes *memory, const i32 *code);

struct game {
    stage view; /* fills in legal moves, the end and goals from the fluents */
    const i32 *view_code;
    stage step; /* fills in the next fluents from fluents, view and moves made */
    const i32 *step_code;
    /* Stages that look ahead, where a loop does. The replies go back from next fluents to fluents. */
    stage moves; /* fills in legal moves alone */
    const i32 *moves_code;
    stage reply_view; /* as `view`, of next fluents */
    const i32 *reply_view_code;
    stage reply_step;
    const i32 *reply_step_code;
    stage ends; /* fills in the end and goals alone */
    const i32 *ends_code;
    i64 fluents;
    i64 fluent_count;
    i64 terminal;
    i64 goals;
    i64 goal_count;
    i64 next;
    i64 slots;
    i64 role_count;
    const struct role *roles;
};

INLINE void view(const struct game *game, lanes *memory)
{
    game->view(memory, game->view_code);
}

INLINE void step(const struct game *game, lanes *memory)
{
    game->step(memory, game->step_code);
}

/* ---- gates.c ---- */

void interpret(lanes *memory, const i32 *code);

/* Trailing parameters `bits` and `words` are constants of a compilation: so many bits count the
 * moves of a role, a row has so many words. LLVM unrolls what depends on them. */

/* ---- playouts.c ---- */

/* Random matches in all lanes. Counts: moves made, matches ended, matches stuck, and for each goal
 * slot the matches that ended with it. */
struct playouts {
    lanes *memory;
    const i64 *initial; /* -1 or 0 for each fluent */
    lanes *random;
    lanes *scratch;
    i64 *counts;
};

/* Random matches from a state for each word of lanes; counts as above, for each word its own. */
struct rollouts {
    lanes *memory;
    const lanes *initial; /* for each fluent */
    lanes *random;
    lanes *scratch;
    lanes *counts;
    lanes *live; /* lanes in use; gets those left unfinished */
};

void playouts_run(const struct game *game, struct playouts *run, i64 rounds, i64 bits);
void playouts_roll(const struct game *game, struct rollouts *run, i64 rounds, i64 most, i64 bits);

/* ---- matches.c ---- */

/* The moves that a policy allows: an area like that of the legal moves. */
struct mask {
    stage fill; /* 0 if the caller fills it in */
    const i32 *code;
    i64 legal;
    i64 mask;
    i64 moves;
};

struct matches {
    lanes *memory;
    const lanes *seed;
    lanes *random;
    lanes *scratch;
    lanes *over;
    i64 round;
    i64 moves; /* made in all lanes so far */
    i64 mask_count;
    const struct mask *masks;
};

void matches_view(const struct game *game, struct matches *run, i64 bits);
void matches_advance(const struct game *game, struct matches *run, i64 bits);
void matches_play(const struct game *game, struct matches *run, i64 rounds, i64 bits);

/* ---- expand.c ---- */

struct expansion {
    lanes *memory;
    const u64 *rows;
    i64 row_words;
    lanes *remaining;
    lanes *scratch;
    lanes *packed;
    lanes *flags; /* end, each goal slot, and for each role where it has a choice */
    u64 *out_rows;
    i64 *out_parents;
    u64 *out_moves; /* `bits` bits a role, the first role lowest */
    i64 stop;       /* whether terminal states have no successors */
    i64 written;
    const i32 *images; /* orders of the slots of next fluents, 64 for each word of a row */
    i64 image_count;   /* at least the plain order */
};

void expand_rows(const struct game *game, struct expansion *run, i64 first, i64 count, i64 bits);
void expand_given(const struct game *game, struct expansion *run, const i64 *moves, i64 count,
                  i64 bits);

/* ---- perft.c ---- */

struct perft {
    lanes *arena; /* for each depth: slots, moves that remain, buffer, lanes buffered, scratch */
    i64 stride;
    i64 *counts;
    const i64 *stop; /* not 0: give up */
    i64 ends;        /* -1 if play stops at terminal states, else 0 */
    i64 remaining;
    i64 buffer;
    i64 buffered;
    i64 scratch;
};

void perft_run(const struct game *game, struct perft *run, const lanes *mask, i64 depth, i64 bits);

/* ---- leaves.c ---- */

/* Look at the leaves of a game tree, a state in each lane: its replies, and one random match.
 *
 * leaves_look writes to `out`: the end; each goal slot; where each of the two roles has a choice;
 * stuck; where both have a choice; where all replies end; where an end, here or one move later, has
 * no goal together with its partner; and for each goal slot where a reply ends with it.
 * leaves_play writes: ended, stuck, a choice of several roles seen, and each goal slot of the end.
 */
struct leaves {
    lanes *memory;
    lanes *reply_memory; /* of a second block */
    const u64 *rows;
    i64 row_words;
    i64 count;
    i64 looked_at; /* replies are made in so many of the first states */
    lanes *remaining; /* room for all moves of all roles */
    lanes *used;      /* likewise: gets for each move the lanes that made it */
    lanes *scratch;
    lanes *packed;
    const i64 *partners; /* for each goal slot the slot that goes with it, or -1 */
    lanes *out;
    lanes *random;
    i64 most;   /* rounds */
    i64 made;   /* increased by the number of moves */
    i64 guided; /* for how many moves a match follows the masks */
    const struct role *masked_roles; /* with masks in the place of legal moves */
    i64 mask_count;
    const struct mask *masks;
    const f32 *weights; /* 0, or one for each fluent: */
    f32 *extremes;      /* least and greatest sum after a reply that is no end, in each lane */
};

void leaves_look(const struct game *game, struct leaves *run, i64 bits);
void leaves_play(const struct game *game, struct leaves *run, i64 bits);
void leaves_play_guided(const struct game *game, struct leaves *run, i64 bits);

/* ---- space.c ---- */

/* One thread's share in adding states and edges to a space.
 *
 * A table holds, for each state, the upper half of its hash and, below it, its number plus one; a
 * look-up compares rows only where these agree. Several threads add one run of states together, and
 * number what they find as one thread would. Each has a share of the states and a section of the
 * table. All finish one loop before any starts the next:
 *
 *   space_expand   each writes the successors of its share, in order, and their hashes
 *   space_claim    each looks up the successors of all shares that belong to its section; a new one
 *                  is entered under a passing number, its place among the successors
 *   space_number   each gives the new ones of its share their numbers, in order
 *   space_link     each writes the edges of its share
 */
struct intake {
    u64 *table;
    u64 mask;
    u64 section_mask;
    u64 section;
    u64 *states;
    i64 known; /* states numbered so far */
    /* of all successors, one share behind another */
    const u64 *rows;
    const i64 *parents;
    const u64 *moves;
    u64 *hashes;
    i64 *numbers;
    i64 *slots; /* place in the table of a new state, or -1 */
    u16 *codes; /* number of the joint move */
    /* the space */
    i64 *first_edge;
    u32 *targets;
    u16 *actions;
    u8 *terminal;
    i8 *turn; /* the role that chooses, -1 none, -2 several */
    i8 *goals;
    /* joint moves */
    u64 *joints;
    u64 joint_mask;
    u64 *joint_words;
    i64 joint_count;
    i64 fresh_joint; /* whether one was met that has no number */
    i64 *places;     /* for each state of the share */
    i64 *batch;      /* room for 128 */
    struct expansion *expansion;
    i64 offset; /* of the share among the successors */
    i64 block;  /* states expanded at once */
    i64 room;
    const i64 *goal_roles;
    const i64 *goal_values;
    /* The mark of a layer: how many of some bits hold, and what others are. */
    const u64 *counted;
    const u64 *fixed;
    const u64 *pattern;
    u64 count;
    i64 strays; /* new states without the mark */
};

i64 space_expand(const struct game *game, struct intake *run, i64 first, i64 count, i64 bits,
                 i64 words);

/* ---- tables.c ---- */

void space_number_joints(struct intake *run, i64 begin, i64 end, i64 words);
i64 space_claim(struct intake *run, i64 begin, i64 end, i64 words);
void space_number(struct intake *run, i64 begin, i64 end, i64 first, i64 words);
i64 space_link(struct intake *run, i64 first, i64 count, i64 begin, i64 end, i64 edge, i64 words);
void space_rehash(struct intake *run, i64 first, i64 count, i64 words);
void hash_rows(const u64 *rows, u64 *hashes, i64 count, i64 words);

/* ---- positions.c ---- */

#define BUCKET 4          /* places of a table that a row may have, one behind another */
#define INFINITE 4194303  /* the number of what cannot be proved any more, */
#define UNDECIDED 4194302 /* and of what a search cannot decide */

/* An entry has a proof number, a disproof number, what is asked, and the work as a power of two. */
#define DN_SHIFT 22
#define AIM_SHIFT 44
#define WORK_SHIFT 51

/* A bounded table of positions: for each place an entry, 0 where it is free, and a row. Locks that
 * several buckets share are odd while one of these is written. */
struct positions {
    u64 *entries;
    u64 mask; /* of the first places of buckets */
    u64 *locks;
    u64 lock_mask;
};

void positions_fill(const struct positions *table, const u64 *places, i64 count, i64 words);
void positions_probe(const struct positions *table, const u64 *row, i64 aim, i64 *numbers, i64 words);

/* ---- search.c ---- */

#define STUCK_STATE 1 /* what ends a search without an answer, */
#define BOTH_CHOOSE 2
#define NO_GOAL 3
#define NOT_OPPOSED 4
#define IS_REACHED 5 /* and what two plies decide */
#define IS_MISSED 6
#define EDITS 3 /* for each fluent: lanes that add it, that keep it, and that it excludes */

/* Memory of one thread for looking two plies ahead. */
struct look {
    lanes *memory;
    lanes *scratch; /* room for 8 * words */
    i64 keeps;      /* whether making moves reads gates of the stage that lists them */
    const i64 *reached; /* for each goal slot -1 if it reaches what is asked, else 0 */
    const i64 *missed;
    const i64 *partners; /* for each goal slot the slot that goes with it in every end, or -1 */
    const i32 *images;   /* orders of the slots of next fluents, 64 for each word of a row */
    i64 image_count;     /* at least the plain order */
    const u64 *edits;    /* for each role, run and fluent, so that each lane tries a place */
    i64 edit_runs;       /* 0 to count no threats */
};

/* A move from a position of the line. */
struct branch { /* never handed over by itself, so fields may be small */
    i32 move;
    i32 place; /* of the row that it leads to */
    u64 hash;
    i64 score;
    i32 pn;
    i32 dn;
};

/* A position of the line, and how far the search of its moves is. */
struct frame {
    const u64 *row;
    i64 found; /* moves */
    i64 mover;
    i64 waiting; /* slot of the move that the other role makes, or slot 0 */
    i64 proves;  /* whether the mover wants what is asked */
    i64 groups;  /* of moves that were made */
    i64 branches;
    i64 tried;
    i64 answer; /* for the mover */
    i64 was_open;
    i64 begun; /* nodes before */
    i64 pn_bound;
    i64 dn_bound;
    i64 plies; /* that an answer holds for */
};

/* The line that a search is on: it goes on from there when it is called again. */
struct line {
    const u64 *root;
    i64 ply;
    i64 is_back; /* from the next ply, with its numbers: */
    i64 pn;
    i64 dn;
    i64 nodes;
    i64 trouble;
    i64 repeated;
    i64 deepest; /* the last ply that there is room for */
    i64 width;   /* branches of a ply */
    u64 *rows;   /* room for the row of each branch */
    u64 *hashes;
    struct frame *frames;
    struct branch *branches;
    i64 *order; /* for each role, in which its moves are listed */
};

struct search {
    const struct look *look;
    struct line *line;
    const struct positions *table; /* may be 0 for a bounded search */
    i64 aim;
    i64 *history; /* of each role's moves: successes, or successes and failures */
    i64 *busy;    /* for hashes: how many threads are at such a position */
    u64 busy_mask;
    /* of a bounded search, whose line holds all plies: */
    i64 winner;
    i64 plies;
    u64 *known; /* for each place how many plies are enough, how many too few, and a row */
    u64 known_mask;
    i64 *killers; /* for each ply the move that decided last */
};

i64 search_proof_numbers(const struct game *game, struct search *run, i64 limit, i64 words);
i64 search_alpha_beta(const struct game *game, struct search *run, i64 limit, i64 words);

/* ---- bounded ---- */

i64 search_bounded(const struct game *game, struct search *run, i64 limit, i64 words);
i64 search_threats(const struct game *game, struct search *run, i64 *moves, i64 *threats, i64 words);
/* ---- index.c ---- */

void index_rows(const u64 *rows, i64 count, u64 *index, u64 mask, i64 words);
void find_rows(const u64 *rows, const u64 *index, u64 mask, const u64 *wanted, i64 count,
               i64 *numbers, i64 words);

/* ---- sweeps.c ---- */

/* Values by backward induction for two roles with opposite goals, or one role. */
struct sweep {
    const i64 *first_edge;
    const u32 *targets;
    const u8 *turn;  /* 0 where the first role moves, not 0 elsewhere */
    u8 *value;       /* the first role's goal */
    u16 *distance;   /* plies to the end */
    i64 middle;
};

void sweep_layered(struct sweep *run, i64 first, i64 last);

/* ---- compact.c ---- */

/* Layers of states without moves. Rows stand one behind another in a pool of chunks, of which each
 * thread fills its own. The table has for each row the upper half of its hash and, below it, its
 * number plus one. Threads enter rows at the same time: a row is written first, and then published
 * by one compare-and-swap. */

#define CODE_BLOCK 1024 /* states that are coded one after another, the first of them in full */
#define POOL_CHUNK 4096 /* rows that a thread takes from the pool at a time */

struct pool {
    u64 *table;
    u64 mask;
    u64 *rows;
    i64 *chunks; /* how many are taken */
};

/* Successors, and what is known of the states that they are looked up among. */
struct results {
    const u64 *rows; /* of successors */
    const u64 *hashes;
    const i64 *parents;
    i64 count;
    const u64 *table;
    u64 mask;
    const u64 *known;
    const i32 *results; /* rank of a value among all; in the lower half plies to the end */
    const i8 *turn;
    i64 below; /* ranks less than this are less than the middle, */
    i64 above; /* and those from this on greater */
    i64 *best;
    i32 *out;
};

struct tally {
    const u8 *terminal;
    const i8 *turn;
    const i8 *goals;
    i64 roles;
    const i64 *parents;
    i64 found;
    u8 *has_move;
    i64 *figures; /* ends, stuck states, several choose; first stuck, first end without a goal, + 1 */
    u8 *sums;     /* goals of ends, added up, that occur */
    u8 *seen;     /* goals of the first role that occur */
};

i64 compact_insert(struct pool *pool, const u64 *rows, const u64 *hashes, i64 count, i64 *mine,
                   i64 words);
void compact_enter(struct pool *pool, const u64 *hashes, i64 first, i64 count, i64 words);
i64 compact_combine(struct results *run, i64 words);
void compact_value_ends(const u8 *terminal, const i8 *goals, i64 roles, const i64 *ranks, i64 first,
                        i64 last, i32 *out, i64 words);
void compact_tally(struct tally *run, i64 first, i64 last, i64 words);
void compact_measure(const u64 *rows, i64 count, i64 *sizes, i64 first, i64 last, i64 words);
void compact_encode(const u64 *rows, i64 count, const i64 *starts, u8 *data, i64 first, i64 last,
                    i64 words);
void compact_decode(const u8 *data, i64 at, i64 count, u64 *rows, i64 row, i64 words);
void compact_pack(const i32 *results, i64 bits_each, u8 *ranks, i64 first, i64 last, i64 words);

/* ---- graph.c ---- */

/* Edges of state s are first_edge[s] up to first_edge[s + 1]. */
struct graph {
    const i64 *first_edge;
    const u32 *target;
    i64 states;
};

void graph_invert(const struct graph *graph, i64 *first_back, u32 *back);
void graph_sources(const struct graph *graph, u32 *source);
i64 graph_mark_following(const struct graph *graph, u8 *marks);
i64 graph_order_backwards(const struct graph *graph, const i64 *first_back, const u32 *back,
                          u32 *left, u32 *order);
i64 graph_follow(const struct graph *graph, const u8 *allowed, u8 *seen, i64 *arrival, i64 *order);
void graph_mark_keeping(const struct graph *graph, const u8 *value, const u16 *distance, i64 middle,
                        u8 *marks);

/* ---- induction.c ---- */

struct outcomes {
    const u32 *order; /* each state after those that it leads to */
    const i8 *turn;
    const i8 *goals; /* of each outcome, one for each role */
    i64 roles;
    u64 *possible; /* a bit for each outcome, `words` for each state */
    i64 words;
    u64 *first; /* room for `words` */
    u8 *has_tie;
    u32 *shortest;
    u32 *longest;
};

void value_count_open(const struct graph *graph, const u8 *value, const u16 *distance, i64 middle,
                      u32 *open);
i64 value_spread(u32 *queue, i64 size, const i64 *first_back, const u32 *back, const u8 *wants,
                 u32 *left, u8 *value, u16 *distance);
void value_outcomes(const struct graph *graph, struct outcomes *run);
void value_back_up(const struct graph *graph, const i8 *turn, i64 limit, const i32 *values,
                   i32 *result, i64 start, i64 stop);
void value_mark_best(const struct graph *graph, const i8 *turn, const i32 *values, u8 *chosen,
                     i64 start, i64 stop);

/* ---- matrix.c ---- */

struct stages {
    const u32 *order; /* each state after those that it leads to */
    const i8 *turn;
    const u32 *row_of; /* the first role's move that an edge stands for */
    const u32 *column_of;
    f64 *low;
    f64 *high;
    u32 *shortest;
    u32 *longest;
    i64 width; /* of the rows of the matrices below, of which `work` has one row more */
    f64 *lower;
    f64 *upper;
    f64 *middle;
    f64 *work;
    i64 *place_of_row; /* -1 for each move */
    i64 *place_of_column;
    i64 *places; /* room for both roles' moves */
    f64 *mixes;
};

void matrix_mixes(const f64 *matrix, i64 rows, i64 columns, i64 width, f64 *work, i64 *places,
                  f64 *mixes);
void matrix_guarantees(const f64 *low, const f64 *high, i64 rows, i64 columns, i64 width,
                       const f64 *mixes, f64 *bounds);
void matrix_sweep(const struct graph *graph, struct stages *run);

/* ---- rules.c ---- */

/* Image i of a rule holds where all its literals, columns literal_ptr[i] to literal_ptr[i + 1],
 * hold; it leads to one move. Groups of images are tried in order until one decides. */
struct rules {
    const u64 *states;
    i64 words; /* of a state */
    const i64 *edge_move;
    const u8 *is_turn;
    i64 moves;
    const i64 *column_ptr;
    i64 column_count;
    const i64 *column_bits;
    const i64 *literal_ptr;
    const i64 *literals;
    const i64 *image_move;
    const i64 *group_ptr;
    i64 groups;
    const i64 *group_rule;
    u8 *chosen;   /* of each edge */
    i32 *decider; /* of each state */
    lanes *square;  /* room for 64 */
    lanes *columns; /* room for two for each column */
    lanes *legal;   /* room for the moves */
    lanes *found;   /* likewise */
};

void rules_decide(const struct graph *graph, struct rules *run);

/* ---- chances.c ---- */

struct threats {
    const u64 *states;
    i64 words;
    i64 count;
    const u64 *care;
    const u64 *want;
    const u64 *some;
    const i64 *first;
};

/* Who moves how: of the edges of a state one of those chosen, or any where the mover slips. */
struct chain {
    const i8 *turn;
    i64 role;
    const u8 *own;
    f64 own_slip;
    const u8 *other;
    f64 other_slip;
};

struct plays {
    const u8 *is_won;
    const i64 *begins;
    const i64 *rounds;
    i64 plays;
    i64 seed;
    i64 most_plies;
    i64 *wins;
};

void chances_count_threats(const struct threats *run, i64 sign, i32 *result, i64 start, i64 stop);
void chances_count_fixed(const u64 *states, i64 words, const u64 *tables, i64 images, u64 *moved,
                         i64 *result, i64 start, i64 stop);
void chances_sweep(const struct graph *graph, const struct chain *chain, f64 *chance,
                   const u32 *order, const u8 *open, i64 start, i64 stop);
i64 chances_reach(const struct graph *graph, const struct chain *chain, u8 *marks);
void chances_play(const struct graph *graph, const struct chain *chain, const struct plays *run,
                  i64 start, i64 stop);

/* ---- lists.c ---- */

/* Positions by moves: which conditions a move meets, and its rank by each preference. */
struct examples {
    const i64 *first; /* move of each position, and their end */
    i64 count;
    const u64 *bits;
    const i16 *ranks;
    i64 preferences;
    const f64 *values;  /* of each move */
    const f64 *weights; /* of each position */
    i64 slots;          /* preferences of a rule */
    i64 *chosen;        /* room for the moves of any position */
    i64 *decider;       /* gets the rule that decides, or -1 */
};

struct walk {
    i64 most; /* rules of a list */
    i64 room; /* rules that lists have memory for */
    i64 widest;
    i64 conditions;
    f64 price;
    i64 steps;
    f64 hot;
    f64 cooling; /* factor a step */
    u64 *needs;  /* room for two lists */
    i64 *wants;
};

f64 lists_score(const struct examples *run, const u64 *needs, const i64 *wants, i64 rules);
i64 lists_anneal(const struct examples *run, const struct walk *walk, u64 *needs, i64 *wants,
                 i64 rules, u64 *random);

/* ---- situations.c ---- */

#define MOST_LITERALS 24 /* of a rule, in a walk */
#define NO_SILENCE 0     /* A list must decide everywhere, */
#define ANY_MOVE 1       /* or not where every move is correct, */
#define ANY_SILENCE 2    /* or nowhere. */

/* A situation is a decision state with one of its moves. A block is a word of images of a situation
 * (of a state if `is_first`: `block_sit` then has a situation for each bit); blocks are sorted by
 * the orbit of their move, then by state. A literal is twice its atom's number, plus one where it
 * is negated. */
struct situations {
    i64 states;
    i64 is_first; /* whether the first image of a rule that applies decides, not all of them */
    const i32 *roots;
    i64 root_count;
    const i32 *sit_first; /* of each state */
    const u8 *sit_correct;
    const i32 *succ_first; /* of each situation: the states that can come next */
    const i32 *succ;
    const i32 *correct_first; /* of each state: those that correct moves lead to */
    const i32 *correct_succ;
    const u8 *all_correct; /* of each state */
    i64 orbits;
    const i32 *block_first; /* for each orbit, of each state */
    const i32 *block_sit;   /* counted from the first situation of the state */
    i64 blocks;
    const u64 *full; /* the images that there are */
    i64 literals;
    const u64 *columns;      /* for each literal, where it holds in each block */
    const i32 *usable_first; /* of each orbit: literals that say something */
    const i32 *usable;
};

/* A list: rules in slots, and the order in which the slots are tried. One slot more than the list
 * can have rules is for the rule that a step proposes. */
struct rule_table {
    const struct situations *on;
    i64 slots;
    i64 width; /* room for literals */
    i64 words; /* of a mask */
    i32 *orbit;
    i32 *size;
    i32 *literals;
    i32 *order;
    i64 length;
    i64 *version; /* of each slot; increased when the rule changes */
    i64 *known;   /* for each state and slot: the version, and below it in two bits what it does */
    u64 *masks;   /* for each slot and state: the situations that it applies to */
    i64 *reached; /* of each state, and behind them the stamp of those that were reached last */
    i32 *queue;
    i32 *bad;
    f64 *weights; /* of an error in each state */
};

struct rule_walk {
    const struct rule_table *rules;
    const f64 *prices; /* for each orbit and literal */
    f64 cap;           /* what the literals of a list may cost together */
    i64 locked;        /* so many rules stay */
    i64 steps;
    f64 temperature;
    u64 *random;
    const i64 *stop; /* not 0: give up */
    i32 *other_bad;
};

i64 situations_first_rule(const struct rule_table *rules, i64 state, i64 place);
void situations_mark_live(const struct rule_table *rules, u8 *live);
i64 situations_errors(const struct rule_table *rules, i64 silence, f64 limit);
i64 situations_walk(const struct rule_walk *walk, i64 silence);

/* ---- decisions.c ---- */

struct decisions {
    const u8 *is_mine;
    const i32 *number; /* of decision states; -1 for others */
    const i64 *starts;
    i64 rows;
    i64 *stamp; /* -1 for each state */
    i64 *stack;
    i32 *first; /* of each start, 0 for the first */
    i32 *found;
    i64 room;
    i64 most; /* that one start can lead to */
};

/* Rules as the moves that they allow in decision states. */
struct repair {
    i64 states;
    i64 edges;
    const u8 *allowed; /* for each rule, of each edge */
    const u8 *applies; /* likewise of each state, and */
    const u8 *errs;
    const i64 *first;
    const u8 *all_correct;
    const i32 *succ_first;
    const i32 *succ;
    const i32 *roots;
    i64 root_count;
    i32 *parent; /* gets for each state met the one before it; -1 at roots */
    i32 *bad;    /* gets the states in which the list errs, nearest first */
    i32 *queue;
};

i64 decisions_follow(const struct graph *graph, struct decisions *run, i64 begin);
i64 repair_follow(const struct repair *given, const i64 *order, i64 length, i64 most);
i64 repair_count(const struct repair *run, const i64 *order, i64 length);

/* ---- policies.c ---- */

struct gates {
    i32 *pairs; /* two literals a gate */
    i32 *table;
    u64 mask;
    i64 first; /* number of the first node that is a gate */
    i64 count;
    i64 most;
};

struct placing {
    const i64 *order;
    i64 count;
    const i64 *roots;
    i64 root_count;
    const i64 *slots; /* of nodes that are no gates */
    const i64 *targets;
    i64 free_slot;
    i64 *last; /* room for all gates of the store, and likewise: */
    i64 *place;
    i64 *free;
    i32 *code;
};

i64 gates_conjoin(struct gates *store, i64 a, i64 b);
i64 gates_substitute(struct gates *store, i32 *values, const i32 *before, const i32 *cone, i64 count,
                     const i32 *operands);
i64 gates_mark_cone(const struct gates *store, i64 root, i32 *marks);
void gates_cut_cone(const struct gates *store, i64 root, i32 *marks, i32 *cone, i32 *operands);
i64 gates_order(const struct gates *store, const i64 *roots, i64 root_count, i64 *order, i64 *stack,
                u8 *done);
void gates_levels(const struct gates *store, const i64 *order, i64 count, i64 window, i64 *level,
                  i64 *keys);
i64 gates_write(const struct gates *store, struct placing *run);

/* ---- estimates.c ---- */

/* Rows by weights of their bits. The sums of weights stand in a table: a line of 256 for each byte
 * of a row; what begins the line after them is added for every row. */
void estimates_fit(const u64 *rows, i64 row_words, i64 count, const f32 *results, f32 *weights,
                   f32 *squares, f64 rate);
void estimates_score(const u64 *rows, i64 row_words, i64 count, const f32 *table, f32 *sums);
void estimates_pick(const i64 *parents, const f64 *wanted, i64 count, i64 *picked);

/* ---- judge.c ---- */

/* What a node of a tree is: not looked at, with edges, certain, without a move, or with a choice of
 * both roles. */
#define NODE_NEW 0
#define NODE_GROWN 1
#define NODE_PROVEN 2
#define NODE_STUCK 3
#define NODE_CLOSED 4

typedef void (*expand_loop)(const struct game *game, struct expansion *run, i64 first, i64 count);
typedef void (*move_loop)(const struct game *game, struct expansion *run, const i64 *moves, i64 count);
typedef void (*leaf_loop)(const struct game *game, struct leaves *run);

struct leaf {
    i32 node;  /* or -1 if it is to be made, and */
    i32 edge;  /* the one that leads to it */
    i32 given; /* the move to be made from the row that was handed over, or -1 */
    i32 first; /* successor; the next leaf has the end */
    i32 turn;  /* the role that chooses, or -1 */
    i32 is_decided;
    f64 result[2];
};

struct successor {
    f64 tried; /* matches that began here, and what they gave whoever had the choice of it */
    f64 gained;
    f32 value[2]; /* if proven */
    f32 guess;    /* what the first role gets, by weights */
    i32 move;
    i32 plies;
    i32 status;
};

/* Leaves of a tree of two roles, valued together by one thread. */
struct judging {
    move_loop advance;
    expand_loop expand;
    leaf_loop look;
    leaf_loop play;
    struct expansion *expansion;
    struct leaves *block;
    const i64 *slots; /* role and value of each goal slot */
    f64 opposed_total;
    const f32 *tops; /* highest goals */
    i64 bits;        /* that number a move */
    i64 words;
    u64 *leaf_rows;
    struct leaf *leaves;
    i64 *places; /* room for one number a leaf */
    u64 *rows;
    struct successor *successors;
    f64 *tally; /* for each move of each role: matches it was made in, and what they gave */
    i64 moves;
    i64 offset; /* of the second role's moves */
    u64 *lane_rows;
    i64 *lane_leaf;
    i64 *lane_at;
    u64 random;
    i64 matches; /* played so far, */
    i64 made;    /* moves made in them, */
    i64 clashes; /* and lanes in which both roles had a choice */
    i64 length;  /* of the last leaves' matches on average */
    i64 most;    /* successors of one of the last leaves */
    const f32 *table; /* 0, or values leaves in the place of matches */
};

i64 judge_is_wide(const struct judging *run, i64 leaves);
void judge_leaves(const struct game *game, struct judging *run, i64 open, i64 closed);

/* ---- numbers.c ---- */

/* States by number: rows, and an open-addressing table of their numbers, or -1. */
struct numbered {
    u64 *rows;
    i64 words;
    i64 room;
    i32 *table;
    u64 mask;
    i64 used;
};

i64 number_state(struct numbered *states, const u64 *row);
void insert_hashes(u64 *table, u64 mask, const u64 *hashes, i64 count, u8 *is_new);

/* ---- turns.c ---- */

struct turn_node {
    i8 status;
    i8 turn;
    i8 is_busy; /* a leaf whose value is being found */
    i32 plies;
    i32 first; /* edge */
    i32 count;
    i32 visits;
    f32 floors[2]; /* of the best proven move */
    f32 value[2];
    f32 guess;
    f64 total[2];
};

struct turn_edge {
    i32 child; /* -1 before it is made, at the first visit, and -2 while it is being made */
    i32 move;
    i32 taken;
    f32 prior; /* by matches; or, where weights value leaves, what the first role gets */
};

struct turn_tree {
    struct numbered *states;
    struct turn_node *nodes;
    struct turn_edge *edges;
    i64 edge_room;
    i64 used_edges;
    const f32 *tops;
    f64 spread;
    i64 guesses; /* whether weights value leaves */
    f64 share;   /* of guesses in a score */
    f64 weight; /* of priors */
    f64 *moves; /* as tallied */
};

/* The walks of one batch. */
struct walks {
    i64 *paths; /* edges */
    i64 deepest;
    i64 room;
    i64 *lengths;
    i64 *leaves;
    i64 made;   /* walks whose leaves are to be valued, */
    i64 open;   /* leaves that get edges, */
    i64 closed; /* and those that do not */
};

void turns_descend(struct turn_tree *run, struct walks *walks, struct judging *judging, i64 root,
                   i64 most, i64 waits);
i64 turns_grow(struct turn_tree *run, const struct walks *walks, struct judging *judging, i64 root);
void turns_mark(const struct turn_tree *run, i64 root, i64 least, i64 *stack, u8 *kept, i64 *sizes);
i64 turns_compact(struct turn_tree *run, i64 root, i64 least, const i64 *order, const u8 *kept,
                  i64 *place);

/* ---- joint.c ---- */

struct joint_node {
    i8 status;
    i8 turn; /* the role that chooses, -1 none, -2 several */
    i32 plies;
    i32 first;
    i32 count;
    i32 visits;
};

struct joint_edge {
    i32 child;
    i32 taken;
    f32 regret; /* of a move, where several choose: all roles' moves have a place here, one role */
    f64 played; /* behind another, from the first edge on; and how often it was to be played */
};

struct joint_tree {
    struct numbered *states;
    struct joint_node *nodes;
    struct joint_edge *edges;
    i64 used_edges;
    i64 roles;
    f64 spread;
    u64 random;
    /* for each role, of nodes: */
    f32 *value;
    i32 *sizes; /* moves, 0 where it has no choice */
    /* of edges: */
    f32 *total;
    f32 *prior;
    i32 *slot; /* place of the role's move among its moves */
    i64 *wanted; /* room for a place for each role */
};

i64 joint_descend(struct joint_tree *run, struct walks *walks, i64 root);
void joint_grow(struct joint_tree *run, i64 node, i64 turn, const u64 *rows, i64 count);
void joint_back_up(struct joint_tree *run, const struct walks *walks, i64 root, i64 made,
                   const f32 *results);

/* ---- trees.c ---- */

#define TREE_DEPTH 1000 /* the most moves from a root to a node */

struct tree_edge { /* never handed over by itself, so fields may be small */
    i32 move;
    i32 child;
    i32 visits;
    f32 total;
};

struct tree {
    i64 phase;
    i64 at;
    i64 used; /* nodes */
    i64 wanted;
    i64 done;
    i64 length;
    i64 begun;
};

struct trees {
    struct matches *matches; /* with masks for all roles, which the game's legal moves are */
    const i64 *legal;        /* first slot of each role's legal moves themselves */
    i64 words;
    i64 playouts;
    i64 nodes; /* of a tree */
    i64 longest;
    f64 exploration;
    const i64 *goal_role;
    const f64 *goal_value;
    const f64 *logs;
    u64 *rows;
    u8 *terminal;
    f64 *scores; /* of nodes, for each role */
    i64 *first_edge;
    i32 *edge_count;
    i8 *chooser;
    i32 *visits;
    struct tree_edge *edges;
    i64 edge_room;
    i64 used_edges;
    u64 *random; /* for each lane */
    struct tree *tree;
    i64 *path; /* two numbers for each move */
    i64 *loading;
    f64 *lane_scores;
    i64 *best;
    f64 *sums;
};

i64 trees_search(const struct game *game, struct trees *run, i64 trees, i64 bits);

#endif
