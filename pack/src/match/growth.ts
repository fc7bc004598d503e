import { noPause, type Pause, pieceLength } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { trendMonths } from '../upload/trend-text.ts';

/** The number of newest months that are compared with those before. */
const newestMonths = 3;

/**
 * The growth of every node's own searches, 0.2 for 20 %; NaN if unknown. It is the file's own change over a year where
 * that is known; otherwise the mean of the newest three months divided by the mean of the nine before, minus 1. Unknown
 * without all twelve months, and if nobody searched in those nine.
 *
 * Rounded to a millionth: months are stored in 32 bits, and their rounding errors must not decide whether a keyword that grew
 * by exactly 20 % satisfies a condition.
 *
 * Computed once and cached by the open pack: 8 bytes per node.
 * @returns undefined if the file has neither trends nor such a field
 */
export const growthOf = oncePerPack(findGrowth);

/** Whether the keywords of a file can have a growth. */
export const hasGrowth = ({
  metadata,
}: {
  readonly metadata: Pick<PackReader['metadata'], 'trend' | 'fields'>;
}): boolean => metadata.trend !== undefined || yearField(metadata.fields) !== undefined;

/** The field with the change over a year, in percent, as Google's Keyword Planner writes it. */
function yearField<F extends { readonly name: string; readonly kind: string }>(fields: readonly F[]): F | undefined {
  return fields.find(({ name, kind }) => kind === 'number' && isYearChange.test(name.trim()));
}

const isYearChange = /^(?:yoy|year[\s_-]*over[\s_-]*year)(?:[\s_-]*(?:change|growth))?[\s_]*%?$/iu;

type Parts = { readonly pause?: Pause | undefined };

async function findGrowth(pack: PackReader, { pause = noPause }: Parts): Promise<Float64Array | undefined> {
  if (!hasGrowth(pack)) return undefined;
  const growth = new Float64Array(pack.metadata.nodes).fill(Number.NaN);
  if (pack.metadata.trend) {
    await eachOwnYear(pack, pause, (row, months, at) => {
      growth[row] = growthIn(months, at);
    });
  }
  const field = yearField(pack.metadata.fields);
  if (!field) return growth;
  const changes = (await pack.column(`field:${field.name}`)) as Float64Array;
  for (let row = 0; row < growth.length; row++) if (!Number.isNaN(changes[row]!)) growth[row] = changes[row]! / 100;
  return growth;
}

/**
 * Calls `take` for each node with months of its own, in pack order. The twelve months begin at `months[at]`, oldest first.
 * Reads the months in pieces, because a whole column of them takes 48 bytes per node.
 */
export async function eachOwnYear(
  pack: PackReader,
  pause: Pause,
  take: (row: number, months: Float32Array, at: number) => void,
): Promise<void> {
  const starts = (await pack.column('own_trend'))!;
  const rowsAtATime = Math.floor(pieceLength / trendMonths);
  for (let from = 0; from < pack.metadata.nodes; from += rowsAtATime) {
    const end = Math.min(pack.metadata.nodes, from + rowsAtATime);
    const first = starts[from]!;
    const places = Uint32Array.from({ length: starts[end]! - first }, (_, at) => first + at);
    const months = (await pack.gather('own_month', places))!;
    for (let row = from; row < end; row++) if (starts[row] !== starts[row + 1]) take(row, months, starts[row]! - first);
    await pause();
  }
}

/** The growth in the twelve months from `at`, the oldest first; NaN if it is unknown. */
function growthIn(months: Float32Array, at: number): number {
  let before = 0;
  let newest = 0;
  for (let month = 0; month < trendMonths; month++) {
    if (month < trendMonths - newestMonths) before += months[at + month]!;
    else newest += months[at + month]!;
  }
  if (before === 0) return Number.NaN;
  const ratio = newest / newestMonths / (before / (trendMonths - newestMonths));
  return Math.round((ratio - 1) * 1e6) / 1e6;
}
