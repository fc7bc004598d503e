import type { Changes } from '@kc/pack/compare/changes';
import { changeValues } from '@kc/pack/compare/describe-changes';
import { type Filter, noFilter } from '@kc/pack/filter/filter';
import {
  beforeWarnings,
  hasCoveredCondition,
  hasNodeMarks,
  readFilter,
  writeFilter,
} from '@kc/pack/filter/filter-text';
import type { Pause } from '@kc/pack/format/in-pieces';
import type { PackReader } from '@kc/pack/format/pack-reader';
import type { FilterInput } from '@kc/pack/levels/filter-pack';
import type { SortMarks } from '@kc/pack/levels/row-values';
import { coveredMarks, markPlanned, planValues } from '@kc/pack/plan/plan-fields';
import { markPlannedFields, type PlannedFields } from '@kc/pack/plan/planned-parts';
import type { FilteredPack, View } from '@kc/pack/sums/filtered-pack';
import type { ChangeThresholds } from '@kc/pack/vocabulary/changes';
import { type WarningThresholds, warningKinds } from '@kc/pack/vocabulary/warnings';
import { findWarnings } from '@kc/pack/warnings/find-warnings';
import {
  type Dismissed,
  markWarned,
  type OpenWarnings,
  openWarnings,
  ownWarnings,
} from '@kc/pack/warnings/open-warnings';
import { quietKind } from '@kc/rules/warnings';
import { type Storage, whileOpen } from '../../storage/storage.ts';
import type { ComparedWith } from './comparisons.ts';
import { type PlannedEntry, type RankedEntry, rolledUp, rowsOfEntries } from './plan-queries.ts';

/** What filters and slices need to know about nodes that is not in the pack. What is not needed is absent. */
export type Marks = {
  readonly plan?: { readonly version: string; readonly entries: readonly RankedEntry[] };
  readonly planned?: readonly (PlannedEntry & { readonly fields: PlannedFields })[];
  readonly warnings?: {
    readonly fileKey: string;
    readonly thresholds: WarningThresholds;
    readonly dismissed: readonly Dismissed[];
  };
  /** The earlier upload, by the storage key of its pack. */
  readonly changes?: { readonly vsKey: string; readonly thresholds: ChangeThresholds };
};

/** Calls that cache marks before a query needs them: a query names them by a short key, as `seen` of its filter. */
export interface MarkQueries {
  hasMarks(params: { readonly key: string }): boolean | Promise<boolean>;
  keepMarks(params: { readonly key: string; readonly marks: Marks }): undefined | Promise<undefined>;
}

/** The marks that a query names are not cached: they were never sent, or have been evicted since. */
export class NoMarks extends Error {
  readonly key: string;
  constructor(key: string) {
    super(`No marks ${key}`);
    this.key = key;
  }
}

/** Each can have as many entries as a plan. */
const maxCached = 64;

export function createMarks() {
  const cache = new Map<string, Marks>();
  return {
    hasMarks({ key }: { readonly key: string }): boolean {
      const found = cache.get(key);
      if (!found) return false;
      // A Map keeps insertion order: the marks become the newest, because the next query uses them.
      cache.delete(key);
      cache.set(key, found);
      return true;
    },
    keepMarks({ key, marks }: { readonly key: string; readonly marks: Marks }): undefined {
      cache.delete(key);
      cache.set(key, marks);
      if (cache.size > maxCached) cache.delete(cache.keys().next().value!);
    },
    /** @throws NoMarks if they were never cached, or have been evicted since */
    of(key: string): Marks {
      const found = cache.get(key);
      if (!found) throw new NoMarks(key);
      return found;
    },
  };
}

type MarkDeps = {
  readonly marksOf: (key: string) => Marks;
  readonly storage: Storage;
  /** What changed since the earlier upload with this pack. */
  readonly changesOf: (after: PackReader, changes: NonNullable<Marks['changes']>) => Promise<Changes>;
  readonly pause: Pause;
};

/** The open warnings about what a filter keeps. */
export function findOpenWarnings(
  base: FilteredPack,
  storage: Storage,
  { fileKey, thresholds, dismissed }: NonNullable<Marks['warnings']>,
  pause: Pause,
): Promise<OpenWarnings> {
  return whileOpen(storage, fileKey, async (original) => {
    const all = await findWarnings(base, thresholds, original, pause);
    return openWarnings(base.whole, all, dismissed, pause);
  });
}

/** What the plan of some marks covers; undefined without a plan. */
export async function coveredBy(pack: PackReader, { plan }: Marks, pause: Pause): Promise<Uint8Array | undefined> {
  return plan && markPlanned(await rolledUp(pack, { ...plan, pause }), coveredMarks);
}

/**
 * What a filter with parts about marks needs to be applied.
 *
 * @param under the pack under another filter
 */
export async function markedRows(
  deps: MarkDeps,
  pack: PackReader,
  filter: Filter,
  under: (text: string) => Promise<FilteredPack>,
): Promise<Pick<FilterInput, 'marked' | 'covered'>> {
  return {
    marked: hasNodeMarks(filter) ? await markedNodes(deps, pack, filter, under) : undefined,
    covered: hasCoveredCondition(filter) ? await coveredBy(pack, deps.marksOf(filter.seen), deps.pause) : undefined,
  };
}

/** 1 for each row for which the parts about marks of single nodes hold. */
async function markedNodes(
  { marksOf, storage, changesOf, pause }: MarkDeps,
  pack: PackReader,
  filter: Filter,
  under: (text: string) => Promise<FilteredPack>,
): Promise<Uint8Array> {
  const { plan, planned, changes, warnings } = marksOf(filter.seen);
  const marked = new Uint8Array(pack.metadata.nodes).fill(1);
  const narrow = (by: Uint8Array) => {
    for (let row = 0; row < marked.length; row++) marked[row]! &= by[row]!;
  };
  if (filter.plan.length > 0 && plan) {
    narrow(markPlanned(await rolledUp(pack, { ...plan, pause }), filter.plan));
  }
  if (filter.planned.length > 0 && planned) {
    const rows = await rowsOfEntries(pack, planned, pause);
    const placed = planned.flatMap(({ id, fields }) => {
      const row = rows.get(id);
      return row === undefined ? [] : [{ row, fields }];
    });
    narrow(await markPlannedFields(pack, placed, filter.planned, pause));
  }
  if (filter.changes.length > 0 && changes) {
    narrow(await (await changesOf(pack, changes)).mark(filter.changes, pause));
  }
  if (filter.warnings.length > 0 && warnings) {
    const base = await under(writeFilter(beforeWarnings(filter)));
    narrow(await markWarned(pack, await findOpenWarnings(base, storage, warnings, pause), filter.warnings, pause));
  }
  return marked;
}

/** What a list is sorted by that is not in its pack. What the sort does not need is absent. */
export type SortMarksQuery = {
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
  pack: View,
  { compared, planned, warned }: SortMarksQuery,
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
          const own = ownWarnings(pack.metadata.nodes, await findOpenWarnings(base, storage, found, pause), kinds);
          return Float64Array.from(rows, (row) => own[row]!);
        }
        default:
          return compared ? changeValues(await changesOf(compared), mark, rows, pause) : unknown(rows);
      }
    },
  };
}
