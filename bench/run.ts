/**
 * npm run bench [-- [--rounds=n] [words…]]: measures every contender whose case and name together contain all words of
 * one of the arguments, or all contenders: `slice 'render 1000000 treemap'`. One JSON line per case.
 *
 * Cases are what the files beside this one export as `cases`. Each run of each contender is a new process (`--measure
 * file case contender`), contenders take turns, and medians are compared: `ratio` is the processor time of a contender
 * divided by ours. See README.md.
 */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureLoops } from '../tools/wasm-loops.ts';
import type { BenchCase, Figures } from './bench-case.ts';

const here = new URL('.', import.meta.url);
const thisFile = fileURLToPath(import.meta.url);

if (process.argv[2] === '--measure') await measureOne(process.argv[3]!, process.argv[4]!, process.argv[5]!);
else await runCases(process.argv.slice(2));

async function runCases(args: readonly string[]): Promise<void> {
  const wanted = args.filter((arg) => !arg.startsWith('--'));
  const rounds = args.find((arg) => arg.startsWith('--rounds='))?.slice('--rounds='.length);
  ensureLoops();
  for (const file of await caseFiles()) {
    for (const benchCase of await casesOf(file)) {
      const contenders = benchCase.contenders.filter(({ name }) => isWanted(`${benchCase.name} ${name}`, wanted));
      if (contenders.length === 0) continue;
      await benchCase.prepare?.();
      console.log(
        JSON.stringify(await runCase(file, { ...benchCase, contenders, rounds: Number(rounds ?? benchCase.rounds) })),
      );
    }
  }
}

/** Whole words, so that 1000000 is not 10000000. */
function isWanted(text: string, wanted: readonly string[]): boolean {
  const words = wordsOf(text);
  return wanted.length === 0 || wanted.some((argument) => wordsOf(argument).every((word) => words.includes(word)));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/[^a-z0-9-]+/);
}

async function runCase(file: string, benchCase: BenchCase) {
  const runs = new Map<string, Figures[]>(benchCase.contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < benchCase.rounds; round++) {
    for (const [name, figures] of runs) figures.push(await measureInProcess(file, benchCase, name));
  }
  const medians = new Map([...runs].map(([name, figures]) => [name, medianOf(figures)]));
  const [ours, ...peers] = [...medians].map(([name, figures]) => ({ name, ...figures }));
  const ratio = Object.fromEntries(peers.map(({ name, cpuMs }) => [name, round(cpuMs / ours!.cpuMs)]));
  return {
    case: benchCase.name,
    rounds: benchCase.rounds,
    ratio,
    figures: Object.fromEntries([...medians].map(([name, figures]) => [name, shown(figures, benchCase.bytes)])),
  };
}

async function measureInProcess(file: string, benchCase: BenchCase, contender: string): Promise<Figures> {
  const own = benchCase.contenders.find(({ name }) => name === contender)?.process;
  const { execArgv = [], env = {} } = own ?? benchCase.process ?? {};
  const args = [...execArgv, thisFile, '--measure', file, benchCase.name, contender];
  const options = { maxBuffer: 1 << 24, env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout.trim().split('\n').at(-1)!);
}

async function measureOne(file: string, caseName: string, contenderName: string): Promise<void> {
  const benchCase = (await casesOf(file)).find(({ name }) => name === caseName);
  const contender = benchCase?.contenders.find(({ name }) => name === contenderName);
  if (!contender) throw new Error(`No contender ${contenderName} in ${caseName} of ${file}`);
  console.log(JSON.stringify(await contender.measure()));
}

async function caseFiles(): Promise<string[]> {
  const names = await readdir(here);
  return names.filter((name) => /^(?!run\.|.*\.test\.).*\.ts$/u.test(name)).sort();
}

async function casesOf(file: string): Promise<readonly BenchCase[]> {
  const module: { cases?: readonly BenchCase[] } = await import(new URL(file, here).href);
  return module.cases ?? [];
}

/** The median of each figure by itself, over the runs that have it. */
function medianOf(runs: readonly Figures[]): Figures {
  const names = new Set(runs.flatMap((figures) => Object.keys(figures)));
  const given = (name: string) => runs.map((figures) => figures[name]).filter((value) => value !== undefined);
  return Object.fromEntries([...names].map((name) => [name, median(given(name))])) as Figures;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function shown(figures: Figures, bytes: number | undefined): Record<string, number> {
  const rounded = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, round(value)]));
  return bytes === undefined ? rounded : { mbPerCpuSecond: round(bytes / 1000 / figures.cpuMs), ...rounded };
}

function round(value: number): number {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}
