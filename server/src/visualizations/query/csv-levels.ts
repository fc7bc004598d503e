import { eachPiece, type Pause } from '@kc/pack/format/in-pieces';
import { oncePerPack } from '@kc/pack/format/once-per-pack';
import { noRow } from '@kc/pack/format/pack-format';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { isClusterType, isStrayType, isSubtopicType } from '@kc/pack/levels/level';

/** Each level has its own column, up to this many: a file may be 65,000 levels deep. */
const maxLevels = 16;

/** The groups above the keywords, level by level. */
export type CsvLevels = {
  /** The title of each column, from the pillar topics down. All are different. */
  readonly titles: readonly string[];
  /** Whether there are deeper groups, so that the columns are not enough to locate every node. */
  readonly isCut: boolean;
};

/** What a row is. Shown in the column `Kind`. */
const rowKinds = ['Root', 'Pillar topic', 'Cluster', 'Subtopic', 'Strays', 'Keyword'] as const;
export type RowKind = (typeof rowKinds)[number];

/** Computed once and cached with the pack, which has no filter. */
export const csvLevelsOf = oncePerPack<CsvLevels, Pause>(findLevels);

/**
 * A level is called by its type if all of its groups have the same one, otherwise pillar topic or cluster, as
 * everywhere in the product.
 */
async function findLevels(pack: PackReader, pause: Pause): Promise<CsvLevels> {
  const [isKeyword, starts, depth, type] = await Promise.all([
    pack.column('is_keyword'),
    pack.column('branch'),
    pack.column('depth'),
    pack.column('type'),
  ]);
  /** By level: its only type, or 0 for several types or none. */
  const types: number[] = [];
  let isCut = false;
  await eachPiece(pack.metadata.nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      if (isKeyword[row] === 1 && starts[row] === starts[row + 1]) continue;
      const level = depth[row]!;
      if (level > maxLevels) isCut = true;
      else types[level] = (types[level] ?? type[row]!) === type[row]! ? type[row]! : 0;
    }
  });
  const titles: string[] = [];
  for (let level = 1; level < types.length; level++) {
    const name = titleOf(pack.metadata.types[types[level]!]) || (level === 1 ? 'Pillar topic' : 'Cluster');
    titles.push(titles.includes(name) ? `${name} level ${level}` : name);
  }
  return { titles, isCut };
}

/** "pillar_topic" → "Pillar topic" */
function titleOf(type: string | undefined): string {
  const words = (type ?? '').replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What some rows are: what their type says, otherwise by their place. @param pack without a filter */
export async function kindsOf(pack: PackReader, rows: Uint32Array): Promise<RowKind[]> {
  const branches = await pack.branchesOf(rows);
  const isKeyword = await pack.gather('is_keyword', rows);
  const depth = await pack.gather('depth', rows);
  const type = await pack.gather('type', rows);
  const ofType = pack.metadata.types.map(kindOfType);
  return Array.from(rows, (row, at): RowKind => {
    if (row >= pack.metadata.nodes || (isKeyword[at] === 1 && branches[at] === noRow)) return 'Keyword';
    if (row === 0) return 'Root';
    return ofType[type[at]!] ?? (depth[at] === 1 ? 'Pillar topic' : 'Cluster');
  });
}

function kindOfType(type: string): RowKind | undefined {
  if (isClusterType(type)) return 'Cluster';
  if (isSubtopicType(type)) return 'Subtopic';
  return isStrayType(type) ? 'Strays' : undefined;
}
