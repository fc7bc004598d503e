import { noPause, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { eachOwnYear } from '../match/growth.ts';
import { noPeak, peakIn, unknownPeak } from './peak.ts';
import { monthValue, noSeasonValue, seasonValues } from './season-name.ts';

type Parts = { readonly pause?: Pause | undefined };

/**
 * The peak of every node's own twelve months; see `peakIn`. Months given as shares of the best one have the same peak as search volumes, so
 * no volume is needed.
 *
 * Computed once and cached by the open pack: 1 byte per node.
 * @returns undefined if the file has no trends
 */
export const ownPeaks = oncePerPack(findPeaks);

async function findPeaks(pack: PackReader, { pause = noPause }: Parts): Promise<Int8Array | undefined> {
  if (!pack.metadata.trend) return undefined;
  const peaks = new Int8Array(pack.metadata.nodes).fill(unknownPeak);
  await eachOwnYear(pack, pause, (row, months, at) => {
    peaks[row] = peakIn(months, at);
  });
  return peaks;
}

/** The peak month of every node's own year as a category, for filters. */
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
