import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { makeMap, NoSuchColumnError } from '@kc/cluster/lists/make-map';
import { type ListFile, type ListRefusal, type ReadLists, readLists, recognise } from '@kc/cluster/lists/read-lists';
import type { ClusterProgress, ClusterTools } from '@kc/cluster/pipeline/cluster';
import { say } from '@kc/rules/messages';
import { availableTools } from '../clustering/cluster-tools.ts';
import { languageName, languageOf } from '../clustering/language.ts';
import { type ClusterOptions, readOptions, usage } from './cluster-options.ts';
import { replaceFile, sourceOf } from './files.ts';
import { problemText, refusalText } from './list-texts.ts';

// npm run cluster -- FILE… OUT.json: makes a map of keyword lists, without a server.

/** Exit status: 0, 1 for lists that cannot be read, 2 for wrong options, 3 for a fault of the machine. */
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
    return options.isDryRun ? await showReadings(options) : await clusterFiles(options);
  } catch (error) {
    complain(messageOf(error));
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
  for (const warning of warningsOf(lists)) complain(warning);
  const { keywords, report } = lists;
  const language = options.language ?? languageOf(keywords.text, lists.files[0]!.reading.market);
  const map = await makeMap(lists, { ...options.choices, language, name: options.name ?? nameOf(options.files) }, () =>
    toolsOf(options, language, progress),
  );
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
    seconds: Math.round((performance.now() - started) / 100) / 10,
    peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
  };
  (options.out === '-' ? process.stderr : process.stdout).write(`${JSON.stringify(summary)}\n`);
  return 0;
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

function warningsOf({ files }: ReadLists): string[] {
  return files.flatMap(({ name, reading, report }) => {
    const warnings = report.problems.map(({ line, reason, text }) => `line ${line}: ${problemText(reason)}: ${text}`);
    if (report.unreadable > 0)
      warnings.push(
        say('list/unreadable', { count: shown(report.unreadable), rows: shown(report.rows + report.unreadable) }),
      );
    if (report.cutAfter !== undefined) warnings.push(say('list/cut', { rows: shown(report.cutAfter) }));
    for (const note of reading.notes)
      if (note.code === 'summary-of-clusters') warnings.push(say('list/summary', { column: note.column }));
    return warnings.map((warning) => `${name}: ${warning}`);
  });
}

function refuse({ file, refusal }: ListRefusal): 1 {
  complain(`${file}: ${refusalText(refusal)}`);
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

const shown = (count: number): string => count.toLocaleString('en-US');
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

process.exitCode = await run(process.argv.slice(2));
