import { changeValues } from '@kc/pack/compare/change-fields';
import type { Changes } from '@kc/pack/compare/changes';
import { noFilter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import type { FilteredPack } from '@kc/pack/filter/filtered-pack';
import { beforeWarnings } from '@kc/pack/filter/mark-text';
import type { Pause } from '@kc/pack/format/in-pieces';
import type { PackReader } from '@kc/pack/format/pack-reader';
import type { SortMarks } from '@kc/pack/levels/row-values';
import { planValues } from '@kc/pack/plan/plan-fields';
import { ownWarnings } from '@kc/pack/warnings/warning-marks';
import { quietKind, warningKinds } from '@kc/rules/warnings';
import type { Storage } from '../../storage/storage.ts';
import type { ComparedWith } from './comparisons.ts';
import { type Marks, openIn } from './marks.ts';
import { rolledUp } from './plan-queries.ts';

/** What a list is sorted by that is not in its pack. What the sort does not need is absent. */
export type AskedSortMarks = {
  readonly compared?: ComparedWith | undefined;
  /** The keys of the marks with the plan, and with the judgements about warnings. */
  readonly planned?: string | undefined;
  readonly warned?: { readonly key: string; readonly withUnknown: boolean } | undefined;
};

type SortMarkDeps = {
  readonly storage: Storage;
  readonly marksOf: (key: string) => Marks;
  /** What changed in the pack that is sorted. */
  readonly changesOf: (compared: ComparedWith) => Promise<Changes>;
  /** The pack under another filter. */
  readonly under: (text: string) => Promise<FilteredPack>;
  readonly pause: Pause;
};

/** The values by which the rows of a pack are sorted. Without another upload, nothing is known of its figures. */
export function sortMarksOf(
  { storage, marksOf, changesOf, under, pause }: SortMarkDeps,
  pack: PackReader | FilteredPack,
  { compared, planned, warned }: AskedSortMarks,
): SortMarks {
  const unknown = (rows: Uint32Array) => new Float64Array(rows.length).fill(Number.NaN);
  return {
    key: JSON.stringify([compared, planned, warned]),
    async valuesOf(mark, rows) {
      switch (mark) {
        case 'plan':
        case 'covered': {
          const plan = planned === undefined ? undefined : marksOf(planned).plan;
          if (!plan) return unknown(rows);
          return planValues(pack, await rolledUp(pack, { ...plan, pause }), mark, rows, pause);
        }
        case 'warnings': {
          const found = warned && marksOf(warned.key).warnings;
          if (!found) return unknown(rows);
          const filter = 'kept' in pack ? readFilter(pack.filter) : undefined;
          const base = await under(writeFilter(beforeWarnings(filter ?? noFilter)));
          const kinds = warningKinds.filter(
            (kind) => kind !== 'unplaced' && (warned.withUnknown || kind !== quietKind),
          );
          const own = ownWarnings(pack.metadata.nodes, await openIn(base, storage, found, pause), kinds);
          return Float64Array.from(rows, (row) => own[row]!);
        }
        default:
          return compared ? changeValues(await changesOf(compared), mark, rows) : unknown(rows);
      }
    },
  };
}
