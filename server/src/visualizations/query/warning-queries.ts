import { describePath } from '@kc/pack/detail/node-detail';
import type { Pause } from '@kc/pack/format/in-pieces';
import { locate, pathTo } from '@kc/pack/format/locate';
import { namesAt } from '@kc/pack/format/names-at';
import { oncePerPack } from '@kc/pack/format/once-per-pack';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { type NodePath, pathOf } from '@kc/pack/plan/node-paths';
import type { FilteredPack } from '@kc/pack/sums/filtered-pack';
import { type WarningKind, type WarningThresholds, warningKinds } from '@kc/pack/vocabulary/warnings';
import { type AllWarnings, findWarnings } from '@kc/pack/warnings/find-warnings';
import {
  type Dismissed,
  eachPlace,
  type OpenList,
  type OpenWarnings,
  openWarnings,
  warningMarks,
} from '@kc/pack/warnings/open-warnings';
import type { Evidence, WarningList } from '@kc/pack/warnings/warning-list';
import { limits } from '@kc/rules/limits';
import type { WarningLine, WarningMarks, WarningPage, WarningPlace, WarningSummary } from '@kc/rules/warning-shapes';
import { quietKind } from '@kc/rules/warnings';
import { type Storage, whileOpen } from '../../storage/storage.ts';
import { pauseFor } from './cancellation.ts';
import type { OpenPack } from './filters.ts';
import type { OpenPacks } from './open-packs.ts';

/** Which warnings: of what a filter keeps, by thresholds, without those that are dismissed. */
export type WarningsQuery = {
  readonly packKey: string;
  readonly fileKey: string;
  /** Canonical, without conditions on clusters and pillars. */
  readonly filter: string;
  readonly thresholds: WarningThresholds;
  readonly dismissed: readonly Dismissed[];
  readonly signal?: AbortSignal | undefined;
};

export interface WarningQueries {
  /** The kinds in the order of the list, the quiet one and those without an answer last. */
  warningSummary(params: WarningsQuery): Promise<WarningSummary['kinds']>;
  warningPage(
    params: WarningsQuery & { readonly kind: WarningKind; readonly from: number; readonly count: number },
  ): Promise<WarningPage>;
  /** @throws RangeError if the row is not a node */
  nodeWarnings(params: WarningsQuery & { readonly node: number }): Promise<WarningLine[]>;
  warningMarks(params: WarningsQuery & { readonly withUnknown: boolean }): Promise<WarningMarks>;
  /** The path of a node ID; undefined if the pack does not have it. */
  nodePath(
    params: Pick<WarningsQuery, 'packKey' | 'signal'> & { readonly address: string },
  ): Promise<NodePath | undefined>;
}

type OpenWarningsParams = {
  readonly pack: PackReader;
  readonly dismissed: readonly Dismissed[];
  readonly pause: Pause;
};

/** By found warnings: what was open when these were dismissed. */
const openOf = oncePerPack<OpenWarnings, OpenWarningsParams, AllWarnings>(
  (all, { pack, dismissed, pause }) => openWarnings(pack, all, dismissed, pause),
  {
    nameOf: ({ dismissed }) => JSON.stringify(dismissed),
    sizeOf: (open) =>
      Object.values(open).reduce((sum, list) => sum + ('missing' in list ? 0 : list.open.byteLength), 0),
  },
);

type Found = { readonly pack: FilteredPack; readonly all: AllWarnings; readonly open: OpenWarnings };

export function createWarningQueries(packs: OpenPacks<OpenPack>, storage: Storage): WarningQueries {
  function find<T>(params: WarningsQuery, work: (found: Found) => Promise<T>): Promise<T> {
    const { packKey, fileKey, filter, thresholds, signal } = params;
    return packs.use(packKey, async ({ filters }) => {
      const pack = await filters.use(filter, signal);
      const pause = pauseFor(signal);
      return whileOpen(storage, fileKey, async (original) => {
        const all = await findWarnings(pack, thresholds, original, pause);
        return work({ pack, all, open: await openOf(all, { pack: pack.whole, ...params, pause }) });
      });
    });
  }

  return {
    warningSummary: (params) => find(params, async ({ open }) => summaryOf(open)),
    warningPage: (params) =>
      find(params, async ({ pack, all, open }) => {
        const found = open[params.kind];
        if ('missing' in found) return { total: 0, lines: [] };
        const some = found.open.subarray(params.from, params.from + params.count);
        return { total: found.open.length, lines: await linesOf(pack.whole, all, found.list, some) };
      }),
    nodeWarnings: (params) =>
      find(params, async ({ pack, all, open }) => {
        await pathTo(pack.whole, params.node);
        const lines: WarningLine[] = [];
        for (const kind of warningKinds) {
          const at = new Set<number>();
          eachPlace(open, kind, (row, index) => row === params.node && at.add(index));
          const some = Uint32Array.from(at).subarray(0, limits.warningsAtATime);
          if (some.length > 0) lines.push(...(await linesOf(pack.whole, all, (open[kind] as OpenList).list, some)));
        }
        return lines;
      }),
    warningMarks: (params) =>
      find(params, ({ pack, open }) => {
        const kinds = warningKinds.filter((kind) => kind !== quietKind || params.withUnknown);
        const ofNodes = kinds.filter((kind) => kind !== 'unplaced');
        return warningMarks(pack.whole, open, ofNodes, limits.maxWarningMarks, pauseFor(params.signal));
      }),
    nodePath: ({ packKey, address, signal }) =>
      packs.use(packKey, async ({ pack }) => {
        const path = await locate(pack, address, pauseFor(signal));
        return path && pathOf(pack, path.at(-1)!);
      }),
  };
}

function summaryOf(open: OpenWarnings): WarningSummary['kinds'] {
  const kinds = warningKinds.map((kind): WarningSummary['kinds'][number] & { weight: number } => {
    const found = open[kind];
    if ('missing' in found) return { kind, count: 0, dismissed: 0, missing: found.missing, weight: -2 };
    const weight = found.open.reduce((sum, at) => sum + (found.list.volumes[at]! || 0), 0);
    return { kind, count: found.open.length, dismissed: found.dismissed, weight: kind === quietKind ? -1 : weight };
  });
  kinds.sort((one, other) => other.weight - one.weight || Number(other.count > 0) - Number(one.count > 0));
  return kinds.map(({ weight: _, ...kind }) => kind);
}

async function linesOf(pack: PackReader, { urls }: AllWarnings, list: WarningList, some: Uint32Array) {
  const lines: WarningLine[] = [];
  for (const at of some) {
    const place = await placeOf(pack, list.rows[at]!);
    const volume = list.volumes[at]!;
    const { firstUrl, secondUrl, ...figures } = Object.fromEntries(
      Object.entries(list.figures).map(([name, values]) => [name, values[at]!] as const),
    );
    const leading = [firstUrl, secondUrl].filter((url) => url !== undefined && !Number.isNaN(url));
    const places = list.places && (await placesOf(pack, list.places, at));
    const ofPlace = list.kind === 'repeated' ? place.path.at(-1) : undefined;
    const subject = list.urls
      ? urls[list.urls[at]!]
      : list.kind === 'results-alike'
        ? places!.places[1]!.address
        : ofPlace;
    lines.push({
      kind: list.kind,
      ...place,
      keywords: list.keywords[at]!,
      ...(!Number.isNaN(volume) && { volume }),
      ...(subject !== undefined && { subject }),
      figures: Object.fromEntries(Object.entries(figures).filter(([, value]) => !Number.isNaN(value))),
      ...(leading.length > 0 && { urls: leading.map((url) => urls[url!]!) }),
      ...places,
      ...(list.evidence && (await groupsOf(pack, list.evidence[at]!))),
    });
  }
  return lines;
}

async function placesOf(pack: PackReader, { starts, rows, keywords }: NonNullable<WarningList['places']>, at: number) {
  const [from, end] = [starts[at]!, starts[at + 1]!];
  const places: WarningPlace[] = [];
  for (let index = from; index < Math.min(end, from + limits.warningPlaces); index++) {
    places.push({ ...(await placeOf(pack, rows[index]!)), ...(keywords && { keywords: keywords[index]! }) });
  }
  const more = end - from - places.length;
  return { places, ...(more > 0 && { morePlaces: more }) };
}

async function groupsOf(pack: PackReader, evidence: readonly Evidence[]) {
  const groups: NonNullable<WarningLine['groups']> = [];
  for (const { rows, urls } of evidence.slice(0, limits.warningGroups)) {
    const named = Uint32Array.from(rows.slice(0, limits.warningGroupKeywords));
    groups.push({ keywords: await namesAt(pack, named), count: rows.length, urls: [...urls] });
  }
  const more = evidence.length - groups.length;
  return { groups, ...(more > 0 && { moreGroups: more }) };
}

async function placeOf(pack: PackReader, row: number): Promise<WarningPlace> {
  const rows = await pathTo(pack, row);
  const [last] = await describePath(pack, rows.subarray(-1));
  return { node: row, address: last!.address, path: await namesAt(pack, rows.subarray(1)) };
}
