import type { FilteredPack } from '../filter/filtered-pack.ts';
import type { ByteSource } from '../format/byte-source.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { mixedWarnings, sizeWarnings, unknownWarnings } from './cluster-warnings.ts';
import { repeatWarnings, unplacedWarnings } from './repeat-warnings.ts';
import { urlWarnings } from './url-warnings.ts';
import { type WarningKind, type WarningThresholds, warningKinds } from './warning-kinds.ts';
import { type FoundWarnings, listBytes } from './warning-list.ts';

/** The warnings of every kind, and the URLs that they name by number. */
export type AllWarnings = {
  readonly lists: Readonly<Record<WarningKind, FoundWarnings>>;
  readonly urls: readonly string[];
};

type Asked = { readonly thresholds: WarningThresholds; readonly original: ByteSource; readonly pause: Pause };

/**
 * All warnings about what a filter keeps; see `warning-kinds`. Cached by the filtered pack and the thresholds.
 *
 * Cost: about twenty passes over the nodes, and the URLs on first use: see `rankedUrls`.
 *
 * @param pack under a filter, which may be the empty one
 * @param original the uploaded file
 */
export const findWarnings = (
  pack: FilteredPack,
  thresholds: WarningThresholds,
  original: ByteSource,
  pause: Pause = noPause,
): Promise<AllWarnings> => found(pack, { thresholds, original, pause });

const found = oncePerPack<AllWarnings, Asked, FilteredPack>(find, {
  nameOf: ({ thresholds }) => JSON.stringify(Object.entries(thresholds).sort()),
  sizeOf: ({ lists }) => Object.values(lists).reduce((sum, list) => sum + ('missing' in list ? 0 : listBytes(list)), 0),
});

async function find(pack: FilteredPack, { thresholds, original, pause }: Asked): Promise<AllWarnings> {
  const asked = { pack, thresholds, pause };
  const ofUrls = await urlWarnings(asked, original);
  const lists: FoundWarnings[] = [ofUrls.lists['url-clusters'], ofUrls.lists['cluster-urls']];
  for (const ofKind of [
    () => mixedWarnings(asked),
    () => sizeWarnings('oversized', asked),
    () => sizeWarnings('single', asked),
    () => repeatWarnings(pack, pause),
    () => unplacedWarnings(pack, pause),
    () => unknownWarnings(asked),
  ]) {
    await pause();
    lists.push(await ofKind());
  }
  const byKind = new Map(lists.map((list) => [list.kind, list]));
  return {
    lists: Object.fromEntries(warningKinds.map((kind) => [kind, byKind.get(kind)!])) as AllWarnings['lists'],
    urls: ofUrls.texts,
  };
}
