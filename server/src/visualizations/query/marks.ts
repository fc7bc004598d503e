import type { Changes } from '@kc/pack/compare/changes';
import type { Filter } from '@kc/pack/filter/filter';
import { writeFilter } from '@kc/pack/filter/filter-text';
import type { FilteredPack, FilterInput } from '@kc/pack/filter/filtered-pack';
import { asksForCovered, beforeWarnings, hasNodeMarks } from '@kc/pack/filter/mark-text';
import type { Pause } from '@kc/pack/format/in-pieces';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { coveredMarks, markPlanned } from '@kc/pack/plan/plan-fields';
import { markPlannedFields, type PlannedFields } from '@kc/pack/plan/planned-parts';
import { findWarnings } from '@kc/pack/warnings/find-warnings';
import { type Dismissed, type OpenWarnings, openWarnings } from '@kc/pack/warnings/open-warnings';
import { markWarned } from '@kc/pack/warnings/warning-marks';
import type { ChangeThresholds } from '@kc/rules/changes';
import type { WarningThresholds } from '@kc/rules/warnings';
import type { Storage } from '../../storage/storage.ts';
import { type PlannedEntry, type RankedEntry, rolledUp, rowsOfEntries } from './plan-queries.ts';

/** What filters and slices say about nodes that is not in the pack. What is not needed is absent. */
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

/** Calls that hand marks over before a query needs them: a query names them by a short key, as `seen` of its filter. */
export interface MarkQueries {
  hasMarks(asked: { readonly key: string }): boolean | Promise<boolean>;
  keepMarks(asked: { readonly key: string; readonly marks: Marks }): undefined | Promise<undefined>;
}

/** Each can have as many entries as a plan. */
const mostKept = 64;

export function createMarks() {
  const kept = new Map<string, Marks>();
  return {
    hasMarks({ key }: { readonly key: string }): boolean {
      const found = kept.get(key);
      if (!found) return false;
      // A Map keeps insertion order: what is asked for is used next.
      kept.delete(key);
      kept.set(key, found);
      return true;
    },
    keepMarks({ key, marks }: { readonly key: string; readonly marks: Marks }): undefined {
      kept.delete(key);
      kept.set(key, marks);
      if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
    },
    /** @throws Error if nobody has handed them over */
    of(key: string): Marks {
      const found = kept.get(key);
      if (!found) throw new Error(`No marks ${key}`);
      return found;
    },
  };
}

type MarkDeps = {
  readonly marksOf: (key: string) => Marks;
  readonly storage: Storage;
  /** What changed since the earlier upload with this pack. */
  readonly changesOf: (after: PackReader, asked: NonNullable<Marks['changes']>) => Promise<Changes>;
  readonly pause: Pause;
};

/** The open warnings about what a filter keeps. */
export async function openIn(
  base: FilteredPack,
  storage: Storage,
  { fileKey, thresholds, dismissed }: NonNullable<Marks['warnings']>,
  pause: Pause,
): Promise<OpenWarnings> {
  const original = await storage.open(fileKey);
  try {
    const all = await findWarnings(base, thresholds, original, pause);
    return await openWarnings(base.whole, all, dismissed, pause);
  } finally {
    await original.close();
  }
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
    covered: asksForCovered(filter) ? await coveredBy(pack, deps.marksOf(filter.seen), deps.pause) : undefined,
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
    narrow(await markWarned(pack, await openIn(base, storage, warnings, pause), filter.warnings, pause));
  }
  return marked;
}
