import type { Changes } from '@kc/pack/compare/changes';
import { describeChanges, takeChangeFields } from '@kc/pack/compare/describe-changes';
import { branchMembers } from '@kc/pack/detail/branch-members';
import { type KeywordCursor, listKeywords } from '@kc/pack/detail/list-keywords';
import { describeNode, describePath } from '@kc/pack/detail/node-detail';
import { detailUnplaced } from '@kc/pack/detail/not-in-hierarchy';
import { runAround, siblingsOf } from '@kc/pack/detail/siblings';
import { noFilter } from '@kc/pack/filter/filter';
import { hasCoveredCondition, readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { compilePattern, isProblem, type PatternProblem } from '@kc/pack/find/name-pattern';
import { locate, locateLast } from '@kc/pack/format/locate';
import { namesAt, namesOf } from '@kc/pack/format/names-at';
import { releasePack, setCacheBudget } from '@kc/pack/format/once-per-pack';
import { type PackField, rootSliceRows } from '@kc/pack/format/pack-format';
import { openPack, type PackReader } from '@kc/pack/format/pack-reader';
import type { DensityQuery } from '@kc/pack/levels/density';
import type { PointsQuery } from '@kc/pack/levels/points';
import { encodeRows } from '@kc/pack/levels/rows-wire';
import { type RowsQuery, takeRows } from '@kc/pack/levels/take-rows';
import { takePlanFields } from '@kc/pack/plan/plan-fields';
import { checkScore } from '@kc/pack/score/check-score';
import { figuresOfFile } from '@kc/pack/score/file-figures';
import { checkText, writeScore } from '@kc/pack/score/score';
import { seasonFieldName, seasonValues } from '@kc/pack/season/season-name';
import type { Slice, SliceQuery } from '@kc/pack/slice/slice';
import { requestableFields } from '@kc/pack/slice/slice-fields';
import { encodeSlice, sliceWireVersion } from '@kc/pack/slice/slice-wire';
import { takeSlice } from '@kc/pack/slice/take-slice';
import type { View } from '@kc/pack/sums/filtered-pack';
import { type Histogram, takeHistogram, withoutPart } from '@kc/pack/sums/histogram';
import { isRecognised } from '@kc/pack/upload/unrecognised';
import type { ChangeLevel, ChangeName } from '@kc/pack/vocabulary/changes';
import type { Level } from '@kc/pack/vocabulary/choices';
import type { ChangedNode, ChangesPage } from '@kc/rules/change-shapes';
import type { UnplacedDetail, UnplacedPage } from '@kc/rules/keyword-shapes';
import type { LevelPoints, PlotDensity } from '@kc/rules/points-shapes';
import type { ScoreCheck } from '@kc/rules/score-shapes';
import type { BranchMembers, Field, NodeDetail, SearchAnswer, WithheldField } from '@kc/rules/shapes';
import { type Storage, whileOpen } from '../../storage/storage.ts';
import { memoryLimit } from '../../worker-process.ts';
import { pauseFor } from './cancellation.ts';
import { type ComparedWith, createComparisons } from './comparisons.ts';
import { createExports, type Exports } from './exports.ts';
import { createFilters, type MarkRows, type OpenPack } from './filters.ts';
import { levelPoints, plotDensity } from './level-points.ts';
import {
  coveredBy,
  createMarks,
  type MarkQueries,
  type Marks,
  markedRows,
  type SortMarksQuery,
  sortMarksOf,
} from './marks.ts';
import { createOpenPacks, type PackCounts } from './open-packs.ts';
import { createPlanQueries, type PlanQueries, rolledUp } from './plan-queries.ts';
import { createSearches, createUnplacedLists, type SearchQuery, type UnplacedQuery } from './searches.ts';
import { type Selection, type SelectionTotals, selectionTotals } from './selection-totals.ts';
import { shownPart, storedKey } from './shown-columns.ts';
import { loadTextFinder } from './text-finder.ts';
import { createWarningQueries, type WarningQueries } from './warning-queries.ts';

type KeywordLines = {
  keywords: { node: number; name: string; volume?: number }[];
  next?: KeywordCursor;
};

type Signal = {
  /** Fires when the client disconnects. The call then fails, and a filter that nobody else waits for is abandoned. */
  readonly signal?: AbortSignal | undefined;
};
/** A storage key of a pack. */
type InPack = Signal & { readonly packKey: string };
/** A filter in canonical form; absent or empty for none. */
type Filtered = InPack & { readonly filter?: string | undefined };
type WithFile = { readonly fileKey: string };
/** The comparison, and the key of the marks with the plan, whose fields a response also has. */
type MarkFieldsQuery = { readonly compared?: ComparedWith | undefined; readonly planned?: string | undefined };
type ChangesQuery = {
  readonly level: ChangeLevel;
  readonly kind: ChangeName | undefined;
  readonly from: number;
  readonly count: number;
  /** A branch of the later upload. */
  readonly within: number | undefined;
};

/**
 * Queries on packs. The caller has checked that the requester may see the visualization. Every method takes one object
 * of structured-cloneable values and perhaps a signal, so that `query-thread.ts` can pass all of them to a thread in
 * the same way.
 */
export interface PackQueries extends Exports, MarkQueries, PlanQueries, WarningQueries {
  /**
   * The body of a slice response; `undefined` if the query's filter excludes the node. With {@link MarkFieldsQuery}, it also
   * has their fields.
   * @throws RangeError if the node or a field is not in the pack
   */
  slice(
    params: InPack & MarkFieldsQuery & { readonly query: SliceQuery },
  ): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * The body of a page of a flat list; `undefined` if the filter excludes the focus.
   * @throws RangeError if the focus or a field is not in the pack
   */
  rows(
    params: Filtered & MarkFieldsQuery & Pick<SortMarksQuery, 'warned'> & { readonly query: Omit<RowsQuery, 'marks'> },
  ): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * The rows of a level as points; `undefined` if the filter excludes the focus.
   * @throws RangeError if the focus or a field is not in the pack
   */
  points(params: Filtered & { readonly query: PointsQuery }): Promise<LevelPoints | undefined>;
  /** A window of them. */
  density(params: Filtered & { readonly query: DensityQuery }): Promise<PlotDensity | undefined>;
  /** Each keyword of the selected rows counts once. @throws RangeError if one is not in the pack */
  selectionTotals(params: Filtered & { readonly selection: Selection }): Promise<SelectionTotals>;
  /**
   * The other fields of the file's keywords: those that slices can include, then those without a column.
   * @param params.newestMonth as entered by a person, for a file that only numbers its months
   */
  fields(params: InPack & { readonly newestMonth?: string | undefined }): Promise<(Field | WithheldField)[]>;
  /** `undefined` if the filter excludes the node. @throws RangeError if it is not in the pack */
  node(params: Filtered & WithFile & { readonly node: number }): Promise<NodeDetail | undefined>;
  /** A page of a branch's keywords, the heaviest first. @throws RangeError if the node is not in the pack */
  keywords(
    params: Filtered & { readonly node: number; readonly limit: number; readonly after: KeywordCursor | undefined },
  ): Promise<KeywordLines>;
  /** For each set field, how many keywords of a branch have each member. @throws RangeError if the node is not in the pack */
  members(params: Filtered & { readonly node: number }): Promise<BranchMembers[]>;
  /** Keywords that no node names, by a part of their name. */
  notInHierarchy(params: InPack & { readonly query: UnplacedQuery }): Promise<UnplacedPage>;
  /** One of them; `undefined` if the row is none. */
  notInHierarchyKeyword(params: InPack & WithFile & { readonly row: number }): Promise<UnplacedDetail | undefined>;
  /** The path from the root to the last of these node IDs (16 hex digits) that is in the pack; `undefined` if none is. */
  locate(params: InPack & { readonly addresses: readonly string[] }): Promise<number[] | undefined>;
  /** Name and ID of every node on the path from the root to a node ID; `undefined` if it is not in the pack. */
  placesTo(params: InPack & { readonly address: string }): Promise<{ name: string; address: string }[] | undefined>;
  search(params: Filtered & { readonly query: SearchQuery }): Promise<SearchAnswer>;
  /** What is wrong with a regular expression; undefined if it can be searched for. */
  patternProblem(params: { readonly pattern: string }): Promise<PatternProblem | undefined>;
  /** The part of a path that a filter keeps, and the name of the last node if the filter excludes it. */
  keptPath(
    params: InPack & { readonly path: readonly number[]; readonly filter: string },
  ): Promise<{ path: number[]; hidden?: string }>;
  /**
   * The distribution of a field over the keywords that pass the filter's conditions on other fields; `undefined` if
   * there is no such column.
   */
  histogram(
    params: InPack & { readonly of: string; readonly sum?: string | undefined; readonly filter: string },
  ): Promise<Histogram | undefined>;
  /**
   * The distribution of a score over a level within a node, or the problem of its formula; `undefined` if the filter
   * excludes the node. @throws RangeError if the node is not in the pack
   */
  checkScore(
    params: Filtered & { readonly score: string; readonly level: Level; readonly within: number },
  ): Promise<ScoreCheck | undefined>;
  /** What changed from an earlier upload: counts, and a page of nodes. */
  changes(params: Filtered & ComparedWith & { readonly query: ChangesQuery }): Promise<ChangesPage>;
  /** How one node changed; `undefined` if the filter excludes it. */
  change(params: Filtered & ComparedWith & { readonly node: number }): Promise<ChangedNode | undefined>;
  close(): Promise<void>;
}

/**
 * The slice stored in the pack, if it answers the query: the first one that a screen requests. It is in memory once the
 * pack is open, so nothing else is read. The caller owns it.
 */
function readySlice(pack: PackReader, { node, budget, skip, child, ranked, fields = [] }: SliceQuery) {
  const isFirst = node === 0 && skip === 0 && child === undefined && !ranked && fields.length === 0;
  const isWhole = pack.metadata.nodes <= Math.min(budget, rootSliceRows);
  if (!isFirst || (budget !== rootSliceRows && !isWhole)) return undefined;
  return pack.rootSlice[3] === sliceWireVersion ? pack.rootSlice.slice() : undefined;
}

/** In the shape of the HTTP contract. */
function asField(field: PackField): Field {
  return field.kind === 'number' ? field : { ...field, values: [...field.values], counts: [...field.counts] };
}

/** The peak month, which is requested like a category of the file. How many keywords have each is not counted. */
const seasonField = (newest: string | undefined): Field => ({
  name: seasonFieldName(newest),
  kind: 'category',
  values: [...seasonValues(newest)],
  counts: [],
});

/** For cached blocks of all open packs. A cached block is not read again. Hot columns need additional memory. */
const budgetBytes = Math.max(192 * 2 ** 20, memoryLimit() / 8);
/** For cached blocks of one pack. A slice of the root of ten million nodes needs about 200 MiB. */
const cacheBytes = budgetBytes / 2;
/**
 * For what is computed from all open packs, such as the order of a list or what a filter keeps; see `oncePerPack`. A filter takes
 * 1 byte per node, 4 per kept keyword and 150 per branch.
 */
const computedBytes = Math.max(256 * 2 ** 20, memoryLimit() / 8);

/**
 * Runs the queries in this thread; see `createQueryThread`.
 *
 * @param onPacksChanged called with the counts when a pack is opened or closed
 */
export function createPackQueries(storage: Storage, onPacksChanged?: (counts: PackCounts) => void): PackQueries {
  const find = loadTextFinder();
  const { of: marksOf, ...marks } = createMarks();
  const marked: MarkRows = (pack, filter, under, pause) => {
    const changesOf = (after: PackReader, { vsKey, thresholds }: ComparedWith) =>
      use(vsKey, (before) => comparisons.find(after, before, thresholds, pause));
    return markedRows({ marksOf, storage, changesOf, pause }, pack, filter, under);
  };
  const packs = createOpenPacks<OpenPack>(
    storage,
    async (source, key) => {
      const pack = shownPart(await openPack(source, cacheBytes), key);
      return { pack, filters: createFilters(pack, find, marked) };
    },
    (size) => Math.min(size, cacheBytes),
    budgetBytes,
    onPacksChanged,
    storedKey,
    ({ pack }) => releasePack(pack),
  );
  setCacheBudget(computedBytes);
  const unplaced = createUnplacedLists(find);
  const searches = createSearches(find, unplaced);
  const use = <T>(key: string, work: (pack: PackReader) => Promise<T> | T) => packs.use(key, ({ pack }) => work(pack));
  /** Runs `work` on the pack under a filter, or on the pack itself without one. */
  const under = <T>({ packKey, filter, signal }: Filtered, work: (pack: View) => Promise<T>) =>
    packs.use(packKey, async ({ pack, filters }) => work(filter ? await filters.use(filter, signal) : pack));
  const comparisons = createComparisons(find);
  /** Runs `work` on what changed, while both packs are open. */
  const comparing = <T>(params: Filtered & ComparedWith, work: (changes: Changes) => Promise<T> | T): Promise<T> =>
    under(params, (after) =>
      use(params.vsKey, async (before) =>
        work(await comparisons.find(after, before, params.thresholds, pauseFor(params.signal))),
      ),
    );
  /** A slice with the fields of a comparison and of a plan, if these are requested. */
  async function withMarks(
    slice: Slice,
    { compared, planned, ...params }: Filtered & MarkFieldsQuery,
    pack: View,
    find = marksOf,
  ): Promise<Slice> {
    const plan = planned === undefined ? undefined : find(planned).plan;
    const ofChanges = compared
      ? await comparing({ ...params, ...compared }, (changes) => takeChangeFields(changes, slice.node))
      : [];
    const rolled = plan && (await rolledUp(pack, { ...plan, pause: pauseFor(params.signal) }));
    const ofPlan = rolled ? await takePlanFields(rolled, slice.node) : [];
    return { ...slice, fields: [...slice.fields, ...ofChanges, ...ofPlan] };
  }
  function holdMarks({ planned, warned }: SortMarksQuery): (key: string) => Marks {
    const keys = [planned, warned?.key].filter((key) => key !== undefined);
    const marksByKey = new Map(keys.map((key) => [key, marksOf(key)]));
    return (key) => marksByKey.get(key) ?? marksOf(key);
  }
  const sortMarks = (params: Filtered, pack: View, by: SortMarksQuery, find = marksOf) =>
    sortMarksOf(
      {
        storage,
        marksOf: find,
        changesOf: (compared) => comparing({ ...params, ...compared }, (changes) => changes),
        under: (filter) => packs.use(params.packKey, ({ filters }) => filters.use(filter, params.signal)),
        pause: pauseFor(params.signal),
      },
      pack,
      by,
    );
  return {
    ...createExports(packs, storage, { holdMarks, sortMarks, withMarks }),
    ...createPlanQueries(packs),
    ...createWarningQueries(packs, storage),
    ...marks,
    slice: ({ packKey, query, compared, planned, signal }) =>
      under({ packKey, filter: query.filter, signal }, async (pack) => {
        if (!query.rest && !pack.keeps(query.node)) return undefined;
        const ready = compared || planned || 'kept' in pack ? undefined : readySlice(pack, query);
        if (ready) return ready;
        const slice = await takeSlice(pack, query, pauseFor(signal));
        const params = { packKey, filter: query.filter, signal };
        return encodeSlice(await withMarks(slice, { ...params, compared, planned }, pack));
      }),
    rows: ({ query, compared, planned, warned, ...params }) =>
      under(params, async (pack) => {
        if (!pack.keeps(query.within)) return undefined;
        const marks = sortMarks(params, pack, { compared, planned, warned });
        const { slice, ...rows } = await takeRows(pack, { ...query, marks }, pauseFor(params.signal));
        return encodeRows({ ...rows, slice: await withMarks(slice, { ...params, compared, planned }, pack) });
      }),
    points: ({ query, ...params }) =>
      under(params, async (pack) => {
        if (!pack.keeps(query.within)) return undefined;
        return levelPoints(pack, query, pauseFor(params.signal));
      }),
    density: ({ query, ...params }) =>
      under(params, async (pack) => {
        if (!pack.keeps(query.within)) return undefined;
        return plotDensity(pack, query, pauseFor(params.signal));
      }),
    selectionTotals: ({ selection, ...params }) =>
      under(params, (pack) => selectionTotals(pack, selection, pauseFor(params.signal))),
    fields: ({ packKey, newestMonth }) =>
      use(packKey, ({ metadata }) => [
        ...requestableFields(metadata).map(asField).map(markCustom),
        ...(metadata.trend ? [seasonField(metadata.trend.newest ?? newestMonth)] : []),
        ...metadata.withheld.map(({ name, why }) => markCustom({ name, kind: 'none' as const, why })),
      ]),
    node: (params) =>
      under(params, async (pack) => {
        const { node, fileKey } = params;
        const [whole, keeps] = 'kept' in pack ? [pack.whole, pack.keeps] : [pack, undefined];
        if (keeps && !keeps(node)) return undefined;
        return whileOpen(storage, fileKey, async (original) => {
          const pause = pauseFor(params.signal);
          const siblings = await siblingsOf(whole, node, await runAround(whole, node, keeps), pack, pause);
          return {
            ...(await describeNode(pack, node, original, pause)),
            ...(siblings && { siblings }),
          };
        });
      }),
    keywords: (params) =>
      under(params, async (pack) => {
        const [whole, counts] = 'kept' in pack ? [pack.whole, pack.counts] : [pack, undefined];
        const { rows, volume, next } = await listKeywords(whole, params.node, params.limit, params.after, counts);
        const nameOf = await namesOf(pack, rows);
        const keywords = Array.from(rows, (row, at) => ({
          node: row,
          name: nameOf(row),
          ...(!Number.isNaN(volume[at]) && { volume: volume[at]! }),
        }));
        return { keywords, ...(next && { next }) };
      }),
    members: (params) => under(params, (pack) => branchMembers(pack, params.node, pauseFor(params.signal))),
    notInHierarchy: ({ packKey, query, signal }) => use(packKey, (pack) => unplaced.page(pack, query, signal)),
    notInHierarchyKeyword: ({ packKey, fileKey, row, signal }) =>
      use(packKey, async (pack) => {
        if (row < pack.metadata.nodes || row >= pack.rows) return undefined;
        return whileOpen(storage, fileKey, (original) => detailUnplaced(pack, row, original, pauseFor(signal)));
      }),
    locate: ({ packKey, addresses, signal }) =>
      use(packKey, async (pack) => {
        const path = await locateLast(pack, addresses, pauseFor(signal));
        return path && [...path];
      }),
    placesTo: ({ packKey, address, signal }) =>
      use(packKey, async (pack) => {
        const path = await locate(pack, address, pauseFor(signal));
        return path && describePath(pack, path);
      }),
    search: (params) => under(params, (pack) => searches.search(pack, params.query, params.signal)),
    async patternProblem({ pattern }) {
      const compiled = compilePattern(pattern);
      return isProblem(compiled) ? compiled : undefined;
    },
    keptPath: ({ packKey, path, filter, signal }) =>
      packs.use(packKey, async ({ pack, filters }) => {
        const { keeps } = await filters.use(filter, signal);
        const firstHidden = path.findIndex((row) => !keeps(row));
        if (firstHidden < 0) return { path: [...path] };
        const [hidden] = await namesAt(pack, Uint32Array.of(path.at(-1)!));
        return { path: path.slice(0, firstHidden), hidden: hidden! };
      }),
    histogram: ({ packKey, of, sum, filter, signal }) =>
      packs.use(packKey, async ({ filters }) => {
        const whole = readFilter(filter) ?? noFilter;
        const rest = await filters.use(writeFilter(withoutPart(whole, of)), signal);
        const covered = hasCoveredCondition(whole)
          ? await coveredBy(rest.whole, marksOf(whole.seen), pauseFor(signal))
          : undefined;
        return takeHistogram(rest, of, pauseFor(signal), { parts: whole.branches, covered }, sum);
      }),
    checkScore: (params) =>
      under(params, async (pack) => {
        if (!pack.keeps(params.within)) return undefined;
        const read = checkText(params.score, figuresOfFile(pack.metadata));
        if (!read.ok) return { isValid: false as const, problem: read.problem };
        const { top, missing, bins, edges, ...summary } = await checkScore(
          pack,
          read.score,
          params,
          pauseFor(params.signal),
        );
        const nameOf = await namesOf(
          pack,
          top.map(({ row }) => row),
        );
        return {
          isValid: true as const,
          score: writeScore(read.score),
          ...summary,
          missing: [...missing],
          bins: [...bins],
          edges: [...edges],
          top: top.map(({ row, score }) => ({ node: row, name: nameOf(row), score })),
        };
      }),
    changes: ({ query: { level, kind, from, count, within }, ...params }) =>
      comparing(params, async (changes) => {
        const lists = within === undefined ? changes : await changes.within(within);
        return {
          isSame: changes.isSame,
          counts: { ...lists.counts(level) },
          total: lists.total(level, kind),
          nodes: await describeChanges(changes, await lists.list(level, kind, from, count, pauseFor(params.signal))),
        };
      }),
    change: ({ node, ...params }) =>
      comparing(params, async (changes) => {
        const { after } = changes.compared;
        if (!after.keeps(node)) return undefined;
        return (await describeChanges(changes, [{ row: node, isGone: false }]))[0];
      }),
    close: () => packs.close(),
  };
}

/** Marks a field whose name is not recognised as a metric. */
function markCustom<T extends Field | WithheldField>(field: T): T {
  return isRecognised(field.name) ? field : { ...field, isCustom: true };
}
