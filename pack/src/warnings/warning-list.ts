import type { Pause } from '../format/in-pieces.ts';
import { sortRows } from '../levels/order.ts';
import type { WarningGap, WarningKind } from '../vocabulary/warnings.ts';

/** The warnings of one kind as columns. Those that affect the most volume come first, unknown volumes last; ties are in pack order. */
export type WarningList = {
  readonly kind: WarningKind;
  readonly count: number;
  /** The node of each warning. For one that concerns several nodes, the first of its places. */
  readonly rows: Uint32Array;
  /** The known volume of the distinct keywords that each warning affects; NaN if none is known. */
  readonly volumes: Float64Array;
  /** The number of these keywords. */
  readonly keywords: Uint32Array;
  /** Further figures by name, see {@link figureNames}. */
  readonly figures: Readonly<Record<string, Float64Array>>;
  /** For a kind about URLs: the number of the URL of each warning. */
  readonly urls: Uint32Array | undefined;
  /** For a kind whose warnings concern several nodes: all these nodes. */
  readonly places: Places | undefined;
  /** For kinds about search results: the keywords that show the problem, in groups, for each warning. */
  readonly evidence: readonly (readonly Evidence[])[] | undefined;
};

/** A group of keywords that are answered alike: their nodes, and the URLs that most of them share. */
export type Evidence = { readonly rows: readonly number[]; readonly urls: readonly string[] };

/** The nodes of warning `n` are `rows[starts[n]]` to before `rows[starts[n + 1]]`; `keywords` counts the keywords concerned at each. */
export type Places = { readonly starts: Uint32Array; readonly rows: Uint32Array; readonly keywords?: Uint32Array };

/** A kind of warning for which the file lacks the data. */
export type WarningsMissing = { readonly kind: WarningKind; readonly missing: WarningGap };
export type FoundWarnings = WarningList | WarningsMissing;

/**
 * The figures of the warnings of each kind. Shares are from 0 to 1.
 *
 * - Mixed: `known` keywords with a known intent, and the share of each intent among them, as in `intentShares`.
 * - One URL, several clusters: `clusters`.
 * - Several URLs, one cluster: `urls` that rank for the cluster, the keywords of the leading two (`first`, `second`),
 *   the URLs themselves (`firstUrl`, `secondUrl`, by number, NaN for none), `withUrl` keywords that have a URL, and
 *   `torn` keywords for which several URLs rank.
 * - Answered by different pages: the number of `groups`, the keywords of the `largest` one, and `withResults` keywords that have results.
 * - Answered by the same pages: the keywords of the `first` and of the `second` cluster that are answered alike.
 * - Repeated: `clusters`.
 * - Unknown: the known share of `volume` and of `difficulty`; NaN for a figure that the file does not have.
 */
export const figureNames = {
  mixed: ['known', 'informational', 'navigational', 'commercial', 'transactional'],
  'url-clusters': ['clusters'],
  'cluster-urls': ['urls', 'first', 'second', 'firstUrl', 'secondUrl', 'withUrl', 'torn'],
  'results-apart': ['groups', 'largest', 'withResults'],
  'results-alike': ['first', 'second'],
  oversized: [],
  single: [],
  repeated: ['clusters'],
  unplaced: [],
  unknown: ['volume', 'difficulty'],
} as const satisfies Readonly<Record<WarningKind, readonly string[]>>;

/** A warning before the list is sorted. */
export type Warning = {
  readonly row: number;
  readonly volume: number;
  readonly keywords: number;
  /** In the order of {@link figureNames}. */
  readonly figures: readonly number[];
  readonly url?: number;
  readonly places?: readonly number[];
  readonly placeKeywords?: readonly number[];
  readonly evidence?: readonly Evidence[];
};

/** The memory of a list in bytes. */
export const listBytes = ({ rows, volumes, keywords, figures, urls, places, evidence }: WarningList): number =>
  evidenceBytes(evidence) +
  [rows, volumes, keywords, ...Object.values(figures), urls, places?.starts, places?.rows, places?.keywords].reduce(
    (sum, column) => sum + (column?.byteLength ?? 0),
    0,
  );

const evidenceBytes = (evidence: WarningList['evidence']): number =>
  (evidence ?? []).flat().reduce((sum, { rows, urls }) => sum + 8 * rows.length + 100 * urls.length, 0);

/** Sorts warnings into a list, in pieces, because there can be as many as nodes. */
export async function warningList(kind: WarningKind, found: readonly Warning[], pause: Pause): Promise<WarningList> {
  const weight = ({ volume }: Warning) => (Number.isNaN(volume) ? -1 : volume);
  const compare = (one: Warning, other: Warning) =>
    weight(other) - weight(one) || one.row - other.row || (one.url ?? 0) - (other.url ?? 0);
  const order = await sortRows(
    Uint32Array.from(found.keys()),
    (one, other) => compare(found[one]!, found[other]!),
    pause,
  );
  const fillInOrder = async <Column extends Uint32Array | Float64Array>(
    column: Column,
    numberOf: (warning: Warning) => number,
  ): Promise<Column> => {
    await eachOf(order, pause, (at, index) => {
      column[at] = numberOf(found[index]!);
    });
    return column;
  };
  const numbers = () => new Uint32Array(order.length);
  const figures: Record<string, Float64Array> = {};
  for (const [at, name] of figureNames[kind].entries())
    figures[name] = await fillInOrder(new Float64Array(order.length), (warning) => warning.figures[at]!);
  return {
    kind,
    count: order.length,
    rows: await fillInOrder(numbers(), ({ row }) => row),
    volumes: await fillInOrder(new Float64Array(order.length), ({ volume }) => volume),
    keywords: await fillInOrder(numbers(), ({ keywords }) => keywords),
    figures: figures as WarningList['figures'],
    urls: found[0]?.url === undefined ? undefined : await fillInOrder(numbers(), ({ url }) => url!),
    places: await placesOf(found, order, pause),
    evidence: found[0]?.evidence && Array.from(order, (index) => found[index]!.evidence!),
  };
}

/** The number of warnings between two pauses: few, because they are scattered in memory and slow to read. */
const readAtATime = 2 ** 15;

async function eachOf(order: Uint32Array, pause: Pause, work: (at: number, index: number) => void): Promise<void> {
  for (let from = 0; from < order.length; from += readAtATime) {
    await pause();
    for (let at = from; at < Math.min(order.length, from + readAtATime); at++) work(at, order[at]!);
  }
}

async function placesOf(found: readonly Warning[], order: Uint32Array, pause: Pause): Promise<Places | undefined> {
  if (found[0]?.places === undefined) return undefined;
  const starts = new Uint32Array(order.length + 1);
  await eachOf(order, pause, (at, index) => {
    starts[at + 1] = starts[at]! + found[index]!.places!.length;
  });
  const flat = async (partsOf: (warning: Warning) => readonly number[]): Promise<Uint32Array> => {
    const numbers = new Uint32Array(starts.at(-1)!);
    await eachOf(order, pause, (at, index) => numbers.set(partsOf(found[index]!), starts[at]));
    return numbers;
  };
  const rows = await flat(({ places }) => places!);
  if (found[0].placeKeywords === undefined) return { starts, rows };
  return { starts, rows, keywords: await flat(({ placeKeywords }) => placeKeywords!) };
}
