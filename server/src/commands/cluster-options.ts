import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { granularityStops } from '@kc/cluster/hierarchy/settings';
import type { KeywordFilter } from '@kc/cluster/lists/keyword-filter';
import type { MapChoices } from '@kc/cluster/lists/make-map';
import { type Corrections, type Encoding, encodings, type Meaning, meanings } from '@kc/cluster/read/reading';
import { presets, sharings } from '@kc/pack/vocabulary/choices';
import { languageCode, marketCode } from '@kc/rules/draft-shapes';
import { optionForms } from '@kc/rules/import-api';
import type { ModelChoice } from '../clustering/cluster-tools.ts';
import { type RuntimeKind, runtimeKinds } from '../clustering/model-runtime.ts';

export const usage = `Usage: npm run cluster -- FILE… OUT.json [options]
Makes a map of keyword lists: CSV, TSV, TXT or XLSX files. "-" as OUT writes to standard output.

  --preset page|balanced|broad     how finely keywords are grouped (balanced)
  --granularity 1-${granularityStops}                instead of the preset's
  --levels 2|3                     pillar topics and clusters, or subtopics in clusters, too
  --smallest N                     keywords of the smallest cluster
  --pillars N                      number of pillar topics
  --group auto|none|"A,B"          by grouping columns of the file, from the top level down (auto)
  --group by-page|by-folder[:1-3]  by the URLs of keywords: their pages, or so many levels of folders (1)
  --type smart|soft|moderate|hard  by shared result URLs
  --min-shared N                   URLs that keywords share at least, 1 to 10 (3)
  --results N                      results that count for each keyword (10)
  --map "Header=meaning"           corrects the meaning of a column; may be repeated
  --encoding E, --delimiter tab|comma|semicolon|pipe|columns|lines|figures, --header LINE (0: none)
  --sheet NAME                     of a workbook, instead of the first with keywords
  --market CODE, --lang CODE       instead of what is recognised
  --zero-cpc unknown               a CPC of 0 is unknown
  --ctr share|percent              what a click rate or a difficulty of 0.5 is, where the file does not tell: 50 % or 0.5 % (share)
  --three-digits thousands|decimals  what 1.234 is, where the file does not tell
  --dates day-first|month-first    where the dates do not tell
  --months oldest-first|newest-first  what "Month 1" is (oldest-first)
  --empty-groups                   does not fill empty cells of groups that are written once; their rows and headings are keywords
  --filled-groups                  reads rows and lines that may be the groups of others as such
  --min-volume N                   leaves keywords with a lower volume out
  --leave-out "A,B"                leaves keywords with these words or phrases out
  --brands "A,B"                   marks keywords with these words in the column "Branded"
  --model builtin|none|DIR         the language model, wording alone, or the model in a folder (builtin)
  --runtime native|wasm            what runs the model; by default native code, or WebAssembly where it cannot run
  --memory MIB                     refuses a list that needs about more memory to be clustered
  --seed N                         of chance (1); equal seeds give equal maps
  --name TEXT                      of the map
  --update OLD.json                next month's lists: keeps what the map has, and clusters only what is new
  --split "Path > Of > Branch"     divides one branch of a map, which is the only FILE
  --report REPORT.json             writes how the files were read, and which rows were not
  --dry-run                        prints how the files are read, and writes nothing
  --quiet                          prints no progress
  --help                           prints this
`;

export type ClusterOptions = {
  readonly files: readonly string[];
  readonly out: string;
  readonly corrections: Corrections;
  readonly meanings: ReadonlyMap<string, Meaning>;
  readonly choices: Omit<MapChoices, 'name' | 'language'>;
  readonly filter: KeywordFilter;
  readonly name: string | undefined;
  readonly language: string | undefined;
  /** The map that the lists are next month's export of. */
  readonly update: string | undefined;
  /** The names from below the root down to a branch. */
  readonly split: readonly string[] | undefined;
  /** Where a report of the reading is written. */
  readonly report: string | undefined;
  readonly model: ModelChoice;
  /** What runs the model; by default the fastest that can be loaded. */
  readonly runtime: RuntimeKind | undefined;
  /** What clustering may take, in bytes. */
  readonly memoryBytes: number;
  readonly isDryRun: boolean;
  readonly isQuiet: boolean;
};

const delimiterOf: ReadonlyMap<string, NonNullable<Corrections['delimiter']>> = new Map([
  ['tab', '\t'],
  ['comma', ','],
  ['semicolon', ';'],
  ['pipe', '|'],
  ['columns', 'columns'],
  ['lines', 'lines'],
  ['figures', 'figures'],
]);
/** What a map is not called. */
const listEndings: ReadonlySet<string> = new Set(['.csv', '.tsv', '.txt', '.xlsx', '.jsonl', '.ndjson']);
const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const options = {
  preset: text,
  granularity: text,
  levels: text,
  seed: text,
  smallest: text,
  pillars: text,
  group: text,
  type: text,
  'min-shared': text,
  results: text,
  map: { type: 'string', multiple: true },
  encoding: text,
  delimiter: text,
  header: text,
  market: text,
  'zero-cpc': text,
  ctr: text,
  'three-digits': text,
  dates: text,
  months: text,
  'empty-groups': flag,
  'filled-groups': flag,
  'min-volume': text,
  'leave-out': text,
  brands: text,
  lang: text,
  model: text,
  runtime: text,
  memory: text,
  name: text,
  update: text,
  split: text,
  sheet: text,
  report: text,
  'dry-run': flag,
  quiet: flag,
} as const;

const parse = (args: readonly string[]) => parseArgs({ args: [...args], allowPositionals: true, options });
type Values = ReturnType<typeof parse>['values'];

/** @throws TypeError for an unknown option, RangeError for a value that an option does not take */
export function readOptions(args: readonly string[]): ClusterOptions {
  const { positionals, values } = parse(args);
  demandValues(values);
  const isDryRun = values['dry-run'] ?? false;
  const out = isDryRun && positionals.length === 1 ? '-' : positionals.at(-1);
  const files = isDryRun && positionals.length === 1 ? positionals : positionals.slice(0, -1);
  if (out === undefined || files.length === 0)
    throw new RangeError('There must be at least one list, and a file to write');
  // Whoever forgets OUT would lose the last list.
  if (!isDryRun && listEndings.has(extname(out).toLowerCase()))
    throw new RangeError(`The file to write comes last, and is no list: ${out} would be replaced by the map`);
  const preset = oneOf('--preset', values.preset, presets);
  const stop = wholeNumber('--granularity', values.granularity, 1, granularityStops);
  const levels = wholeNumber('--levels', values.levels, 2, 3);
  const seed = wholeNumber('--seed', values.seed, 1, 2 ** 31 - 1);
  const smallestCluster = wholeNumber('--smallest', values.smallest, 1, 20);
  const pillars = wholeNumber('--pillars', values.pillars, 1, 100);
  const sharing = oneOf('--type', values.type, sharings);
  if (!sharing && (values['min-shared'] ?? values.results) !== undefined)
    throw new RangeError('--min-shared and --results need --type');
  if (values.split !== undefined && files.length !== 1)
    throw new RangeError('--split takes one map and the file to write');
  demandUsed(values);
  return {
    files,
    out,
    corrections: correctionsOf(values),
    meanings: new Map((values.map ?? []).map(meaningOf)),
    filter: {
      minVolume: wholeNumber('--min-volume', values['min-volume'], 0, Number.MAX_SAFE_INTEGER),
      leaveOut: values['leave-out']?.split(','),
      brands: values.brands?.split(','),
    },
    choices: {
      grouping: groupingOf(values.group),
      ...(preset && { preset }),
      ...(stop && { stop }),
      ...(levels && { shape: levels === 2 ? 'pages' : 'nested' }),
      ...(seed && { seed }),
      ...(smallestCluster && { smallestCluster }),
      ...(pillars && { pillars }),
      ...(sharing && {
        results: {
          sharing,
          least: wholeNumber('--min-shared', values['min-shared'], 1, 10) ?? 3,
          perKeyword: wholeNumber('--results', values.results, 1, 100) ?? 10,
        },
      }),
    },
    name: values.name,
    language: formed('--lang', values.lang, languageCode, optionForms.language),
    update: values.update,
    report: values.report,
    split: values.split?.split('>').map((name) => name.trim()),
    model: modelOf(values.model),
    runtime: oneOf<RuntimeKind>('--runtime', values.runtime, runtimeKinds),
    memoryBytes: (wholeNumber('--memory', values.memory, 1, 2 ** 24) ?? Number.POSITIVE_INFINITY) * 2 ** 20,
    isDryRun,
    isQuiet: values.quiet ?? false,
  };
}

/** An empty value mostly comes from a shell variable that is not set, and would count as 0, or as a missing option. */
function demandValues(values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    if ([value].flat().includes('')) throw new RangeError(`--${name} needs a value, and has an empty one`);
  }
}

/** What a map that exists has already: its shape, settings and name. */
const ofNewMaps = ['levels', 'seed', 'pillars', 'group', 'type', 'min-shared', 'results', 'name'] as const;
/** What says how lists are read, which `--split` has none of. */
const ofLists = [
  ...[
    'map',
    'encoding',
    'delimiter',
    'header',
    'sheet',
    'market',
    'zero-cpc',
    'ctr',
    'three-digits',
    'dates',
    'months',
    'empty-groups',
    'filled-groups',
  ],
  ...['min-volume', 'leave-out', 'brands', 'report', 'dry-run'],
] as const;
/** By the option that changes a map that exists, what would have no effect beside it. */
const unused = {
  update: [...ofNewMaps, 'preset', 'granularity', 'smallest', 'split'],
  split: [...ofNewMaps, ...ofLists],
} as const;

function demandUsed(values: Values): void {
  for (const [change, names] of Object.entries(unused)) {
    if (values[change as keyof typeof unused] === undefined) continue;
    const unusedOption = names.find((name) => values[name as keyof Values] !== undefined);
    if (unusedOption !== undefined)
      throw new RangeError(`--${unusedOption} has no effect with --${change}: leave it out`);
  }
}

function modelOf(value = 'builtin'): ModelChoice {
  if (value === 'builtin') return 'built-in';
  return value === 'none' ? value : { folder: value };
}

function correctionsOf(values: Values): Corrections {
  const encoding = oneOf<Encoding>('--encoding', values.encoding, encodings);
  const delimiter = values.delimiter === undefined ? undefined : delimiterOf.get(values.delimiter);
  if (values.delimiter !== undefined && delimiter === undefined) {
    throw new RangeError(`--delimiter is one of ${[...delimiterOf.keys()].join(', ')}`);
  }
  const header = wholeNumber('--header', values.header, 0, 1000);
  const zeroCpc = oneOf('--zero-cpc', values['zero-cpc'], ['unknown']);
  const ctr = oneOf('--ctr', values.ctr, ['share', 'percent']);
  const threeDigits = oneOf('--three-digits', values['three-digits'], ['thousands', 'decimals']);
  const dates = oneOf('--dates', values.dates, ['day-first', 'month-first']);
  const months = oneOf('--months', values.months, ['oldest-first', 'newest-first']);
  const market = formed('--market', values.market?.toLowerCase(), marketCode, optionForms.market);
  return {
    ...(zeroCpc && { isZeroCpcUnknown: true }),
    ...(ctr && { isCtrPercent: ctr === 'percent' }),
    ...(threeDigits && { areThousands: threeDigits === 'thousands' }),
    ...(dates && { isDayFirst: dates === 'day-first' }),
    ...(months && { isFirstMonthNewest: months === 'newest-first' }),
    ...(values['filled-groups'] && { fillsDown: true }),
    ...(values['empty-groups'] && { fillsDown: false }),
    ...(encoding && { encoding }),
    ...(delimiter !== undefined && { delimiter }),
    ...(header !== undefined && { header }),
    ...(values.sheet !== undefined && { sheet: values.sheet }),
    ...(market && { market }),
  };
}

function groupingOf(group = 'auto'): MapChoices['grouping'] {
  if (group === 'auto') return 'columns';
  if (group === 'none') return group;
  if (group === 'by-page') return { url: 'page' };
  const folders = /^by-folder(?::(\d+))?$/.exec(group);
  if (!folders) return group.split(',').map((name) => name.trim());
  return { url: wholeNumber('--group by-folder:', folders[1] ?? '1', 1, 3) as 1 | 2 | 3 };
}

function meaningOf(pair: string): readonly [string, Meaning] {
  const at = pair.lastIndexOf('=');
  if (at < 1) throw new RangeError('--map takes "Header=meaning"');
  return [pair.slice(0, at), oneOf<Meaning>('A meaning of --map', pair.slice(at + 1), meanings)!];
}

function oneOf<Value extends string>(
  option: string,
  value: string | undefined,
  values: readonly Value[],
): Value | undefined {
  if (value === undefined) return undefined;
  const found = values.find((one) => one === value);
  if (found === undefined) throw new RangeError(`${option} is one of ${values.join(', ')}`);
  return found;
}

function formed(
  option: string,
  value: string | undefined,
  shape: { safeParse(value: string): { readonly success: boolean } },
  form: string,
): string | undefined {
  if (value !== undefined && !shape.safeParse(value).success) throw new RangeError(`${option} is ${form}`);
  return value;
}

function wholeNumber(option: string, value: string | undefined, least: number, most: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new RangeError(`${option} is a whole number from ${least} to ${most}`);
  }
  return number;
}
