import { randomBytes } from 'node:crypto';
import { type Changes, findChanges, type Thresholds } from '@kc/pack/compare/changes';
import { filterComparison } from '@kc/pack/compare/filter-comparison';
import { type MatchedPacks, matchPacks } from '@kc/pack/compare/match-packs';
import type { FilteredPack } from '@kc/pack/filter/filtered-pack';
import type { TextFinder } from '@kc/pack/find/find-fallback';
import type { PackReader } from '@kc/pack/format/pack-reader';
import type { ChangeThresholds } from '@kc/rules/changes';
import { pauseFor } from './cancellation.ts';

/** The storage key of the pack that it is compared with. */
export type ComparedWith = { readonly vsKey: string; readonly thresholds: ChangeThresholds };

export interface Comparisons {
  /**
   * What changed between two open packs, under the filter of `after`.
   *
   * @param signal fires when the requester goes away. A comparison that has begun is completed, because whoever comes
   *   back asks for the same one.
   */
  find(
    after: PackReader | FilteredPack,
    before: PackReader,
    thresholds: Thresholds,
    signal: AbortSignal | undefined,
  ): Promise<Changes>;
}

type Matched = { readonly after: PackReader; readonly before: PackReader; readonly match: Promise<MatchedPacks> };
type Found = {
  readonly after: PackReader | FilteredPack;
  readonly before: PackReader;
  readonly thresholds: string;
  readonly changes: Promise<Changes>;
};

/**
 * Comparisons by the open packs they are of, which stand for the bytes of the files, by filter and by thresholds. One is
 * computed at a time, so that many simultaneous ones need no more memory than one.
 *
 * @param mostMatched how many pairs of packs are kept: 9 bytes per node each
 * @param mostFound how many lists of changes are kept: see `findChanges` and `filterPack` for the size of each
 */
export function createComparisons(find: TextFinder | undefined, mostMatched = 4, mostFound = 8): Comparisons {
  const key = [randomBytes(4).readUInt32LE(), randomBytes(4).readUInt32LE()] as const;
  let matched: Matched[] = [];
  let found: Found[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  const pause = pauseFor();

  /** Runs when all earlier computations are done. */
  function inTurn<T>(signal: AbortSignal | undefined, compute: () => Promise<T>): Promise<T> {
    const computed = turn.then(async () => {
      signal?.throwIfAborted();
      return compute();
    });
    turn = computed.catch(() => undefined);
    return computed;
  }

  function matchOf(after: PackReader, before: PackReader): Promise<MatchedPacks> {
    const known = matched.find((one) => one.after === after && one.before === before);
    const entry = known ?? { after, before, match: matchPacks(after, before, key, pause) };
    matched = [entry, ...matched.filter((one) => one !== entry)].slice(0, mostMatched);
    entry.match.catch(() => {
      matched = matched.filter((one) => one !== entry);
    });
    return entry.match;
  }

  async function compute(after: PackReader | FilteredPack, before: PackReader, thresholds: Thresholds) {
    const match = await matchOf('kept' in after ? after.whole : after, before);
    const compared =
      'kept' in after ? await filterComparison(match, after, before, { find, pause }) : { match, after, before };
    return findChanges(compared, thresholds, pause);
  }

  return {
    async find(after, before, thresholds, signal) {
      const text = JSON.stringify(thresholds);
      const known = found.find((one) => one.after === after && one.before === before && one.thresholds === text);
      const entry = known ?? {
        after,
        before,
        thresholds: text,
        changes: inTurn(signal, () => compute(after, before, thresholds)),
      };
      found = [entry, ...found.filter((one) => one !== entry)].slice(0, mostFound);
      entry.changes.catch(() => {
        found = found.filter((one) => one !== entry);
      });
      const changes = await entry.changes;
      signal?.throwIfAborted();
      return changes;
    },
  };
}
