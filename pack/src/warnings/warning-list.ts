import type { WarningGap, WarningKind } from './warning-kinds.ts';

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
};

/** The places of the n-th warning are those from `starts[n]` to before `starts[n + 1]`. */
export type Places = { readonly starts: Uint32Array; readonly rows: Uint32Array; readonly keywords?: Uint32Array };

/** A kind that the file cannot answer. */
export type WarningsMissing = { readonly kind: WarningKind; readonly missing: WarningGap };
export type FoundWarnings = WarningList | WarningsMissing;

/**
 * The numbers of the kinds. Shares are from 0 to 1.
 *
 * - Mixed: `known` keywords with a known intent, and the share of each intent among them. A keyword with n intents gives
 *   each an n-th.
 * - One URL, several clusters: `clusters`.
 * - Several URLs, one cluster: `urls` that rank for the cluster, the keywords of the leading two (`first`, `second`),
 *   the URLs themselves (`firstUrl`, `secondUrl`, by number, NaN for none), `withUrl` keywords that have a URL, and
 *   `torn` keywords for which several URLs rank.
 * - Repeated: `clusters`.
 * - Unknown: the known share of `volume` and of `difficulty`; NaN for a figure that the file does not have.
 */
export const figureNames = {
  mixed: ['known', 'informational', 'navigational', 'commercial', 'transactional'],
  'url-clusters': ['clusters'],
  'cluster-urls': ['urls', 'first', 'second', 'firstUrl', 'secondUrl', 'withUrl', 'torn'],
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
};

export function warningList(kind: WarningKind, found: readonly Warning[]): WarningList {
  const weight = ({ volume }: Warning) => (Number.isNaN(volume) ? -1 : volume);
  const order = found.toSorted(
    (one, other) => weight(other) - weight(one) || one.row - other.row || (one.url ?? 0) - (other.url ?? 0),
  );
  const columns = figureNames[kind].map((name, at) => [name, Float64Array.from(order, ({ figures }) => figures[at]!)]);
  return {
    kind,
    count: order.length,
    rows: Uint32Array.from(order, ({ row }) => row),
    volumes: Float64Array.from(order, ({ volume }) => volume),
    keywords: Uint32Array.from(order, ({ keywords }) => keywords),
    figures: Object.fromEntries(columns) as WarningList['figures'],
    urls: hasUrls(order) ? Uint32Array.from(order, ({ url }) => url!) : undefined,
    places: placesOf(order),
  };
}

const hasUrls = ([first]: readonly Warning[]): boolean => first?.url !== undefined;

function placesOf(order: readonly Warning[]): Places | undefined {
  if (order[0]?.places === undefined) return undefined;
  const starts = new Uint32Array(order.length + 1);
  for (const [at, { places }] of order.entries()) starts[at + 1] = starts[at]! + places!.length;
  const rows = Uint32Array.from(order.flatMap(({ places }) => places!));
  if (order[0].placeKeywords === undefined) return { starts, rows };
  return { starts, rows, keywords: Uint32Array.from(order.flatMap(({ placeKeywords }) => placeKeywords!)) };
}
