import type { Pause } from '@kc/pack/format/in-pieces';
import { placesAt } from '@kc/pack/format/locate';
import { namesOf } from '@kc/pack/format/names-at';
import { noRow } from '@kc/pack/format/pack-format';
import type { PackReader } from '@kc/pack/format/pack-reader';
import {
  type EntryPlace,
  entryPlaces,
  figuresOfRows,
  type KeywordsOfEntries,
  keywordsOfEntries,
  type RowFigures,
} from '@kc/pack/handover/handover';
import { pageLevel, type TopicLevel } from '@kc/pack/levels/level';
import { levelRows } from '@kc/pack/levels/level-rows';
import { levelsOf } from '@kc/pack/levels/topics';
import { keyOf } from '@kc/pack/names/text-key';
import { type PageLinks, pageLinks } from '@kc/pack/plan/page-links';
import { type PrimaryKeywords, primaryKeywordsOf } from '@kc/pack/plan/primary-keywords';
import { rollUpStatus, type StatusRollUp } from '@kc/pack/plan/status-roll-up';
import { figuresOfFile } from '@kc/pack/score/file-figures';
import { readScore, type Score, writeScore } from '@kc/pack/score/score';
import { presetsFor } from '@kc/pack/score/score-presets';
import type { View } from '@kc/pack/sums/filtered-pack';
import { coveredShare, statusRank } from '@kc/rules/plan';
import type { Exported } from '../export-csv.ts';
import { addressesAt, rowsOfEntries } from '../plan-queries.ts';
import type { HandoverQuery, PlannedRow } from './handover-query.ts';

/** An entry as every form of a hand-over shows it. */
export type HandoverLine = {
  /** Among the places. */
  readonly index: number;
  readonly place: EntryPlace;
  /** The ID of the node. */
  readonly address: string;
  /** The names from below the root. */
  readonly path: readonly string[];
  readonly pillar: string;
  /** Empty for a branch above clusters. */
  readonly cluster: string;
  /** Empty for a node without keywords. */
  readonly primary: string;
  /** The row of the primary keyword that nobody chose; undefined for one that somebody did, and for a node without keywords. */
  readonly primaryRow: number | undefined;
  readonly figures: RowFigures;
  /** The share of the node that has a page, 0 to 1. */
  readonly covered: number | undefined;
  /** The pages that it should link to; undefined where the file does not say which are similar. */
  readonly links: readonly SuggestedLink[] | undefined;
  /** The pages that should link to it, with the text to link; likewise. */
  readonly linkedFrom: readonly SuggestedLink[] | undefined;
  /** What is planned; absent for a cluster that is not in the plan. */
  readonly entry: PlannedRow | undefined;
};

/** A link to another page: the text to link, and the names from below the root to what the page is for. */
export type SuggestedLink = { readonly anchor: string; readonly path: readonly string[] };

/** The content of a handover, ready to be written part by part. */
export type Handover = {
  readonly pack: PackReader;
  readonly figures: View;
  readonly places: readonly EntryPlace[];
  /** The level of the smallest topics. */
  readonly pages: TopicLevel;
  readonly keywords: KeywordsOfEntries;
  /** Whether links between pages can be suggested. */
  readonly hasLinks: boolean;
  readonly score: { readonly text: string; readonly score: Score } | undefined;
  /** Entries of the plan that this upload does not have. */
  readonly missing: readonly PlannedRow[];
  /** All places, or those from an index to before another, in blocks. */
  lines(from?: number, end?: number): AsyncGenerator<readonly HandoverLine[]>;
  readonly pause: Pause;
};

/** Other requests run between two blocks. */
const blockLines = 256;

/**
 * Finds the content of a handover. Cost: passes over the nodes for the plan, for primary keywords and for the keywords of each
 * entry; about 14 bytes per node while it is written.
 */
export async function prepareHandover(
  { pack, figures, keeps }: Exported,
  query: HandoverQuery,
  pause: Pause,
): Promise<Handover> {
  const rowOf = await rowsOfEntries(pack, query.entries, pause);
  const entryAt = new Map<number, PlannedRow>();
  for (const entry of query.entries) {
    const row = rowOf.get(entry.id);
    if (row !== undefined) entryAt.set(row, entry);
  }
  const pages = pageLevel(await levelsOf(pack, pause));
  const planned = Uint32Array.from(entryAt.keys());
  const named = query.nodes && new Set((await placesAt(pack, query.nodes, pause)).values());
  // A requested node is an entry, planned or not.
  const ofPlan = Uint32Array.from(new Set([...planned, ...(named ?? [])]));
  const all = query.of === 'plan' ? ofPlan : await levelRows(figures, pages, query.node, pause);
  const isRequested = await requestedRows(pack, query, named);
  const rows = all.filter((row) => isRequested(row) && (keeps?.(row) ?? true));
  const places = await entryPlaces(pack, rows, pause);
  const statuses = Array.from(entryAt, ([row, { fields }]) => ({ row, rank: statusRank(fields.status) }));
  const isSome = query.rows !== undefined || query.nodes !== undefined;
  const isWhole = query.of === 'plan' && query.node === 0 && !isSome && query.filter === '';
  // Links also lead to pages outside of the exported part.
  const links = await pageLinks(pack, query.of === 'plan' ? ofPlan : await levelRows(pack, pages, 0, pause), pause);
  const parts: LineParts = {
    pack,
    figures,
    entryAt,
    rolled: await rollUpStatus(pack, statuses, pause),
    primary: await primaryKeywordsOf(figures, pause),
    links,
    linkedFrom: links && turned(links),
    score: scoreOf(pack, query.score),
    pause,
  };
  return {
    pack,
    figures,
    places,
    pages,
    keywords: await keywordsOf(figures, places, isSome ? all : undefined, pause),
    hasLinks: parts.links !== undefined,
    score: parts.score && { text: writeScore(parts.score), score: parts.score },
    // Paths of other uploads are not for visitors of a link.
    missing: isWhole && query.reader.who === 'team' ? query.entries.filter(({ id }) => !rowOf.has(id)) : [],
    pause,
    async *lines(from = 0, end = places.length) {
      for (let at = from; at < end; at += blockLines) {
        await pause();
        yield await linesOf(parts, places.slice(at, Math.min(end, at + blockLines)), at);
      }
    },
  };
}

/**
 * The keywords of each place. Of a selection, a keyword is with its nearest entry also if that is not selected: what an entry
 * has does not depend on the other parts of the handover.
 *
 * @param all the rows of all entries, if the places are some of them
 */
async function keywordsOf(
  figures: View,
  places: readonly EntryPlace[],
  all: Uint32Array | undefined,
  pause: Pause,
): Promise<KeywordsOfEntries> {
  if (!all) {
    const inOrder = Uint32Array.from(places, ({ row }) => row);
    return keywordsOfEntries(figures, inOrder, pause);
  }
  const found = await keywordsOfEntries(figures, all, pause);
  const indexOf = new Map(Array.from(all, (row, index) => [row, index]));
  const at = places.map(({ row }) => indexOf.get(row)!);
  return {
    of: (index) => found.of(at[index]!),
    count: (index) => found.count(at[index]!),
    total: at.reduce((sum, index) => sum + found.count(index), 0),
  };
}

/** From where each page is linked, by its row. */
function turned(links: PageLinks): PageLinks {
  const from = new Map<number, number[]>();
  for (const [row, to] of links) {
    for (const other of to) {
      const own = from.get(other);
      if (own) own.push(row);
      else from.set(other, [row]);
    }
  }
  return from;
}

type LineParts = {
  readonly pack: PackReader;
  readonly figures: View;
  readonly entryAt: ReadonlyMap<number, PlannedRow>;
  readonly rolled: StatusRollUp;
  readonly primary: PrimaryKeywords;
  readonly links: PageLinks | undefined;
  readonly linkedFrom: PageLinks | undefined;
  readonly score: Score | undefined;
  readonly pause: Pause;
};

async function linesOf(parts: LineParts, places: readonly EntryPlace[], first: number): Promise<HandoverLine[]> {
  const { pack, figures, entryAt, rolled, primary, links, linkedFrom, score, pause } = parts;
  const rows = Uint32Array.from(places, ({ row }) => row);
  const best = Array.from(rows, primary);
  const linked = new Set(
    Array.from(rows, (row) => [...(links?.get(row) ?? []), ...(linkedFrom?.get(row) ?? [])]).flat(),
  );
  const parent = await pack.column('parent');
  const wayTo = (row: number): number[] => (row === 0 ? [] : [...wayTo(parent[row]!), row]);
  const named = await namesOf(pack, [
    ...places.flatMap(({ way, cluster }) => [...way, cluster]),
    ...best,
    ...[...linked].flatMap((row) => [...wayTo(row), primary(row)]),
  ]);
  const anchorOf = (row: number, path: readonly string[]): string =>
    entryAt.get(row)?.fields.primaryKeyword || named(primary(row)) || (path.at(-1) ?? '');
  const linkTo = (row: number): SuggestedLink => {
    const path = wayTo(row).map(named);
    return { anchor: anchorOf(row, path), path };
  };
  const addresses = await addressesAt(pack, Array.from(rows));
  const ofRows = await figuresOfRows(figures, rows, score, pause);
  const lines: HandoverLine[] = [];
  for (const [at, place] of places.entries()) {
    const entry = entryAt.get(place.row);
    const chosen = entry?.fields.primaryKeyword ?? '';
    const path = place.way.map(named);
    const anchor = anchorOf(place.row, path);
    lines.push({
      index: first + at,
      place,
      address: addresses[at]!,
      path,
      pillar: named(place.pillar),
      cluster: named(place.cluster),
      primary: chosen === '' ? named(best[at]!) : chosen,
      primaryRow: chosen === '' && best[at] !== noRow ? best[at] : undefined,
      figures: ofRows[at]!,
      links: links && (links.get(place.row) ?? []).map(linkTo),
      linkedFrom:
        linkedFrom && (linkedFrom.get(place.row) ?? []).map((row) => ({ anchor, path: wayTo(row).map(named) })),
      covered: coveredShare(await rolled.coverageOf(place.row))?.share,
      entry,
    });
  }
  return lines;
}

/** Whether two texts are the same keyword. */
export const isSameKeyword = (one: string, other: string): boolean => keyOf(one) === keyOf(other);

/** The score of a hand-over; without a wish, the first one that the file has the figures for. */
function scoreOf({ metadata }: PackReader, wanted: string | undefined): Score | undefined {
  const text = wanted ?? presetsFor(figuresOfFile(metadata))[0]?.text;
  return text === undefined ? undefined : readScore(text);
}

/**
 * Whether a row is requested: at or below the branch and one of the rows of a query.
 *
 * @param named only these
 */
async function requestedRows(
  pack: PackReader,
  { node, rows }: Pick<HandoverQuery, 'node' | 'rows'>,
  named: ReadonlySet<number> | undefined,
): Promise<(row: number) => boolean> {
  const parent = await pack.column('parent');
  const some = rows && new Set(rows);
  return (row) => {
    if (named?.has(row) === false) return false;
    let isBelow = node === 0;
    let isSome = some === undefined;
    for (let at = row; ; at = parent[at]!) {
      isBelow ||= at === node;
      isSome ||= some?.has(at) === true;
      if (at === 0) return isBelow && isSome;
    }
  };
}
