import { type Changes, findChanges } from '@kc/pack/compare/changes';
import { filterComparison } from '@kc/pack/compare/filter-comparison';
import { type MatchedPacks, matchPacks } from '@kc/pack/compare/match-packs';
import type { TextFinder } from '@kc/pack/find/find-fallback';
import type { Pause } from '@kc/pack/format/in-pieces';
import { oncePerPack } from '@kc/pack/format/once-per-pack';
import type { PackReader } from '@kc/pack/format/pack-reader';
import type { View } from '@kc/pack/sums/filtered-pack';
import type { ChangeThresholds } from '@kc/pack/vocabulary/changes';

/** The storage key of the pack that it is compared with. */
export type ComparedWith = { readonly vsKey: string; readonly thresholds: ChangeThresholds };

export interface Comparisons {
  /**
   * What changed between two open packs, under the filter of `after`.
   *
   * @param pause of the requester; see `oncePerPack`
   */
  find(after: View, before: PackReader, thresholds: ChangeThresholds, pause: Pause): Promise<Changes>;
}

type MatchParams = { readonly before: PackReader; readonly pause: Pause };

/**
 * Comparisons by the open packs they are of, which stand for the bytes of the files, by filter and by thresholds. One is
 * computed at a time, so that many simultaneous ones need no more memory than one. They stay cached as long as both packs are
 * open: see `oncePerPack`.
 */
export function createComparisons(find: TextFinder | undefined): Comparisons {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  const key = [high!, low!] as const;
  const numbers = new WeakMap<PackReader, number>();
  let numbered = 0;
  let turn: Promise<unknown> = Promise.resolve();

  /** Identifies an open pack by a number, because a cache must not keep a closed pack in memory. */
  function numberOf(pack: PackReader): number {
    const number = numbers.get(pack) ?? numbered++;
    numbers.set(pack, number);
    return number;
  }

  const matched = oncePerPack<MatchedPacks, MatchParams>(
    (after, { before, pause }) => matchPacks(after, before, key, pause),
    { nameOf: ({ before }) => `${numberOf(before)}`, sizeOf: matchBytes, alsoOf: ({ before }) => [before] },
  );
  const found = oncePerPack<Changes, MatchParams & { readonly thresholds: ChangeThresholds }, View>(
    (after, { before, thresholds, pause }) => {
      const computed = turn.then(async () => {
        await pause();
        const match = await matched(after.whole, { before, pause });
        const compared =
          'kept' in after ? await filterComparison(match, after, before, { find, pause }) : { match, after, before };
        return findChanges(compared, thresholds, pause);
      });
      // The result is dropped from the queue, or the last one would outlive its packs.
      turn = computed.then(
        () => undefined,
        () => undefined,
      );
      return computed;
    },
    {
      nameOf: ({ before, thresholds }) => `${numberOf(before)} ${JSON.stringify(thresholds)}`,
      sizeOf: changesBytes,
      alsoOf: ({ before }) => [before],
    },
  );
  return { find: (after, before, thresholds, pause) => found(after, { before, thresholds, pause }) };
}

const matchBytes = ({ before, after, kind, elsewhere, gone }: MatchedPacks): number =>
  before.byteLength + after.byteLength + kind.byteLength + elsewhere.byteLength + gone.byteLength;

/** Two bytes for each node, and what a filter keeps of the earlier upload. */
const changesBytes = ({ compared: { after, before } }: Changes): number =>
  2 * after.metadata.nodes + ('kept' in before ? before.bytes() : 0);
