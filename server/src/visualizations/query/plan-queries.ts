import { createHash } from 'node:crypto';
import type { Pause } from '@kc/pack/format/in-pieces';
import { pathTo, placesAt } from '@kc/pack/format/locate';
import { namesAt, namesOf } from '@kc/pack/format/names-at';
import { oncePerPack } from '@kc/pack/format/once-per-pack';
import { noRow } from '@kc/pack/format/pack-format';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { formatAddress } from '@kc/pack/names/path-hash';
import { findAlike, keptShares } from '@kc/pack/plan/likeness';
import { type MovedAddress, movedKeywords } from '@kc/pack/plan/moved-nodes';
import { figuresOf, type NodeFacts, nodeFacts } from '@kc/pack/plan/node-facts';
import { type NodePath, pathAddresses } from '@kc/pack/plan/node-paths';
import { pageLinks } from '@kc/pack/plan/page-links';
import { primaryKeywordsOf } from '@kc/pack/plan/primary-keywords';
import { rollUpStatus, type StatusCoverage, type StatusRollUp } from '@kc/pack/plan/status-roll-up';
import { unknownPeak } from '@kc/pack/season/peak';
import { peaksOf } from '@kc/pack/season/season';
import type { View } from '@kc/pack/sums/filtered-pack';
import { matchEntries, suggestPlace } from '@kc/rules/plan-match';
import type { PlanLinks, PlanSuggestions } from '@kc/rules/plan-shapes';
import { pauseFor } from './cancellation.ts';
import type { OpenPack } from './filters.ts';
import type { OpenPacks } from './open-packs.ts';

/** An entry as the queries see it: its paths, the current one first. */
export type PlannedEntry = { readonly id: string; readonly paths: readonly NodePath[] };
/** An entry with the rank of its status: see `statusRank` of the rules. */
export type RankedEntry = PlannedEntry & { readonly rank: number };
/** The node of an entry. */
export type PlannedPlace = {
  readonly id: string;
  readonly address: string;
  readonly keywords: number;
  readonly volume?: number;
};
/** An entry without a node. */
type MissingEntry = {
  readonly id: string;
  readonly kind: 'branch' | 'keyword';
  readonly fingerprint: readonly string[];
};

type InPack = { readonly packKey: string; readonly signal?: AbortSignal | undefined };

/** Queries about the entries of a plan in one pack. The caller passes all entries that are in the plan. */
export interface PlanQueries {
  /** What an entry stores about each of some nodes. Missing nodes, and the root, are left out. */
  planFacts(params: InPack & { readonly addresses: readonly string[] }): Promise<NodeFacts[]>;
  /** The new addresses of keywords directly below moved branches: of the wanted addresses, those of such keywords. */
  movedKeywords(
    params: InPack & { readonly moves: readonly MovedAddress[]; readonly wanted: readonly string[] },
  ): Promise<MovedAddress[]>;
  /** The nodes of the entries; with `wanted`, of those only. Entries without a node are left out. */
  planPlaces(
    params: InPack & { readonly entries: readonly PlannedEntry[]; readonly wanted?: readonly string[] | undefined },
  ): Promise<PlannedPlace[]>;
  /**
   * How much of the pack, and of the branch of a row, has which status.
   *
   * @param params `version` names the plan and its revision: equal versions have equal entries
   * @throws RangeError if the row is not a node
   */
  planTotals(
    params: InPack & {
      readonly version: string;
      readonly entries: readonly RankedEntry[];
      readonly branch: number | undefined;
    },
  ): Promise<{ whole: StatusCoverage; branch?: StatusCoverage; usualKeyword?: string }>;
  /** Of each entry whose node the filter keeps: how much the filter keeps of it, with which status, and its peak; see `peakIn`. */
  planFigures(
    params: InPack & { readonly filter: string; readonly version: string; readonly entries: readonly RankedEntry[] },
  ): Promise<{ id: string; coverage: StatusCoverage; peak: number }[]>;
  /** How much of the keywords that entries had when they were planned is still in their branches, for those with little. */
  changedEntries(
    params: InPack & {
      readonly entries: readonly PlannedEntry[];
      readonly branches: readonly { readonly id: string; readonly fingerprint: readonly string[] }[];
    },
  ): Promise<{ entry: string; kept: number }[]>;
  /**
   * The links between the page of an entry and those of others; undefined where nothing is known about what is similar, or the
   * entry has no node.
   */
  planLinks(
    params: InPack & {
      readonly entries: readonly (PlannedEntry & { readonly primary: string })[];
      readonly entry: string;
    },
  ): Promise<PlanLinks['links']>;
  /** Where entries without a node may belong. */
  planSuggestions(
    params: InPack & { readonly entries: readonly PlannedEntry[]; readonly missing: readonly MissingEntry[] },
  ): Promise<PlanSuggestions['suggestions']>;
}

/** A branch that holds less than this share of its former keywords counts as changed. */
const changedBelow = 0.2;

export function createPlanQueries(packs: OpenPacks<OpenPack>): PlanQueries {
  return {
    planFacts: ({ packKey, addresses, signal }) =>
      packs.use(packKey, ({ pack }) => nodeFacts(pack, addresses, pauseFor(signal))),
    movedKeywords: ({ packKey, moves, wanted, signal }) =>
      packs.use(packKey, ({ pack }) => movedKeywords(pack, moves, new Set(wanted), pauseFor(signal))),
    planPlaces: ({ packKey, entries, wanted, signal }) =>
      packs.use(packKey, async ({ pack }) => {
        const rows = await rowsOfEntries(pack, entries, pauseFor(signal));
        const wantedIds = wanted ? new Set(wanted) : undefined;
        const found = [...rows].filter(([id]) => !wantedIds || wantedIds.has(id));
        const at = found.map(([, row]) => row);
        const [figures, addresses] = [await figuresOf(pack, at), await addressesAt(pack, at)];
        return found.map(([id], place) => ({ id, address: addresses[place]!, ...figures[place]! }));
      }),
    planTotals: ({ packKey, version, entries, branch, signal }) =>
      packs.use(packKey, async ({ pack }) => {
        const pause = pauseFor(signal);
        const rolled = await rolledUp(pack, { version, entries, pause });
        const whole = await rolled.coverageOf(0);
        if (branch === undefined) return { whole };
        const ofBranch = await rolled.coverageOf(branch);
        const usual = (await primaryKeywordsOf(pack, pause))(branch);
        const [usualKeyword] = usual === noRow ? [] : await namesAt(pack, Uint32Array.of(usual));
        return { whole, branch: ofBranch, ...(usualKeyword !== undefined && { usualKeyword }) };
      }),
    planFigures: ({ packKey, filter, version, entries, signal }) =>
      packs.use(packKey, async ({ pack, filters }) => {
        const filtered = filter === '' ? undefined : await filters.use(filter, signal);
        const rows = await rowsOfEntries(pack, entries, pauseFor(signal));
        const remaining = [...rows].filter(([, row]) => !filtered || filtered.keeps(row)).sort(([, a], [, b]) => a - b);
        const rolled = await rolledUp(filtered ?? pack, { version, entries, pause: pauseFor(signal) });
        const at = Uint32Array.from(remaining, ([, row]) => row);
        const coverage = await rolled.coverageAt(at);
        const peaks = await peaksOf(filtered ?? pack, at, pauseFor(signal));
        return remaining.map(([id], nth) => ({
          id,
          coverage: coverage[nth]!,
          peak: peaks?.peak[nth] ?? unknownPeak,
        }));
      }),
    changedEntries: ({ packKey, entries, branches, signal }) =>
      packs.use(packKey, async ({ pack }) => {
        const pause = pauseFor(signal);
        const rows = await rowsOfEntries(pack, entries, pause);
        const placed = branches.flatMap(({ id, fingerprint }) => {
          const row = rows.get(id);
          return row === undefined ? [] : [{ entry: id, row, fingerprint }];
        });
        const shares = await sharesOf(pack, { branches: placed, pause });
        return placed.map(({ entry }, at) => ({ entry, kept: shares[at]! })).filter(({ kept }) => kept < changedBelow);
      }),
    planLinks: ({ packKey, entries, entry, signal }) =>
      packs.use(packKey, async ({ pack }) => {
        const pause = pauseFor(signal);
        const rows = await rowsOfEntries(pack, entries, pause);
        const own = rows.get(entry);
        const links = await pageLinks(pack, Uint32Array.from(rows.values()), pause);
        if (own === undefined || !links) return undefined;
        const idOf = new Map(Array.from(rows, ([id, row]) => [row, id]));
        const from = [...links].flatMap(([row, to]) => (to.includes(own) ? [row] : []));
        const chosen = new Map(entries.map(({ id, primary }) => [id, primary]));
        const usual = await primaryKeywordsOf(pack, pause);
        const named = await namesOf(
          pack,
          [own, ...links.get(own)!].flatMap((row) => [row, usual(row)]),
        );
        const anchorOf = (row: number): string => chosen.get(idOf.get(row)!) || named(usual(row)) || named(row);
        return {
          to: links.get(own)!.map((row) => ({ entry: idOf.get(row)!, anchor: anchorOf(row) })),
          from: from.map((row) => ({ entry: idOf.get(row)!, anchor: anchorOf(own) })),
        };
      }),
    planSuggestions: ({ packKey, entries, missing, signal }) =>
      packs.use(packKey, async ({ pack }) => {
        const pause = pauseFor(signal);
        const occupied = new Set((await rowsOfEntries(pack, entries, pause)).values());
        const alike = await findAlike(pack, missing, (row) => !occupied.has(row), pause);
        const suggestions: PlanSuggestions['suggestions'] = [];
        for (const [at, { id, kind }] of missing.entries()) {
          const rows = alike[at]!;
          // A keyword that is in several places could be any of them.
          if (kind === 'keyword' && rows.length !== 1) continue;
          const best = suggestPlace(rows.map(({ row, overlap }) => ({ address: String(row), overlap })));
          if (best) suggestions.push(await suggestion(pack, id, Number(best.address), best));
        }
        return suggestions;
      }),
  };
}

type SharesParams = { readonly branches: Parameters<typeof keptShares>[1]; readonly pause: Pause };

/** Cached, because the same shares are requested again after each edit of a status. */
const sharesOf = oncePerPack<number[], SharesParams>((pack, { branches, pause }) => keptShares(pack, branches, pause), {
  nameOf({ branches }) {
    const hash = createHash('sha256');
    for (const { row, fingerprint } of branches) hash.update(`${row} ${fingerprint.join(' ')}\n`);
    return hash.digest('hex');
  },
  sizeOf: (shares) => 8 * shares.length,
});

export async function rowsOfEntries(
  pack: PackReader,
  entries: readonly PlannedEntry[],
  pause: Pause,
): Promise<ReadonlyMap<string, number>> {
  const addressOf = pathAddresses(pack.metadata.rootName);
  const keyed = entries.map(({ id, paths }) => ({ id, paths: paths.map(addressOf) }));
  await pause();
  const rows = await placesAt(
    pack,
    keyed.flatMap(({ paths }) => paths),
    pause,
  );
  return matchEntries(keyed, (address) => rows.get(address));
}

/** `version` names the plan and its revision: equal versions have equal entries. */
type RollUpParams = { readonly version: string; readonly entries: readonly RankedEntry[]; readonly pause: Pause };

/**
 * The statuses of a plan, rolled up over a pack or over what a filter keeps of it.
 */
export const rolledUp = oncePerPack<StatusRollUp, RollUpParams, View>(rollUp, {
  nameOf: ({ version }) => version,
  sizeOf: ({ bytes }) => bytes,
});

async function rollUp(pack: View, { entries, pause }: RollUpParams): Promise<StatusRollUp> {
  const rows = await rowsOfEntries(pack.whole, entries, pause);
  const statuses = entries.flatMap(({ id, rank }) => {
    const row = rows.get(id);
    return row === undefined ? [] : [{ row, rank }];
  });
  return rollUpStatus(pack, statuses, pause);
}

export async function addressesAt(pack: PackReader, rows: readonly number[]): Promise<string[]> {
  const ascending = Uint32Array.from(new Set(rows)).sort();
  const halves = await pack.gather('address', ascending);
  const places = new Map(Array.from(ascending, (row, at) => [row, at]));
  return rows.map((row) => {
    const at = places.get(row)!;
    return formatAddress(halves[2 * at + 1]!, halves[2 * at]!);
  });
}

async function suggestion(
  pack: PackReader,
  entry: string,
  row: number,
  { overlap, isLikely }: { readonly overlap: number; readonly isLikely: boolean },
): Promise<PlanSuggestions['suggestions'][number]> {
  const path = (await pathTo(pack, row)).subarray(1);
  const [node] = await addressesAt(pack, [row]);
  return { entry, node: node!, path: await namesAt(pack, path), overlap, isLikely };
}
