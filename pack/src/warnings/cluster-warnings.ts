import type { FilteredPack } from '../filter/filtered-pack.ts';
import { intents } from '../format/figures.ts';
import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { knownShare } from '../levels/known-share.ts';
import { knownVolumes } from '../levels/known-volumes.ts';
import { pageLevel } from '../levels/level.ts';
import { levelRows } from '../levels/level-rows.ts';
import { levelsOf } from '../levels/topics.ts';
import type { WarningThresholds } from './warning-kinds.ts';
import { type FoundWarnings, type Warning, warningList } from './warning-list.ts';

type Asked = { readonly pack: FilteredPack; readonly thresholds: WarningThresholds; readonly pause: Pause };

/**
 * The smallest topics with too many keywords, or with exactly one. Figures of a cluster are those of its branch, as the
 * explorer shows them; the root is no cluster here.
 */
export async function sizeWarnings(kind: 'oversized' | 'single', { pack, thresholds, pause }: Asked) {
  const isFound = (keywords: number) => (kind === 'single' ? keywords === 1 : keywords > thresholds.oversized);
  return clusterList(kind, pack, pause, (branch) => (isFound(pack.kept.keywords[branch]!) ? [] : undefined));
}

export async function mixedWarnings({ pack, thresholds, pause }: Asked): Promise<FoundWarnings> {
  if (!(await pack.whole.column('own_intent'))) return { kind: 'mixed', missing: 'no-intent' };
  const known = await pack.column('intent_known');
  const counts = await Promise.all(intents.map((name) => pack.column(name)));
  return clusterList('mixed', pack, pause, (branch) => {
    const keywords = known[branch]!;
    if (keywords < thresholds.mixedKeywords || keywords === 0) return undefined;
    const isLed = counts.some((count) => 100 * count[branch]! >= thresholds.mixedShare * keywords);
    return isLed ? undefined : [keywords, ...counts.map((count) => count[branch]! / keywords)];
  });
}

export async function unknownWarnings({ pack, thresholds, pause }: Asked): Promise<FoundWarnings> {
  const { optional } = pack.whole.metadata;
  const [hasVolume, hasDifficulty] = [optional.includes('own_volume'), optional.includes('own_difficulty')];
  if (!hasVolume && !hasDifficulty) return { kind: 'unknown', missing: 'no-figures' };
  const [volume, volumeKnown, difficultyKnown] = [
    await pack.column('volume'),
    await pack.column('volume_known'),
    await pack.column('difficulty_known'),
  ];
  const ofDifficulty = await knownVolumes(pack, 'difficulty', pause);
  return clusterList('unknown', pack, pause, (branch) => {
    const keywords = pack.kept.keywords[branch]!;
    const base = { keywords, volumeKnown: volumeKnown[branch]!, volume: volume[branch]! };
    const known = { ...base, known: base.volumeKnown, knownVolume: base.volume };
    const difficulty = { ...base, known: difficultyKnown[branch]!, knownVolume: ofDifficulty[branch]! };
    const shares = [hasVolume ? knownShare(known) : Number.NaN, hasDifficulty ? knownShare(difficulty) : Number.NaN];
    return shares.some((share) => 100 * share < thresholds.unknownShare) ? shares : undefined;
  });
}

/** @param figuresOf the figures of a warning about the cluster of a branch; undefined if there is none */
async function clusterList(
  kind: 'oversized' | 'single' | 'mixed' | 'unknown',
  pack: FilteredPack,
  pause: Pause,
  figuresOf: (branch: number) => readonly number[] | undefined,
): Promise<FoundWarnings> {
  const [rows, volume] = [
    await levelRows(pack, pageLevel(await levelsOf(pack.whole, pause)), 0, pause),
    await pack.column('volume'),
  ];
  const { starts } = pack.kept.branches;
  const found: Warning[] = [];
  await eachPiece(rows.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const row = rows[at]!;
      const branch = starts[row]!;
      const figures = figuresOf(branch);
      if (figures) found.push({ row, volume: volume[branch]!, keywords: pack.kept.keywords[branch]!, figures });
    }
  });
  return warningList(kind, found, pause);
}
