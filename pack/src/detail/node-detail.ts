import type { ByteSource } from '../format/byte-source.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { pathTo } from '../format/locate.ts';
import { namesAt } from '../format/names-at.ts';
import { type BranchColumn, noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { describeSimilar, type SimilarNode } from '../format/similar.ts';
import { eachYear } from '../format/years.ts';
import { formatAddress } from '../names/path-hash.ts';
import type { View } from '../sums/filtered-pack.ts';
import { keptTrend } from '../sums/kept-trends.ts';
import { rollUpsOf } from '../sums/roll-ups.ts';
import { asSearches } from '../tree/trend-roll-up.ts';
import { type MergedEntries, mergedEntriesOf } from './merged-entries.ts';
import { summarizeUnplaced, type UnplacedSummary } from './not-in-hierarchy.ts';
import { type OriginalMembers, readKeywordMembers, readNodeMembers } from './original.ts';

/**
 * Means are over known values; `known` is the number of keywords they cover. Absent means unknown, never zero.
 * `weighted`: the mean weighted by volume. `byImpressions`: present if `value` itself is weighted by impressions, with
 * the number of keywords.
 */
export type Measure = { value?: number; weighted?: number; byImpressions?: number; known: number };

/** Everything known about a node. Same shape as in the HTTP contract. */
export type NodeDetail = {
  node: number;
  name: string;
  type: string;
  address: string;
  path: { node: number; name: string; address: string }[];
  depth: number;
  branchNodes: number;
  children: number;
  keywords: number;
  /** The number of keywords regardless of the filter. */
  ofKeywords: number;
  repeats: number;
  volume: Measure;
  difficulty: Measure;
  cpc: Measure;
  competition: Measure;
  position: Measure;
  intent: { informational: number; navigational: number; commercial: number; transactional: number; known: number };
  trend?: Trend;
  topKeyword?: { node: number; name: string; volume: number };
  /** Absent if there are none, or if the file does not say it. */
  similar?: SimilarNode[];
  original: { node?: OriginalMembers; keyword?: OriginalMembers };
  /** Only for the root, if there are keywords that no node names. */
  notInHierarchy?: UnplacedSummary;
  /** Only for a keyword with several entries. */
  merged?: MergedEntries;
  /** Fields whose mean is weighted by impressions, and the number of keywords it covers. */
  byImpressions: { name: string; known: number }[];
};

/**
 * A node's path, roll-ups, top keyword and original members; with a filter, roll-ups cover what is kept.
 *
 * @param original the uploaded file, of which only the bytes of the node and its keyword are read
 * @throws RangeError if the row is not a node
 */
export async function describeNode(
  pack: View,
  row: number,
  original: ByteSource,
  pause: Pause = noPause,
): Promise<NodeDetail> {
  const { whole } = pack;
  const rows = await pathTo(pack, row);
  const path = await describePath(pack, rows);
  const { name, address } = path.at(-1)!;
  const rolled = await rollUpsOf(pack, Uint32Array.of(row));
  const ofWhole = await rollUpsOf(whole, Uint32Array.of(row));
  const at = async (column: BranchColumn) => (await rolled.column(column))[0]!;
  const [type] = await pack.gather('type', Uint32Array.of(row));
  const members = await readNodeMembers(whole, row, original);
  const ofKeyword = await readKeywordMembers(whole, row, original);
  const merged = await mergedEntriesOf(whole, row, original, pause);
  const trend = await trendOf(pack, row);
  const top = await topKeyword(pack, await at('top_keyword'));
  const similar = await describeSimilar(pack, row);
  return {
    node: row,
    name,
    type: pack.metadata.types[type!]!,
    address,
    path,
    depth: rows.length - 1,
    branchNodes: await at('nodes'),
    children: await at('child_count'),
    keywords: await at('keywords'),
    ofKeywords: (await ofWhole.column('keywords'))[0]!,
    repeats: await at('repeats'),
    volume: measure(await at('volume'), await at('volume_known')),
    difficulty: measure(await at('difficulty'), await at('difficulty_known'), await at('difficulty_weighted')),
    cpc: measure(await at('cpc'), await at('cpc_known'), await at('cpc_weighted')),
    competition: measure(await at('competition'), await at('competition_known')),
    position: positionOf(measure(await at('position'), await at('position_known')), await at('position_weighed')),
    intent: {
      informational: await at('informational'),
      navigational: await at('navigational'),
      commercial: await at('commercial'),
      transactional: await at('transactional'),
      known: await at('intent_known'),
    },
    ...(trend && { trend }),
    ...(top && { topKeyword: top }),
    ...(similar.length > 0 && { similar }),
    ...(row === 0 && whole.metadata.notInHierarchy > 0 && { notInHierarchy: await summarizeUnplaced(whole) }),
    ...(merged && { merged }),
    byImpressions: await weighedFields(pack, row),
    original: { ...(members && { node: members }), ...(ofKeyword && { keyword: ofKeyword }) },
  };
}

/** Empty for a row without children, which has values instead of means. */
async function weighedFields(pack: PackReader, row: number): Promise<NodeDetail['byImpressions']> {
  const branch = await pack.branchesOf(Uint32Array.of(row));
  if (branch[0] === noRow) return [];
  const found: NodeDetail['byImpressions'] = [];
  for (const field of pack.metadata.fields) {
    if (field.kind !== 'number' || field.role !== 'weighed') continue;
    const [known] = (await pack.gather(`weighed:${field.name}`, branch))!;
    if (known! > 0) found.push({ name: field.name, known: known! });
  }
  return found;
}

/** Names and IDs of rows. */
export async function describePath(pack: PackReader, rows: Uint32Array): Promise<NodeDetail['path']> {
  const names = await namesAt(pack, rows);
  const halves = await pack.gather('address', rows);
  return Array.from(rows, (node, index) => ({
    node,
    name: names[index]!,
    address: formatAddress(halves[2 * index + 1]!, halves[2 * index]!),
  }));
}

async function topKeyword(pack: PackReader, top: number): Promise<NodeDetail['topKeyword']> {
  if (top === noRow) return undefined;
  const [name] = await namesAt(pack, Uint32Array.of(top));
  const volume = await pack.gather('own_volume', Uint32Array.of(top));
  return { node: top, name: name!, volume: volume![0]! };
}

const positionOf = (position: Measure, weighed: number): Measure =>
  weighed > 0 ? { ...position, byImpressions: weighed } : position;

function measure(value: number, known: number, weighted = Number.NaN): Measure {
  return {
    ...(!Number.isNaN(value) && { value }),
    ...(!Number.isNaN(weighted) && { weighted }),
    known,
  };
}

/** Twelve months, the oldest first. Same shape as in the HTTP contract. */
export type Trend = {
  /** Null for an unknown month. */
  months: (number | null)[];
  /**
   * `searches` per month; `share` of the keyword's best month, for a keyword whose file gives only shares and whose
   * volume is unknown.
   */
  unit: 'searches' | 'share';
  /**
   * For a branch, the number of keywords in the sum. For a keyword, 1 if `months` are the searches of a whole year,
   * otherwise 0.
   */
  known: number;
  /** The last month, such as `2026-04`; absent if the file does not name months. */
  newest?: string;
};

/**
 * The trend of a branch or a keyword; undefined if unknown. That of a filtered branch is computed from its
 * kept keywords, because a filtered view has no column for it.
 */
export async function trendOf(pack: View, row: number): Promise<Trend | undefined> {
  const kind = pack.metadata.trend;
  if (!kind) return undefined;
  const newest = kind.newest === undefined ? {} : { newest: kind.newest };
  const [branch] = await pack.branchesOf(Uint32Array.of(row));
  if (branch !== noRow && 'kept' in pack) {
    const found = await keptTrend(pack.kept, branch!);
    return found && { months: [...found.months], unit: 'searches', known: found.known, ...newest };
  }
  if (branch !== noRow) {
    const values = await monthsAt(pack, 'trend', branch!);
    const [known] = (await pack.gather('trend_known', Uint32Array.of(branch!)))!;
    return values && { months: [...values], unit: 'searches', known: known!, ...newest };
  }
  const [isKeyword] = await pack.gather('is_keyword', Uint32Array.of(row));
  const values = isKeyword === 1 ? await monthsAt(pack, 'own_trend', row) : undefined;
  if (!values) return undefined;
  const volume = await pack.gather('own_volume', Uint32Array.of(row));
  // Converts `values` in place.
  const isWholeYear = asSearches(values, kind.unit, volume?.[0] ?? Number.NaN);
  return {
    months: Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
    unit: isWholeYear ? 'searches' : kind.unit,
    known: Number(isWholeYear),
    ...newest,
  };
}

/** Undefined if there is no trend. @param at the branch for `trend`, the row for `own_trend` */
async function monthsAt(pack: PackReader, list: 'trend' | 'own_trend', at: number): Promise<Float64Array | undefined> {
  const found: Float64Array[] = [];
  await eachYear(pack, list, Uint32Array.of(at), (_, months) => found.push(months));
  return found[0];
}
