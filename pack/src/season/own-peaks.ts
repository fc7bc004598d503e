import { noPause, type Pause, pieceLength } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { trendMonths } from '../upload/trend-text.ts';
import { noPeak, peakIn, unknownPeak } from './peak.ts';
import { monthValue, noSeasonValue, seasonValues } from './season-name.ts';

type Parts = { readonly pause?: Pause | undefined };

/**
 * The peak of every node's own twelve months; see `peakIn`. Shares of the best month have the same peak as searches, so
 * no volume is needed.
 *
 * Computed once and cached by the open pack: 1 byte per node.
 * @returns undefined if the file has no trends
 */
export const ownPeaks = oncePerPack(findPeaks);

/** Reads the months in pieces, because a whole column of them takes 48 bytes per node. */
async function findPeaks(pack: PackReader, { pause = noPause }: Parts): Promise<Int8Array | undefined> {
  const starts = await pack.column('own_trend');
  if (!starts) return undefined;
  const peaks = new Int8Array(pack.metadata.nodes).fill(unknownPeak);
  const rowsAtATime = Math.floor(pieceLength / trendMonths);
  for (let from = 0; from < peaks.length; from += rowsAtATime) {
    const end = Math.min(peaks.length, from + rowsAtATime);
    const first = starts[from]!;
    const places = Uint32Array.from({ length: starts[end]! - first }, (_, at) => first + at);
    const months = (await pack.gather('own_month', places))!;
    for (let row = from; row < end; row++) {
      if (starts[row] !== starts[row + 1]) peaks[row] = peakIn(months, starts[row]! - first);
    }
    await pause();
  }
  return peaks;
}

/** The category of every node's own year, for filters. */
export async function ownSeasons(
  pack: PackReader,
  newest: string | undefined,
  pause: Pause,
): Promise<{ readonly values: readonly string[]; readonly column: Uint8Array } | undefined> {
  const peaks = await ownPeaks(pack, { pause });
  return peaks && { values: seasonValues(newest), column: Uint8Array.from(peaks, (peak) => peakValue(peak, newest)) };
}

/** The index of a peak among `seasonValues`. */
export function peakValue(peak: number, newest: string | undefined): number {
  if (peak === unknownPeak) return 0;
  return peak === noPeak ? noSeasonValue : monthValue(peak, newest);
}
