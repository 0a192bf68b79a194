#include "matches.h"
#include "rows.h"

#define MANY 1e30f

/* Weigh the states of a block, and note the extremes in a mask. */
static void
weigh(const u64 *slots, const f32 *weights, i64 count, const u64 *mask, f32 *extremes)
{
    for (int w = 0; w < WORDS; w++) {
        f32 total[64] = {0}, *least = extremes + 64 * w, *most = least + LANES;
        for (i64 fluent = 0; fluent < count; fluent++) {
            u64 holds = slots[fluent * WORDS + w];
            for (int lane = 0; lane < 64; lane++)
                total[lane] += holds >> lane & 1 ? weights[fluent] : 0.0f;
        }
        for (int lane = 0; lane < 64; lane++) {
            int counts = mask[w] >> lane & 1;
            least[lane] = counts && total[lane] < least[lane] ? total[lane] : least[lane];
            most[lane] = counts && total[lane] > most[lane] ? total[lane] : most[lane];
        }
    }
}

/* Make the next move of those who have a choice, in the lanes where one remains; view the states
 * after it in the other memory. Returns these lanes. Who has no choice makes the same move again. */
INLINE lanes next_reply(const struct game *game, const struct leaves *run, i64 bits)
{
    lanes *memory = run->memory, going = NONE;
    for (i64 r = 0; r < game->role_count; r++) {
        const struct role role = game->roles[r];
        lanes *left = run->remaining + (role.does - game->roles[0].does);
        lanes chooses = run->scratch[r * (bits + 1) + bits], seen = NONE;
        for (i64 i = 0; i < GROUP * role.groups; i++) {
            lanes here = left[i], pick = here & ~seen;
            seen |= here;
            left[i] = here ^ (pick & chooses);
            memory[role.does + i] = pick;
        }
        going |= seen & chooses;
    }
    if (is_any(going)) {
        step(game, memory);
        for (i64 f = 0; f < game->fluent_count; f++)
            run->reply_memory[game->fluents + f] = memory[game->next + f];
        view(game, run->reply_memory);
    }
    return going;
}

void leaves_look(const struct game *game, struct leaves *run, i64 bits)
{
    lanes *memory = run->memory, *out = run->out, stuck, clash;
    load_rows(game, memory, run->packed, run->rows, run->row_words, run->count);
    view(game, memory);
    lanes ended = memory[game->terminal];
    count_all(game, memory, run->scratch, &stuck, &clash, bits);
    *out++ = ended;
    for (i64 goal = 0; goal < game->goal_count; goal++)
        *out++ = memory[game->goals + goal];
    for (i64 r = 0; r < game->role_count; r++)
        *out++ = run->scratch[r * (bits + 1) + bits];
    *out++ = stuck;
    *out++ = clash;
    lanes odd = ended & odd_goals(game, run->partners, memory), all_end = ALL, *replied = out + 2;
    for (i64 goal = 0; goal < game->goal_count; goal++)
        replied[goal] = NONE;
    if (run->weights)
        for (i64 lane = 0; lane < LANES; lane++) {
            run->extremes[lane] = MANY;
            run->extremes[LANES + lane] = -MANY;
        }
    lanes mask = first_lanes(run->looked_at) & ~(ended | stuck | clash), now;
    for (i64 r = 0; r < game->role_count; r++) {
        const struct role role = game->roles[r];
        lanes *left = run->remaining + (role.does - game->roles[0].does);
        for (i64 i = 0; i < GROUP * role.groups; i++)
            left[i] = memory[role.legal + i] & mask;
    }
    const lanes *other = run->reply_memory;
    while (is_any(now = next_reply(game, run, bits))) {
        lanes ends = other[game->terminal] & now, goes_on = now & ~ends;
        all_end &= ~goes_on;
        if (run->weights)
            weigh((const u64 *)(other + game->fluents), run->weights, game->fluent_count,
                  (const u64 *)&goes_on, run->extremes);
        if (is_any(ends)) {
            odd |= ends & odd_goals(game, run->partners, other);
            for (i64 goal = 0; goal < game->goal_count; goal++)
                replied[goal] |= ends & other[game->goals + goal];
        }
    }
    out[0] = all_end;
    out[1] = odd;
}

/* Where masks are followed, lanes in which the first role has no choice wait for a round: then
 * roles that take turns have it in all lanes at once, and only one mask is filled in. */
INLINE void
play(const struct game *game, struct leaves *run, i64 guided, int steady, i64 bits)
{
    lanes *memory = run->memory, *out = run->out;
    load_rows(game, memory, run->packed, run->rows, run->row_words, run->count);
    for (i64 i = 0; i < 3 + game->goal_count; i++)
        out[i] = NONE;
    for (i64 r = 0; r < game->role_count; r++) {
        const struct role role = game->roles[r];
        lanes *used = run->used + (role.does - game->roles[0].does);
        for (i64 i = 0; i < GROUP * role.groups; i++)
            used[i] = memory[role.does + i] = NONE;
    }
    struct game masked = *game, plain = *game;
    masked.roles = run->masked_roles;
    lanes live = first_lanes(run->count);
    for (i64 round = 0; round < run->most && is_any(live); round++) {
        view(game, memory);
        lanes held = NONE;
        int is_guided = round < guided;
        if (is_guided) {
            if (round == 0)
                held = ~legal_moves(memory + game->roles[0].legal, game->roles[0].moves).several;
            lanes resting = memory[game->terminal] | held | ~live;
            fill_masks(run->masks, run->mask_count, memory, resting);
        }
        struct made made =
            make_moves(is_guided ? &masked : &plain, memory, run->random, run->scratch, steady, bits);
        lanes stays = made.stays | held, over = made.over & live, ended = made.ended & over;
        if (is_any(over)) {
            out[0] |= ended;
            out[1] |= over & ~ended;
            for (i64 goal = 0; goal < game->goal_count; goal++)
                out[3 + goal] |= ended & memory[game->goals + goal];
        }
        out[2] |= made.clash & live & ~over;
        live &= ~over;
        lanes moving = live & ~stays;
        run->made += ones_all(moving);
        for (i64 r = 0; r < game->role_count; r++) {
            const struct role role = game->roles[r];
            lanes *used = run->used + (role.does - game->roles[0].does);
            for (i64 i = 0; i < GROUP * role.groups; i++)
                used[i] |= memory[role.does + i] & moving;
        }
        for (i64 f = 0; f < game->fluent_count; f++) {
            lanes *old = memory + game->fluents + f;
            *old = choose(stays, *old, memory[game->next + f]);
        }
    }
}

void leaves_play(const struct game *game, struct leaves *run, i64 bits)
{
    play(game, run, 0, 0, bits);
}

void leaves_play_guided(const struct game *game, struct leaves *run, i64 bits)
{
    play(game, run, run->guided, 1, bits);
}
