import type { TopicLevel } from '@kc/pack/levels/level';
import { quadrantPlaces } from '@kc/pack/levels/quadrants';
import { writeSort } from '@kc/pack/levels/row-sort';
import type { LevelRows } from '@kc/pack/levels/rows-wire';
import { scoreFieldName } from '@kc/pack/score/score-name';
import type { ChangesPage } from '@kc/rules/change-shapes';
import type { PlanEntry, PlanTotals } from '@kc/rules/plan-shapes';
import type { NodeDetail } from '@kc/rules/shapes';
import type { WarningLine, WarningSummary } from '@kc/rules/warning-shapes';
import { useQuery } from '@tanstack/react-query';
import type { Stage } from '../../charts/canvas/stage.ts';
import { quadrantNames } from '../../charts/opportunity/plot-text.ts';
import type { Explorer } from '../../model/explorer.ts';
import type { ExplorerState } from '../../model/explorer-state.ts';
import { pageLevelOf } from '../../model/levels.ts';
import type { ListQuery } from '../../model/list-query.ts';
import { scoreKeyOf } from '../../model/score.ts';
import { figuresOf } from '../../tree-data/figures.ts';
import { useExplorer } from '../explorer-context.ts';
import { printedPictureOf } from '../share/shown-picture.ts';

/** The start of the keys of everything that a report asks for. */
export const reportKey = (explorer: Explorer) => ['report', explorer.id] as const;

const opportunitiesListed = 20;
const warningsListed = 5;
export const changesListed = 10;
/** Branches with planned entries whose progress is listed, the largest plans first. */
const branchesListed = 30;

/** What a report is about. It cannot change while the report is open. */
export type ReportScene = Pick<ExplorerState, 'filter' | 'score' | 'vs' | 'thresholds' | 'x' | 'y' | 'tx' | 'ty'> & {
  /** The pack row of the focus. */
  readonly within: number;
  /** The level of the smallest topics. */
  readonly pages: TopicLevel;
};

export function sceneOf({ store, tree }: Explorer): ReportScene {
  const { filter, score, vs, thresholds, x, y, tx, ty, focus } = store.getState();
  return {
    filter,
    score,
    vs,
    thresholds,
    x,
    y,
    tx,
    ty,
    within: tree.node[focus]!,
    pages: pageLevelOf(store.getState()),
  };
}

/** Asks once; a report is a moment. */
function useReportQuery<T>(
  name: string,
  scene: ReportScene,
  ask: (explorer: Explorer, signal: AbortSignal) => Promise<T>,
) {
  const explorer = useExplorer();
  return useQuery({
    queryKey: [...reportKey(explorer), name, scene],
    queryFn: ({ signal }) => ask(explorer, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The chart on the screen as a PNG. @param stage undefined for the points of a level */
export const usePicture = (scene: ReportScene, stage: Stage | undefined) =>
  useReportQuery<Blob>('picture', scene, (explorer) => printedPictureOf(explorer, stage));

/** The figures of the focus. */
export const useFigures = (scene: ReportScene) =>
  useReportQuery<NodeDetail>('figures', scene, ({ source }, signal) =>
    source.node({ node: scene.within, filter: scene.filter }, { signal }),
  );

/** The smallest topics with the highest score; without a score, those with the highest volume. */
export function useTopClusters(scene: ReportScene) {
  const { within, filter, score, pages } = scene;
  const query: ListQuery = {
    level: pages,
    within,
    filter,
    sort: writeSort([{ by: score === undefined ? 'volume' : scoreKeyOf(score), descending: true }]),
    fields: score === undefined ? [] : [scoreFieldName(score)],
    withTrends: false,
  };
  return useReportQuery<LevelRows>('clusters', scene, ({ source }, signal) =>
    source.rows(query, { from: 0, count: opportunitiesListed }, signal),
  );
}

type QuadrantLine = {
  readonly name: string;
  readonly rows: number;
  readonly keywords: number;
  readonly volume: number | undefined;
};

/** The quadrants of the smallest topics, the upper ones first; undefined without a threshold. */
export function useQuadrants(scene: ReportScene) {
  const { within, filter, x, y, tx, ty, pages } = scene;
  return useReportQuery<readonly QuadrantLine[] | null>('quadrants', scene, async ({ source, tree }, signal) => {
    if (tx === undefined && ty === undefined) return null;
    const at = { ...(tx !== undefined && { tx }), ...(ty !== undefined && { ty }) };
    const { quadrants } = await source.points(
      { level: pages, within, filter, x, y, size: 'keywords', ...at, count: 0 },
      signal,
    );
    const rollUps = { x: figuresOf(tree, x)?.rollUp ?? 'mean', y: figuresOf(tree, y)?.rollUp ?? 'mean' } as const;
    const names = quadrantNames({ x, y }, rollUps);
    const lines = quadrantPlaces.map((place, index) => {
      const { rows = 0, keywords = 0, volume } = quadrants[index] ?? {};
      return { name: names[place], rows, keywords, volume };
    });
    return [...lines.slice(2), ...lines.slice(0, 2)];
  });
}

/** A branch below the root with planned entries. */
type PlannedBranch = {
  readonly name: string;
  readonly entries: number;
  readonly totals: NonNullable<PlanTotals['branch']>;
};

/** The progress of everything and of each branch with planned entries. @param revision of the plan, see `PlanState` */
export function usePlanProgress(scene: ReportScene, planned: readonly PlanEntry[], revision: number) {
  const counts = new Map<string, { entries: number; address: string }>();
  for (const { path, node } of planned) {
    if (node === undefined || path[0] === undefined) continue;
    const found = counts.get(path[0]);
    counts.set(path[0], { entries: (found?.entries ?? 0) + 1, address: found?.address ?? node });
  }
  const largest = [...counts].sort(([, one], [, other]) => other.entries - one.entries);
  return useReportQuery(`plan ${revision}`, scene, async (explorer) => {
    const { totals } = explorer.source.plan;
    const branches: PlannedBranch[] = [];
    for (const [name, { entries, address }] of largest.slice(0, branchesListed)) {
      const { path } = await explorer.source.locate(address, '');
      const row = path[1];
      const { branch } = row === undefined ? {} : await totals({ branch: row });
      if (branch) branches.push({ name, entries, totals: branch });
    }
    const { whole } = await totals({});
    return { whole, branches, more: Math.max(0, largest.length - branchesListed) };
  });
}

type KindOfWarnings = {
  readonly kind: WarningSummary['kinds'][number];
  readonly lines: readonly WarningLine[];
};

/** The kinds of warnings that occur, with the first of each. */
export function useWarningKinds(scene: ReportScene) {
  const { filter } = scene;
  return useReportQuery<readonly KindOfWarnings[]>('warnings', scene, async ({ source }, signal) => {
    const { summary, page } = source.warnings;
    const { kinds } = await summary({ filter }, { signal });
    const found: KindOfWarnings[] = [];
    for (const kind of kinds.filter(({ count }) => count > 0)) {
      const { lines } = await page({ kind: kind.kind, from: 0, filter }, { signal });
      found.push({ kind, lines: lines.slice(0, warningsListed) });
    }
    return found;
  });
}

/** The clusters that changed, largest change in volume first. */
export function useChanges(scene: ReportScene) {
  const { vs, filter, thresholds } = scene;
  return useReportQuery<ChangesPage | null>('changes', scene, async ({ source }, signal) =>
    vs === undefined || !source.uploads
      ? null
      : source.changes({ vs, filter, ct: thresholds || undefined, level: 'clusters' }, { signal }),
  );
}
