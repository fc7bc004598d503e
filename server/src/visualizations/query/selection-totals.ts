import type { Pause } from '@kc/pack/format/in-pieces';
import { knownShare } from '@kc/pack/levels/known-share';
import { levelListsOf } from '@kc/pack/levels/level-lists';
import { totalsOf } from '@kc/pack/levels/union';
import type { View } from '@kc/pack/sums/filtered-pack';
import type { PointLevel } from '@kc/pack/vocabulary/choices';
import type { SelectionTotals } from '@kc/rules/shapes';

export type { SelectionTotals };

/** Pack rows; or all rows of a level within a node, except some. Rows that a filter excludes do not count. */
export type Selection =
  | { readonly rows: Uint32Array }
  | { readonly level: PointLevel; readonly within: number; readonly except: Uint32Array };

export async function selectionTotals(pack: View, selection: Selection, pause: Pause): Promise<SelectionTotals> {
  const rows = await rowsOf(pack, selection, pause);
  const totals = await totalsOf(pack, rows, pause);
  const { keywords, volume, volumeKnown, difficulty, difficultyKnown: known } = totals;
  const share = knownShare({ keywords, volume, volumeKnown, known, knownVolume: totals.difficultyKnownVolume });
  return {
    rows: rows.length,
    keywords,
    volumeKnown,
    difficultyKnown: known,
    ...(!Number.isNaN(volume) && { volume }),
    ...(!Number.isNaN(difficulty) && { difficulty }),
    ...(!Number.isNaN(share) && { difficultyShare: share }),
  };
}

async function rowsOf(pack: View, selection: Selection, pause: Pause): Promise<Uint32Array> {
  if ('rows' in selection) return 'kept' in pack ? selection.rows.filter(pack.keeps) : selection.rows;
  const { level, within, except } = selection;
  const all = await levelListsOf(pack).all({ level, within, sort: [] }, pause);
  const out = new Set(except);
  return out.size === 0 ? all : all.filter((row) => !out.has(row));
}
