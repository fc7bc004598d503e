import type { Pause } from '../format/in-pieces.ts';
import { sortRows } from '../levels/order.ts';
import type { WarningGap, WarningKind } from '../vocabulary/warnings.ts';

/**
 * The warnings of one kind as columns, those that affect most volume first, unknown volumes last; among equals in pack
 * order.
 */
export type WarningList = {
  readonly kind: WarningKind;
  readonly count: number;
  /** The node of each. For one that concerns several nodes, the first of its places. */
  readonly rows: Uint32Array;
  /** The known volume of the distinct keywords that each affects; NaN if none is known. */
  readonly volumes: Float64Array;
  /** The number of these keywords. */
  readonly keywords: Uint32Array;
  /** The numbers of each, by name; see {@link figureNames}. */
  readonly figures: Readonly<Record<string, Float64Array>>;
  /** What each is about, if that is not its node alone: a URL, by number. */
  readonly urls: Uint32Array | undefined;
  /** All nodes that each concerns, if there are several; `keywords` of each place where that says something. */
  readonly places: Places | undefined;
  /** Of each, by its index: the keywords that show it, in groups. */
  readonly evidence: readonly (readonly Evidence[])[] | undefined;
};

/** Keywords that are answered alike: their nodes, and the leading URLs. */
export type Evidence = { readonly rows: readonly number[]; readonly urls: readonly string[] };

/** The places of the n-th warning are those from `starts[n]` to before `starts[n + 1]`. */
export type Places = { readonly starts: Uint32Array; readonly rows: Uint32Array; readonly keywords?: Uint32Array };

/** A kind that the file cannot answer. */
export type WarningsMissing = { readonly kind: WarningKind; readonly missing: WarningGap };
export type FoundWarnings = WarningList | WarningsMissing;

/**
 * The numbers of the kinds. Shares are from 0 to 1.
 *
 * - Mixed: `known` keywords with a known intent, and the share of each intent among them, as in `intentShares`.
 * - One URL, several clusters: `clusters`.
 * - Several URLs, one cluster: `urls` that rank for the cluster, the keywords of the leading two (`first`, `second`),
 *   the URLs themselves (`firstUrl`, `secondUrl`, by number, NaN for none), `withUrl` keywords that have a URL, and
 *   `torn` keywords for which several URLs rank.
 * - Answered apart: `groups`, the keywords of the `largest`, and `withResults` keywords that have results.
 * - Answered alike: the keywords of the `first` and the `second` cluster that are.
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

/** A warning before the list is in order. */
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

/** The memory of a list. */
export const listBytes = ({ rows, volumes, keywords, figures, urls, places, evidence }: WarningList): number =>
  evidenceBytes(evidence) +
  [rows, volumes, keywords, ...Object.values(figures), urls, places?.starts, places?.rows, places?.keywords].reduce(
    (sum, column) => sum + (column?.byteLength ?? 0),
    0,
  );

const evidenceBytes = (evidence: WarningList['evidence']): number =>
  (evidence ?? []).flat().reduce((sum, { rows, urls }) => sum + 8 * rows.length + 100 * urls.length, 0);

/** There can be as many as nodes, so the list is put in order in pieces. */
export async function warningList(kind: WarningKind, found: readonly Warning[], pause: Pause): Promise<WarningList> {
  const weight = ({ volume }: Warning) => (Number.isNaN(volume) ? -1 : volume);
  const compare = (one: Warning, other: Warning) =>
    weight(other) - weight(one) || one.row - other.row || (one.url ?? 0) - (other.url ?? 0);
  const order = await sortRows(
    Uint32Array.from(found.keys()),
    (one, other) => compare(found[one]!, found[other]!),
    pause,
  );
  const taken = async <Column extends Uint32Array | Float64Array>(
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
    figures[name] = await taken(new Float64Array(order.length), (warning) => warning.figures[at]!);
  return {
    kind,
    count: order.length,
    rows: await taken(numbers(), ({ row }) => row),
    volumes: await taken(new Float64Array(order.length), ({ volume }) => volume),
    keywords: await taken(numbers(), ({ keywords }) => keywords),
    figures: figures as WarningList['figures'],
    urls: found[0]?.url === undefined ? undefined : await taken(numbers(), ({ url }) => url!),
    places: await placesOf(found, order, pause),
    evidence: found[0]?.evidence && Array.from(order, (index) => found[index]!.evidence!),
  };
}

/** Warnings far from each other in memory are slow to read, so there are few of them between two pauses. */
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
