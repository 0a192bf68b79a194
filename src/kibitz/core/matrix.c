#include "lanes.h"

/* Matrix games: what mixed moves guarantee to one role when both choose at once.
 *
 * The simplex method on a compact tableau finds a mix for each side, in floating point. It is not
 * trusted: what each mix guarantees is computed afterwards, with safe rounding, and these two
 * bounds hold whatever the simplex did. Entries are themselves bounds, so the errors of a sweep
 * over many stages are included. */

#define ROUNDING 0x1p-50
#define TINY 1e-12
#define SMALL 1e-9

INLINE f64 least(f64 a, f64 b)
{
    return b < a ? b : a;
}

INLINE f64 most(f64 a, f64 b)
{
    return b > a ? b : a;
}

/* The column to enter the basis, or -1; after many turns by Bland's rule, which prevents cycling. */
INLINE i64 entering_column(const f64 *last_row, const i64 *at_column, i64 columns, int patient)
{
    i64 entering = -1;
    for (i64 j = 0; j < columns; j++)
        if (last_row[j] < -TINY &&
            (entering < 0 || (patient ? last_row[j] < last_row[entering]
                                      : at_column[j] < at_column[entering])))
            entering = j;
    return entering;
}

/* The row to leave it, or -1: of rows that bind equally the largest pivot is the most exact. */
INLINE i64 leaving_row(const f64 *work, const i64 *at_row, i64 rows, i64 columns, i64 width,
                       i64 entering, int patient)
{
    f64 ratio = __builtin_inf();
    i64 leaving = -1;
    for (i64 i = 0; i < rows; i++)
        if (work[i * width + entering] > SMALL)
            ratio = least(ratio, work[i * width + columns] / work[i * width + entering]);
    for (i64 i = 0; i < rows; i++) {
        f64 pivot = work[i * width + entering];
        if (pivot > SMALL && work[i * width + columns] <= (ratio + TINY) * pivot &&
            (leaving < 0 || (patient ? pivot > work[leaving * width + entering]
                                     : at_row[i] < at_row[leaving])))
            leaving = i;
    }
    return leaving;
}

/* Mix the rows of a matrix for the largest value, and its columns for the smallest. Matrix and work
 * have rows of `width` numbers; `work` has a row and a column more than the matrix. `places` has
 * room for both sides; `mixes` gets both sides' shares. */
void matrix_mixes(const f64 *matrix, i64 rows, i64 columns, i64 width, f64 *work, i64 *places,
                  f64 *mixes)
{
    f64 lowest = matrix[0], *last_row = work + rows * width;
    /* The variable of each row and column: the columns' shares, then the rows'. */
    i64 *at_row = places, *at_column = places + rows, patience = 20 * (rows + columns);
    for (i64 i = 0; i < rows; i++)
        for (i64 j = 0; j < columns; j++)
            lowest = least(lowest, matrix[i * width + j]);
    for (i64 i = 0; i < rows; i++) {
        for (i64 j = 0; j < columns; j++)
            work[i * width + j] = matrix[i * width + j] - lowest + 1.0;
        work[i * width + columns] = 1.0;
        at_row[i] = columns + i;
    }
    for (i64 j = 0; j < columns; j++) {
        last_row[j] = -1.0;
        at_column[j] = j;
    }
    last_row[columns] = 0.0;
    for (i64 turn = 0; turn < 10 * patience; turn++) {
        i64 entering = entering_column(last_row, at_column, columns, turn < patience);
        if (entering < 0)
            break;
        i64 leaving = leaving_row(work, at_row, rows, columns, width, entering, turn < patience);
        if (leaving < 0)
            break;
        f64 *pivot_row = work + leaving * width, pivot = pivot_row[entering];
        for (i64 j = 0; j <= columns; j++)
            if (j != entering)
                pivot_row[j] /= pivot;
        for (i64 i = 0; i <= rows; i++) {
            if (i == leaving)
                continue;
            f64 factor = work[i * width + entering];
            for (i64 j = 0; j <= columns; j++)
                if (j != entering)
                    work[i * width + j] -= factor * pivot_row[j];
            work[i * width + entering] = -factor / pivot;
        }
        pivot_row[entering] = 1.0 / pivot;
        i64 place = at_row[leaving];
        at_row[leaving] = at_column[entering];
        at_column[entering] = place;
    }
    for (i64 k = 0; k < rows + columns; k++)
        mixes[k] = 0.0;
    for (i64 i = 0; i < rows; i++)
        if (at_row[i] < columns)
            mixes[rows + at_row[i]] = most(work[i * width + columns], 0.0);
    for (i64 j = 0; j < columns; j++)
        if (at_column[j] >= columns)
            mixes[at_column[j] - columns] = most(last_row[j], 0.0);
    for (i64 side = 0; side < 2; side++) {
        i64 begin = side ? rows : 0, end = side ? rows + columns : rows;
        f64 total = 0.0;
        for (i64 k = begin; k < end; k++)
            total += mixes[k];
        for (i64 k = begin; k < end; k++)
            mixes[k] = total > 0.0 ? mixes[k] / total : 1.0 / (f64)(end - begin);
    }
}

/* Write the least that the rows' mix gains in `low`, and the most that the columns' loses in
 * `high`, both rounded outwards; shares need not quite add up to one. */
void matrix_guarantees(const f64 *low, const f64 *high, i64 rows, i64 columns, i64 width,
                       const f64 *mixes, f64 *bounds)
{
    f64 slack = ROUNDING * (f64)(rows + columns + 8), scale = 0.0, weight = 0.0;
    f64 lowest = __builtin_inf(), highest = -__builtin_inf();
    for (i64 i = 0; i < rows; i++)
        weight += mixes[i];
    for (i64 j = 0; j < columns; j++) {
        f64 total = 0.0;
        for (i64 i = 0; i < rows; i++)
            total += mixes[i] * low[i * width + j];
        lowest = least(lowest, total / weight);
    }
    weight = 0.0;
    for (i64 j = 0; j < columns; j++)
        weight += mixes[rows + j];
    for (i64 i = 0; i < rows; i++) {
        f64 total = 0.0;
        for (i64 j = 0; j < columns; j++)
            total += mixes[rows + j] * high[i * width + j];
        highest = most(highest, total / weight);
    }
    for (i64 i = 0; i < rows; i++)
        for (i64 j = 0; j < columns; j++) {
            f64 a = low[i * width + j], b = high[i * width + j];
            scale = most(scale, most(a < 0 ? -a : a, b < 0 ? -b : b));
        }
    bounds[0] = lowest - slack * scale;
    bounds[1] = highest + slack * scale;
}

/* Fill in the matrices of one stage: what both roles' moves lead to. */
static void fill_stage(const struct graph *graph, struct stages *run, i64 state, i64 *rows, i64 *columns)
{
    i64 begin = graph->first_edge[state], end = graph->first_edge[state + 1];
    *rows = *columns = 0;
    for (i64 edge = begin; edge < end; edge++) {
        i64 row = run->row_of[edge], column = run->column_of[edge], to = graph->target[edge];
        if (run->place_of_row[row] < 0)
            run->place_of_row[row] = (*rows)++;
        if (run->place_of_column[column] < 0)
            run->place_of_column[column] = (*columns)++;
        i64 at = run->place_of_row[row] * run->width + run->place_of_column[column];
        run->lower[at] = run->low[to];
        run->upper[at] = run->high[to];
        run->middle[at] = (run->low[to] + run->high[to]) / 2;
    }
    for (i64 edge = begin; edge < end; edge++)
        run->place_of_row[run->row_of[edge]] = run->place_of_column[run->column_of[edge]] = -1;
}

/* Bound the value of all states from the ends backwards. */
void matrix_sweep(const struct graph *graph, struct stages *run)
{
    i64 width = run->width;
    for (i64 at = 0; at < graph->states; at++) {
        i64 state = run->order[at];
        i64 begin = graph->first_edge[state], end = graph->first_edge[state + 1];
        if (begin == end)
            continue;
        f64 sign = run->turn[state] == 1 ? -1.0 : 1.0, best_low = -__builtin_inf();
        if (run->turn[state] != -2) {
            f64 best_high = -__builtin_inf();
            for (i64 edge = begin; edge < end; edge++) {
                f64 one = sign * run->low[graph->target[edge]];
                f64 other = sign * run->high[graph->target[edge]];
                best_low = most(best_low, least(one, other));
                best_high = most(best_high, most(one, other));
            }
            run->low[state] = least(sign * best_low, sign * best_high);
            run->high[state] = most(sign * best_low, sign * best_high);
        } else {
            i64 rows, columns;
            f64 lowest = -__builtin_inf(), highest = __builtin_inf(), proved[2];
            fill_stage(graph, run, state, &rows, &columns);
            for (i64 i = 0; i < rows; i++) {
                f64 worst = run->lower[i * width];
                for (i64 j = 1; j < columns; j++)
                    worst = least(worst, run->lower[i * width + j]);
                lowest = most(lowest, worst);
            }
            for (i64 j = 0; j < columns; j++) {
                f64 worst = run->upper[j];
                for (i64 i = 1; i < rows; i++)
                    worst = most(worst, run->upper[i * width + j]);
                highest = least(highest, worst);
            }
            if (highest - lowest > TINY) { /* no pure move is best for both */
                matrix_mixes(run->middle, rows, columns, width, run->work, run->places, run->mixes);
                matrix_guarantees(run->lower, run->upper, rows, columns, width, run->mixes, proved);
                lowest = most(lowest, proved[0]);
                highest = least(highest, proved[1]);
            }
            run->low[state] = lowest;
            run->high[state] = highest;
        }
        u32 shortest = ~0u, longest = 0;
        for (i64 edge = begin; edge < end; edge++) {
            i64 to = graph->target[edge];
            /* A role that moves alone plays only moves that may have the best value. */
            if (run->turn[state] != -2 && sign * (sign < 0 ? run->low : run->high)[to] < best_low)
                continue;
            shortest = run->shortest[to] + 1 < shortest ? run->shortest[to] + 1 : shortest;
            longest = run->longest[to] + 1 > longest ? run->longest[to] + 1 : longest;
        }
        run->shortest[state] = shortest;
        run->longest[state] = longest;
    }
}
