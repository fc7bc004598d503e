import type { FilteredPack } from '../filter/filtered-pack.ts';
import type { ByteSource } from '../format/byte-source.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { mixedWarnings, sizeWarnings, unknownWarnings } from './cluster-warnings.ts';
import { repeatWarnings, unplacedWarnings } from './repeat-warnings.ts';
import { urlWarnings } from './url-warnings.ts';
import { type WarningKind, type WarningThresholds, warningKinds } from './warning-kinds.ts';
import type { FoundWarnings } from './warning-list.ts';

/** The warnings of every kind, and the URLs that they name by number. */
export type AllWarnings = {
  readonly lists: Readonly<Record<WarningKind, FoundWarnings>>;
  readonly urls: readonly string[];
};

/** Results with other thresholds are dropped beyond this number for each filter. */
const mostKept = 3;
const found = new WeakMap<FilteredPack, Map<string, Promise<AllWarnings>>>();

/**
 * All warnings about what a filter keeps; see `warning-kinds`. Cached by the filtered pack and the thresholds.
 *
 * Cost: about twenty passes over the nodes, and the URLs on first use: see `rankedUrls`.
 *
 * @param pack under a filter, which may be the empty one
 * @param original the uploaded file
 */
export function findWarnings(
  pack: FilteredPack,
  thresholds: WarningThresholds,
  original: ByteSource,
  pause: Pause = noPause,
): Promise<AllWarnings> {
  const kept = found.get(pack) ?? new Map<string, Promise<AllWarnings>>();
  found.set(pack, kept);
  const key = JSON.stringify(Object.entries(thresholds).sort());
  const known = kept.get(key) ?? find(pack, thresholds, original, pause);
  kept.delete(key);
  kept.set(key, known);
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
  known.catch(() => kept.delete(key));
  return known;
}

async function find(
  pack: FilteredPack,
  thresholds: WarningThresholds,
  original: ByteSource,
  pause: Pause,
): Promise<AllWarnings> {
  const asked = { pack, thresholds, pause };
  const ofUrls = await urlWarnings(asked, original);
  const lists = [
    await mixedWarnings(asked),
    ofUrls.lists['url-clusters'],
    ofUrls.lists['cluster-urls'],
    await sizeWarnings('oversized', asked),
    await sizeWarnings('single', asked),
    await repeatWarnings(pack, pause),
    await unplacedWarnings(pack),
    await unknownWarnings(asked),
  ];
  const byKind = new Map(lists.map((list) => [list.kind, list]));
  return {
    lists: Object.fromEntries(warningKinds.map((kind) => [kind, byKind.get(kind)!])) as AllWarnings['lists'],
    urls: ofUrls.texts,
  };
}
