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
    u64 *rows;
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

#endif
