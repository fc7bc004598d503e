import { type FileHandle, open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { draftJson } from '@kc/cluster/draft/draft-json';
import type { DraftState } from '@kc/cluster/draft/draft-state';
import { branchList, splitBranch } from '@kc/cluster/draft/split';
import { NoSuchColumnError } from '@kc/cluster/lists/grouping-choice';
import { filteredLists } from '@kc/cluster/lists/keyword-filter';
import { codedRefusal, codeOfProblem } from '@kc/cluster/lists/list-refusal';
import { countsOf, type KeywordMap, makeMap, mapJson } from '@kc/cluster/lists/make-map';
import { choicesOfMap, planUpdate } from '@kc/cluster/lists/plan-update';
import { type ListFile, type ListRefusal, type ReadLists, readLists, recognise } from '@kc/cluster/lists/read-lists';
import { MapError } from '@kc/cluster/map/map-entries';
import { readMap } from '@kc/cluster/map/read-map';
import {
  type ClusterProgress,
  type ClusterTools,
  divide,
  listSettingsOf,
  prepareList,
} from '@kc/cluster/pipeline/cluster';
import { say, sayRefusal } from '@kc/rules/all-messages';
import type { Refusal } from '@kc/rules/result';
import { availableTools, ToolsOfJob } from '../clustering/cluster-tools.ts';
import { demandMemory, TooManyKeywords } from '../clustering/clustering-memory.ts';
import { languageOf } from '../clustering/language.ts';
import { listWarnings, readingNotes, refusalOfMap, updateWarnings } from '../clustering/list-warnings.ts';
import { UnusableModel } from '../clustering/static-model.ts';
import { bytesOf } from '../storage/disk.ts';
import { type ClusterOptions, readOptions, usage } from './cluster-options.ts';
import { demandWritable, replaceFile } from './files.ts';

/**
 * `npm run cluster -- FILE… OUT.json`: makes a map of keyword lists, without a server.
 *
 * @returns the exit status: 0, 1 for lists or maps that cannot be used, 2 for wrong options, 3 for a fault of the machine
 */
export async function clusterLists(args: readonly string[]): Promise<0 | 1 | 2 | 3> {
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return 0;
  }
  let options: ClusterOptions;
  try {
    options = readOptions(args);
  } catch (error) {
    complain(`${messageOf(error)}\n\n${usage}`);
    return 2;
  }
  try {
    if (options.isDryRun) return await showReadings(options);
    for (const target of [options.out, options.report]) {
      if (target !== undefined && target !== '-') await demandWritable(target);
    }
    return options.split ? await splitMap(options, options.split) : await clusterFiles(options);
  } catch (error) {
    if (error instanceof TooManyKeywords) {
      complain(
        `Clustering this list needs about ${mib(error.needed)} MiB of memory, and --memory allows ${mib(options.memoryBytes)} MiB.`,
      );
      return 1;
    }
    const refusal = refusalOfFault(error);
    complain(refusal ? sayRefusal(refusal) : messageOf(error));
    if (refusal) return 1;
    return error instanceof NoSuchColumnError || error instanceof NoSuchChoice ? 2 : 3;
  }
}

/** A mistake in the input, as opposed to a fault of the machine. */
function refusalOfFault(error: unknown): Refusal | undefined {
  if (error instanceof UnusableModel) return error.refusal;
  return error instanceof MapError ? refusalOfMap(error) : undefined;
}

async function showReadings(options: ClusterOptions): Promise<0 | 1> {
  const readings = await withFiles(options.files, (files) =>
    Promise.all(files.map(async (file) => ({ file: file.name, ...(await recognise(file, options)) }))),
  );
  demandWorkbook(readings, options);
  process.stdout.write(`${JSON.stringify(readings, undefined, 2)}\n`);
  return readings.some((reading) => 'code' in reading) ? 1 : 0;
}

async function clusterFiles(options: ClusterOptions): Promise<0 | 1> {
  const started = performance.now();
  const progress = options.isQuiet ? () => undefined : progressLines();
  const read = await withFiles(options.files, (files) => readLists(files, options));
  if ('refusal' in read) return refuse(read);
  const { lists, counts } = filteredLists(read, options.filter);
  if (counts.kept === 0) return refuse({ file: options.files[0]!, refusal: { code: 'all-left-out' } });
  demandWorkbook(
    lists.files.map(({ reading }) => reading),
    options,
  );
  demandColumns(lists, options.meanings.keys());
  for (const warning of warningLines(lists)) complain(warning);
  const { keywords, report } = lists;
  if (options.choices.results && !keywords.results) {
    complain('--type needs result URLs, and these lists have none. Leave it out, or name their column with --map.');
    return 1;
  }
  const language = options.language ?? (await languageOf(keywords.text, lists.files[0]!.reading.market));
  const tools = toolsFor(options, progress);
  const loadTools = () => {
    demandMemory(keywords.text.length, options.memoryBytes);
    return tools.load(language);
  };
  const name = options.name ?? nameOf(options.files);
  const map: KeywordMap & { readonly update?: object } = options.update
    ? await updatedMap(options.update, lists, language, loadTools)
    : await makeMap(lists, { ...options.choices, language, name }, loadTools);
  for (const warning of tools.warnings) complain(sayRefusal(warning));
  await write(options.out, map.json);
  if (options.report !== undefined) await write(options.report, [reportOf(lists, tools.warnings)]);
  const summary = {
    rows: report.rows,
    keywords: keywords.text.length,
    merged: report.repeats,
    leftOut: counts.belowVolume + counts.withWords,
    method: map.method,
    language,
    pillars: map.pillars,
    clusters: map.clusters,
    strays: map.strays,
    ...map.update,
    seconds: Math.round((performance.now() - started) / 100) / 10,
    peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
  };
  (options.out === '-' ? process.stderr : process.stdout).write(`${JSON.stringify(summary)}\n`);
  return 0;
}

/** What an option chooses is in none of the lists. */
class NoSuchChoice extends Error {}

/** @throws NoSuchChoice for `--sheet` if no list is a workbook: it would have no effect */
function demandWorkbook(readings: readonly object[], { corrections: { sheet } }: ClusterOptions): void {
  if (sheet === undefined || readings.some((reading) => 'code' in reading || 'sheets' in reading)) return;
  throw new NoSuchChoice(`--sheet names the sheet "${sheet}", and no list is a workbook: leave it out.`);
}

/** @throws NoSuchChoice for a header of `--map` that no list has */
function demandColumns({ files }: ReadLists, headers: Iterable<string>): void {
  const known = new Set(files.flatMap(({ reading }) => reading.columns.map(({ name }) => name)));
  for (const header of headers) {
    if (known.has(header)) continue;
    const columns = [...known].join(', ');
    throw new NoSuchChoice(`--map names the column "${header}", which no list has. The columns are: ${columns}.`);
  }
}

/** How lists were read: for programs, and to look up rows that were left out. */
function reportOf(lists: ReadLists, aboutModel: readonly Refusal[]): Uint8Array {
  const { report, files, repeated } = lists;
  const warnings = [
    ...notesOn(lists).map(({ file, warning }) => ({ file, ...warning, text: sayRefusal(warning) })),
    ...aboutModel.map((warning) => ({ ...warning, text: sayRefusal(warning) })),
  ];
  const { rows, keywords, repeats: merged } = report;
  return Buffer.from(`${JSON.stringify({ rows, keywords, merged, files, repeated, warnings }, undefined, 2)}\n`);
}

const notesOn = (lists: ReadLists) => [...listWarnings(lists), ...readingNotes(lists)];

const toolsFor = ({ model, runtime }: ClusterOptions, onProgress: (progress: ClusterProgress) => void): ToolsOfJob =>
  new ToolsOfJob(model, onProgress, (wanted) => availableTools(wanted, runtime));

/** Puts lists into the clusters of a map. The root keeps its name, from which all addresses begin. */
async function updatedMap(
  path: string,
  lists: ReadLists,
  language: string,
  loadTools: () => Promise<ClusterTools>,
): Promise<KeywordMap & { readonly update: object }> {
  const map = readMap(await readFile(path, 'utf8'));
  const planned = await planUpdate(lists, map, language, loadTools);
  for (const warning of updateWarnings(lists, map, planned.counts)) complain(sayRefusal(warning));
  return {
    method: 'text',
    ...countsOf(planned.state),
    json: mapJson(planned, planned.state, map.name),
    update: planned.counts,
  };
}

/** Divides one branch of a map. */
async function splitMap(options: ClusterOptions, path: readonly string[]): Promise<0 | 1> {
  const map = readMap(await readFile(options.files[0]!, 'utf8'));
  const branch = topicAt(map.state, path);
  if (branch < 0) {
    complain(say('list/no-branch', { path: path.join(' > ') }));
    return 1;
  }
  const list = branchList(map, branch);
  const language = options.language ?? (await languageOf(list.texts, undefined));
  const { preset, stop, smallestCluster } = options.choices;
  const settings = listSettingsOf({
    // Another preset has values of its own.
    ...(!preset && choicesOfMap(map.clustering)),
    language,
    ...(preset && { preset }),
    ...(stop && { stop }),
    ...(smallestCluster && { smallestCluster }),
  });
  const progress = options.isQuiet ? () => undefined : progressLines();
  const tools = toolsFor(options, progress);
  demandMemory(list.texts.length, options.memoryBytes);
  const prepared = await prepareList(list, settings, await tools.load(language));
  for (const warning of tools.warnings) complain(sayRefusal(warning));
  const tree = divide(list, prepared, settings, progress);
  const state = splitBranch(map, branch, tree);
  await write(options.out, draftJson({ ...map, state }));
  const summary = { keywords: map.texts.length, divided: list.texts.length, ...countsOf(state) };
  (options.out === '-' ? process.stderr : process.stdout).write(`${JSON.stringify(summary)}\n`);
  return 0;
}

/** The topic with these names from below the root down; −1 if there is none. */
function topicAt({ topics }: DraftState, path: readonly string[]): number {
  return path.reduce<number>(
    (parent, name, depth) =>
      depth > 0 && parent < 0 ? -1 : topics.findIndex((topic) => topic.parent === parent && topic.name === name),
    -1,
  );
}

/** Opens files for as long as the work takes. */
async function withFiles<Result>(
  paths: readonly string[],
  work: (files: ListFile[]) => Promise<Result>,
): Promise<Result> {
  const handles: FileHandle[] = [];
  try {
    const files: ListFile[] = [];
    for (const path of paths) {
      const handle = await open(path);
      handles.push(handle);
      files.push({ name: basename(path), source: await bytesOf(handle) });
    }
    return await work(files);
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

async function write(out: string, json: Iterable<Uint8Array>): Promise<void> {
  if (out === '-') {
    for (const block of json) process.stdout.write(block);
    return;
  }
  await replaceFile(out, async (handle) => {
    for (const block of json) await handle.writeFile(block);
  });
}

/** A line at the start of each stage, and one for each tenth of a stage that counts. */
function progressLines(): (progress: ClusterProgress) => void {
  let last = '';
  return ({ stage, done, total }) => {
    const share = total ? ` ${Math.floor((10 * (done ?? 0)) / total)}0%` : '';
    const line = `${stage}${share}`;
    if (line !== last) complain(line);
    last = line;
  };
}

/** The rows that could not be read, and what a person should know. */
function warningLines(lists: ReadLists): string[] {
  return [
    ...lists.files.flatMap(({ name, report }) =>
      report.problems.map(
        ({ line, reason, text }) => `${name}: line ${line}: ${sayRefusal({ code: codeOfProblem(reason) })}: ${text}`,
      ),
    ),
    ...notesOn(lists).map(({ file, warning }) => `${file}: ${sayRefusal(warning)}`),
  ];
}

function refuse({ file, refusal }: ListRefusal): 1 {
  complain(`${file}: ${sayRefusal(codedRefusal(refusal))}`);
  return 1;
}

/** What the names of the files have in common, without tool, market and day. */
function nameOf(files: readonly string[]): string {
  const [first = ''] = files.map((file) => basename(file).replace(/\.[^.]+$/u, ''));
  const short = first.replace(
    /_(?:broad|phrase|exact|related)-match.*$|_clustered.*$|-(?:organic|adwords)\.[a-z]+-[a-z]{2}-.*$|[-_ ]\d{4}-?\d{2}-?\d{2}.*$/iu,
    '',
  );
  return short.replaceAll(/[_-]+/gu, ' ').trim() || first;
}

const mib = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}
