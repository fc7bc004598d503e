import { type FileHandle, open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { draftJson } from '@kc/cluster/draft/draft-json';
import type { DraftState } from '@kc/cluster/draft/draft-state';
import { NoSuchColumnError } from '@kc/cluster/lists/grouping-choice';
import { codedRefusal, codeOfProblem } from '@kc/cluster/lists/list-refusal';
import { countsOf, type KeywordMap, makeMap, mapJson } from '@kc/cluster/lists/make-map';
import { planUpdate } from '@kc/cluster/lists/plan-update';
import { type ListFile, type ListRefusal, type ReadLists, readLists, recognise } from '@kc/cluster/lists/read-lists';
import { MapError } from '@kc/cluster/map/map-error';
import { readMap } from '@kc/cluster/map/read-map';
import {
  type ClusterProgress,
  type ClusterTools,
  divide,
  listSettingsOf,
  prepareList,
} from '@kc/cluster/pipeline/cluster';
import { branchList, splitBranch } from '@kc/cluster/update/split-branch';
import { say, sayRefusal } from '@kc/rules/all-messages';
import { availableTools } from '../clustering/cluster-tools.ts';
import { languageName, languageOf } from '../clustering/language.ts';
import { listWarnings } from '../clustering/list-warnings.ts';
import { type ClusterOptions, readOptions, usage } from './cluster-options.ts';
import { replaceFile, sourceOf } from './files.ts';

// npm run cluster -- FILE… OUT.json: makes a map of keyword lists, without a server.

/** Exit status: 0, 1 for lists or maps that cannot be used, 2 for wrong options, 3 for a fault of the machine. */
async function run(args: readonly string[]): Promise<0 | 1 | 2 | 3> {
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
    return options.split ? await splitMap(options, options.split) : await clusterFiles(options);
  } catch (error) {
    complain(messageOf(error));
    if (error instanceof MapError) return 1;
    return error instanceof NoSuchColumnError ? 2 : 3;
  }
}

async function showReadings(options: ClusterOptions): Promise<0 | 1> {
  const readings = await withFiles(options.files, (files) =>
    Promise.all(files.map(async (file) => ({ file: file.name, ...(await recognise(file, options)) }))),
  );
  process.stdout.write(`${JSON.stringify(readings, undefined, 2)}\n`);
  return readings.some((reading) => 'code' in reading) ? 1 : 0;
}

async function clusterFiles(options: ClusterOptions): Promise<0 | 1> {
  const started = performance.now();
  const progress = options.isQuiet ? () => undefined : progressLines();
  const lists = await withFiles(options.files, (files) => readLists(files, options));
  if ('refusal' in lists) return refuse(lists);
  for (const warning of warningLines(lists)) complain(warning);
  const { keywords, report } = lists;
  if (options.choices.results && !keywords.results) {
    complain('--type needs result URLs, and these lists have none. Leave it out, or name their column with --map.');
    return 1;
  }
  const language = options.language ?? languageOf(keywords.text, lists.files[0]!.reading.market);
  const loadTools = () => toolsOf(options, language, progress);
  const name = options.name ?? nameOf(options.files);
  const map: KeywordMap & { readonly update?: object } = options.update
    ? await updatedMap(options.update, lists, language, loadTools)
    : await makeMap(lists, { ...options.choices, language, name }, loadTools);
  await write(options.out, map.json);
  const summary = {
    rows: report.rows,
    keywords: report.keywords,
    merged: report.repeats,
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

/** Puts lists into the clusters of a map. The root keeps its name, from which all addresses begin. */
async function updatedMap(
  path: string,
  lists: ReadLists,
  language: string,
  loadTools: () => Promise<ClusterTools>,
): Promise<KeywordMap & { readonly update: object }> {
  const map = readMap(await readFile(path, 'utf8'));
  const planned = await planUpdate(lists, map, language, loadTools);
  const { added, gone, uncertain, newClusters } = planned.review;
  if (2 * gone.length > map.texts.length) complain(say('list/other-list', { name: map.name }));
  const update = {
    new: added.length,
    gone: gone.length,
    uncertain: uncertain.length,
    newClusters: newClusters.length,
  };
  return { method: 'text', ...countsOf(planned.state), json: mapJson(planned, planned.state, map.name), update };
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
  const language = options.language ?? languageOf(list.texts, undefined);
  const { preset, stop, smallestCluster } = options.choices;
  const settings = listSettingsOf({
    language,
    ...(preset && { preset }),
    ...(stop && { stop }),
    ...(smallestCluster && { smallestCluster }),
  });
  const progress = options.isQuiet ? () => undefined : progressLines();
  const tools = await toolsOf(options, language, progress);
  const tree = divide(list, await prepareList(list, settings, tools), settings, progress);
  const state = splitBranch(map, branch, tree);
  const { texts, volume, fields, clustering } = map;
  await write(options.out, draftJson({ name: map.name, texts, volume, fields, state, clustering }));
  const summary = { keywords: texts.length, divided: list.texts.length, ...countsOf(state) };
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
      files.push({ name: basename(path), source: await sourceOf(handle) });
    }
    return await work(files);
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

/** Without an encoder that knows the language, keywords are grouped by wording, which is said. */
async function toolsOf(
  { usesModel }: ClusterOptions,
  language: string,
  onProgress: (progress: ClusterProgress) => void,
): Promise<ClusterTools> {
  const { neighbours, encoder } = await availableTools();
  if (usesModel && !encoder) complain(say('list/no-model'));
  if (usesModel && encoder && !encoder.languages.includes(language))
    complain(say('list/by-wording', { language: languageName(language) }));
  return { encoder: usesModel ? encoder : undefined, neighbours, onProgress };
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
    ...listWarnings(lists).map(({ file, warning }) => `${file}: ${sayRefusal(warning)}`),
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
    /_(?:broad|phrase|exact|related)-match.*$|_clustered.*$|[-_ ]\d{4}-?\d{2}-?\d{2}.*$/iu,
    '',
  );
  return short.replaceAll(/[_-]+/gu, ' ').trim() || first;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

process.exitCode = await run(process.argv.slice(2));
