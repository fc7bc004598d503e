import { createHash } from 'node:crypto';
import type { DraftState } from '@kc/cluster/draft/draft-state';
import { applyOperation } from '@kc/cluster/draft/operations';
import { NoSuchColumnError } from '@kc/cluster/lists/grouping-choice';
import { filteredLists } from '@kc/cluster/lists/keyword-filter';
import { codedRefusal } from '@kc/cluster/lists/list-refusal';
import { type MapChoices, type PlannedMap, planAgain, planMap } from '@kc/cluster/lists/make-map';
import { type PlannedUpdate, planUpdate } from '@kc/cluster/lists/plan-update';
import { type ListFile, type ListRefusal, type ReadLists, readLists, recognise } from '@kc/cluster/lists/read-lists';
import { withMeanings } from '@kc/cluster/map/read-map';
import { ListsTooLarge } from '@kc/cluster/merge/merge';
import { rankedAddresses } from '@kc/cluster/merge/upload-fields';
import type { ClusterTools } from '@kc/cluster/pipeline/cluster';
import type { Corrections } from '@kc/cluster/read/reading';
import type { DraftReport, DraftSettings, KeywordFilterShape, ListCorrectionsShape } from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';
import { availableTools, type ModelChoice, ToolsOfJob } from '../clustering/cluster-tools.ts';
import { demandMemory, mergingBytes, mergingNeeds, TooManyKeywords } from '../clustering/clustering-memory.ts';
import { type DetectLanguages, guessLanguage, languageOf } from '../clustering/language.ts';
import {
  listQuestions,
  listWarnings,
  type Question,
  resultsAdded,
  updateWarnings,
} from '../clustering/list-warnings.ts';
import { UnusableModel } from '../clustering/static-model.ts';
import { type Storage, StorageUnreadable, type StoredBytes } from '../storage/storage.ts';
import { unchangedBlocks } from '../storage/whole-objects.ts';
import { WroteTooMuch, withinLimits } from '../storage/writing-limits.ts';
import { adjustMap, type FoundResults, readAdjusted } from './adjusted-map.ts';
import type {
  ClusteredDraft,
  ClusteringOutcome,
  ClusteringProgress,
  ClusteringRequest,
} from './clustering-messages.ts';
import { countsOf, marksOf } from './draft-figures.ts';
import { writeRevision } from './revision.ts';
import { jsonOf, type StoredDraft, storedDraftOf, writeStoredDraft } from './stored-draft.ts';

type Made = {
  readonly draft: StoredDraft;
  readonly method: ClusteredDraft['method'];
  readonly report: DraftReport;
  readonly warnings: readonly Refusal[];
  readonly questions?: readonly Question[];
};

/** Lists, with what was corrected in each file. */
type CorrectedLists = ReadLists & { readonly corrections: readonly ListCorrectionsShape[] };

type Report = (progress: ClusteringProgress) => void;

/**
 * Clusters the lists of one draft: rows → keywords → clusters → revision.
 *
 * @param detect detects languages; by default in a thread that ends
 */
export async function clusterDraft(
  storage: Storage,
  request: ClusteringRequest,
  report: Report,
  detect?: DetectLanguages,
): Promise<ClusteringOutcome> {
  report({ stage: 'read' });
  const { map, lists, settings } = request;
  const isAdjusted = map && (lists.length === 0 || settings.adds !== undefined);
  const made = isAdjusted
    ? await adjust(storage, request, map, report, detect)
    : await clusterLists(storage, request, report, detect);
  if ('refusal' in made) return { ok: false, refusal: made.refusal };
  report({ stage: 'write' });
  const { draft, ...about } = made;
  const { state, operations } = begunState(draft);
  const written = await writeDraft(storage, request, draft, state);
  if ('refusal' in written) return { ok: false, refusal: written.refusal };
  const figures = { stop: state.stop, counts: countsOf(state), marks: marksOf(draft, state) };
  return { ok: true, draft: { ...written, fieldMap: draft.fieldMap ?? null, operations, ...figures, ...about } };
}

/** Writes what editing begins with, and the first revision. The server removes what is not needed. */
async function writeDraft(
  storage: Storage,
  request: ClusteringRequest,
  draft: StoredDraft,
  state: DraftState,
): Promise<Pick<ClusteredDraft, 'storedBytes' | 'revision'> | { readonly refusal: Refusal }> {
  const { keys, memoryBytes, writes } = request;
  const limited = async <T>(
    { maxBytes, refusal }: (typeof writes)['map'],
    write: (within: Storage) => Promise<T>,
  ): Promise<T | { readonly refusal: Refusal }> => {
    try {
      return await write(withinLimits(storage, maxBytes));
    } catch (error) {
      if (error instanceof WroteTooMuch) return { refusal };
      throw error;
    }
  };
  const revision = await limited(writes.map, (within) =>
    writeRevision(within, jsonOf(draft, state), memoryBytes, draft.fieldMap, keys),
  );
  if ('refusal' in revision) return revision;
  const stored = await limited(writes.stored, async (within) => ({
    storedBytes: await writeStoredDraft(within, keys.stored, draft),
  }));
  return 'refusal' in stored ? stored : { ...stored, revision };
}

/** What people see first: of a branch that is divided, the parts, which can be undone. */
function begunState({ context, state, name }: StoredDraft): Pick<ClusteredDraft, 'operations'> & { state: DraftState } {
  if (!context.division) return { state, operations: [] };
  const operation = { kind: 'divide' } as const;
  const applied = applyOperation(context, state, operation, name);
  if ('refusal' in applied) throw new Error(`A branch could not be divided: ${applied.refusal}`);
  return { state: applied.state, operations: [operation] };
}

/** A published map, of which at most a branch is clustered, unless search results are added to it. */
async function adjust(
  storage: Storage,
  request: ClusteringRequest,
  map: NonNullable<ClusteringRequest['map']>,
  report: Report,
  detect?: DetectLanguages,
): Promise<Made | { readonly refusal: Refusal }> {
  const lists = request.lists.length > 0 ? await listsIn(storage, request) : undefined;
  if (lists && 'refusal' in lists) return lists;
  const results = lists?.keywords.results;
  if (lists && !results) return { refusal: { code: 'list/no-results' } };
  const found = lists && results && { texts: lists.keywords.text, results: rankedAddresses(results) };
  const tools = toolsFor(request, report);
  const made =
    request.settings.adds === 'results-anew' && found
      ? await clusterAgain(storage, request, map, found, tools, detect)
      : await adjustMap(storage, map, (language) => tools.load(language), detect, found)
          .catch((error: unknown) => refusalOf(error, request))
          .finally(() => tools.end());
  if ('refusal' in made) return made;
  const { added, ...adjusted } = made;
  if (added?.added === 0) return { refusal: { code: 'list/no-results-of-map' } };
  return {
    method: 'columns',
    ...adjusted,
    ...(lists && { report: reportOf(lists) }),
    warnings: [
      ...(lists ? listWarnings(lists).map(({ warning }) => warning) : []),
      ...(added ? [resultsAdded(added)] : []),
      ...tools.warnings,
    ],
  };
}

/** Adds search results to a map and clusters all its keywords by them. */
async function clusterAgain(
  storage: Storage,
  request: ClusteringRequest,
  base: NonNullable<ClusteringRequest['map']>,
  found: FoundResults,
  tools: ToolsOfJob,
  detect?: DetectLanguages,
) {
  const map = await readAdjusted(storage, base, found);
  if ('refusal' in map) return map;
  const language = request.settings.language ?? (await languageOf(map.texts, undefined, detect));
  const planned = await planAgain(map, { ...choicesOf(request.settings), language }, () => {
    demandMemory(map.texts.length, request.memoryBytes);
    return tools.load(language);
  })
    .catch((error: unknown) => refusalOf(error, request))
    .finally(() => tools.end());
  if ('refusal' in planned) return planned;
  const report: DraftReport = { rows: map.texts.length, keywords: map.texts.length, repeats: 0, files: [] };
  const draft = { ...storedDraftOf(planned, map.name), fieldMap: base.fieldMap };
  return { draft, method: planned.method, report, added: map.added };
}

async function clusterLists(
  storage: Storage,
  request: ClusteringRequest,
  report: Report,
  detect?: DetectLanguages,
): Promise<Made | { readonly refusal: Refusal }> {
  const lists = await listsIn(storage, request);
  if ('refusal' in lists) return lists;
  const { settings } = request;
  report({ stage: 'variants' });
  const market = settings.market ?? lists.files[0]!.reading.market;
  const guess = settings.language === undefined ? await guessLanguage(lists.keywords.text, market, detect) : undefined;
  const language = guess?.language ?? settings.language!;
  const tools = toolsFor(request, report);
  const loadTools = async (): Promise<ClusterTools> => {
    const keywords = lists.keywords.text.length;
    demandMemory(keywords, request.memoryBytes);
    // Not before: lists with all their groups skip most stages, so the number would make estimates far too long.
    report({ stage: 'variants', keywords });
    return tools.load(language);
  };
  const map = request.map && (await readAdjusted(storage, request.map));
  if (map && 'refusal' in map) return map;
  const planning: Promise<PlannedMap & Partial<Pick<PlannedUpdate, 'counts'>>> = map
    ? planUpdate(lists, withMeanings(map, request.map!.fieldMap ?? {}), language, loadTools)
    : planMap(lists, { ...choicesOf(settings), language }, loadTools);
  const planned = await planning.catch((error: unknown) => refusalOf(error, request)).finally(() => tools.end());
  if ('refusal' in planned) return planned;
  const ofUpdate = map && planned.counts ? updateWarnings(lists, map, planned.counts) : [];
  // Columns group keywords of any language.
  const guessed = guess && !guess.isSure && planned.method !== 'columns' ? guess.language : undefined;
  return {
    draft: storedDraftOf(planned, map ? map.name : request.name, map !== undefined),
    method: planned.method,
    report: reportOf(lists),
    warnings: [...listWarnings(lists).map(({ warning }) => warning), ...tools.warnings, ...ofUpdate],
    questions: listQuestions(lists, lists.corrections, { market: settings.market, guessed, ofUpdate }),
  };
}

function toolsFor({ settings, modelFolder, vectors }: ClusteringRequest, report: Report): ToolsOfJob {
  const own: ModelChoice = modelFolder === undefined ? 'built-in' : { folder: modelFolder };
  return new ToolsOfJob(settings.model === 'none' ? 'none' : own, report, availableTools, vectors);
}

async function listsIn(
  storage: Storage,
  request: ClusteringRequest,
): Promise<CorrectedLists | { readonly refusal: Refusal }> {
  const lists = await readStored(storage, request).catch((error: unknown) => {
    if (error instanceof ListsTooLarge) return { tooLarge: mergingNeeds(error.bytes) };
    throw error;
  });
  if ('tooLarge' in lists) return { refusal: tooLittleMemory(lists.tooLarge, request) };
  return 'refusal' in lists ? { refusal: codedRefusal(lists.refusal) as Refusal } : lists;
}

async function readStored(
  storage: Storage,
  { lists, settings, memoryBytes, remembered }: ClusteringRequest,
): Promise<CorrectedLists | ListRefusal> {
  const opened: StoredBytes[] = [];
  try {
    const files: ListFile[] = [];
    for (const { key, name, checksum, corrections } of lists) {
      const source = await storage.open(key).catch((cause: unknown) => {
        throw new StorageUnreadable(cause);
      });
      opened.push(source);
      if (checksum !== null) for await (const _ of unchangedBlocks(storage, key, checksum));
      const used = remembered ? await recallCorrections({ name, source }, corrections, remembered) : corrections;
      files.push({ name, source, corrections: used as Corrections });
    }
    const read = await readLists(files, { market: settings.market, maxBytes: mergingBytes(memoryBytes) });
    const filtered = 'refusal' in read || !settings.filter ? read : withoutUnwanted(read, settings.filter);
    const used = files.map((file) => (file.corrections ?? {}) as ListCorrectionsShape);
    return 'refusal' in filtered ? filtered : { ...filtered, corrections: used };
  } finally {
    await Promise.all(opened.map((source) => source.close()));
  }
}

/** The corrections of the last list with this header, if this one has none of its own. */
async function recallCorrections(
  file: ListFile,
  corrections: ListCorrectionsShape,
  remembered: NonNullable<ClusteringRequest['remembered']>,
): Promise<ListCorrectionsShape> {
  if (Object.keys(corrections).length > 0) return corrections;
  const reading = await recognise(file);
  if ('code' in reading || !reading.header) return corrections;
  const hash = createHash('sha256').update(JSON.stringify(reading.header.names)).digest('hex');
  return remembered[hash] ?? corrections;
}

/** The lists after the filter that a person set. One that leaves nothing is refused. */
function withoutUnwanted(lists: ReadLists, filter: KeywordFilterShape): ReadLists | ListRefusal {
  const filtered = filteredLists(lists, filter);
  if (filtered.counts.kept > 0) return filtered.lists;
  return { file: lists.files[0]!.name, refusal: { code: 'all-left-out' } };
}

/** What a person chose, in the terms of the clustering. */
function choicesOf(settings: DraftSettings): Omit<MapChoices, 'name' | 'language'> {
  const { preset, stop, levels, grouping, results, smallestCluster, pillars, splitsOther } = settings;
  return {
    preset,
    grouping,
    ...(splitsOther && { splitsOther }),
    ...(stop !== undefined && { stop }),
    ...(levels !== undefined && { shape: levels === 2 ? 'pages' : 'nested' }),
    ...(results !== undefined && { results }),
    ...(smallestCluster !== undefined && { smallestCluster }),
    ...(pillars !== undefined && { pillars }),
  };
}

const mib = (bytes: number): number => Math.ceil(bytes / 2 ** 20);

const tooLittleMemory = (needed: number, { memoryBytes }: ClusteringRequest): Refusal => ({
  code: 'draft/memory',
  params: { needed: mib(needed), allowed: mib(memoryBytes) },
});

function refusalOf(error: unknown, request: ClusteringRequest): { readonly refusal: Refusal } {
  if (error instanceof UnusableModel) return { refusal: error.refusal };
  if (error instanceof NoSuchColumnError)
    return { refusal: { code: 'list/no-such-column', params: { column: error.column } } };
  if (error instanceof TooManyKeywords) return { refusal: tooLittleMemory(error.needed, request) };
  throw error;
}

const reportOf = ({ report: { rows, keywords, repeats }, files }: ReadLists): DraftReport => ({
  rows,
  keywords,
  repeats,
  files: files.map(({ name, reading, report: read }) => ({
    name,
    vendor: reading.vendor,
    rows: read.rows,
    unreadable: read.unreadable,
    footers: read.footers.length,
    ...(reading.exported && { exported: reading.exported }),
    problems: read.problems.map(({ line, reason, text }) => ({ line, reason, text })),
  })),
});
