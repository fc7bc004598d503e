import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { say } from '@kc/rules/explorer-messages';
import type { SelectionTotals } from '@kc/rules/shapes';
import { useEffect, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { LazyBoundary, lazyPart } from '../../../ui/lazy-boundary.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { counted, exact, mean, share } from '../../format/figure-text.ts';
import { comparePicked } from '../../model/compare.ts';
import { levelOf } from '../../model/levels.ts';
import { countPicked, nothingPicked, type Picked, toSelection } from '../../model/picked.ts';
import type { PlanTarget } from '../../model/plan-state.ts';
import { maxCompared } from '../../model/url-state.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { pickedTargets, planPicked } from '../plan/plan-actions.ts';
import { useShareActions } from '../share/share-actions.ts';
import { levelWords } from '../view-names.ts';
import { useList } from './use-list.ts';

const BulkDialog = lazyPart(async () => (await import('../plan/bulk-dialog.tsx')).BulkDialog);

/** What is selected outside the list has the usual order and columns. */
const asExported = { sort: '-volume', fields: [], withTrends: false } as const;

/** More would not fit in a filter. */
const maxKept = 50;

/** What is selected in the list or in Opportunity, its totals, and what can be done with it. */
export function SelectionBar() {
  const explorer = useExplorer();
  const { store, source } = explorer;
  const picked = useLook((state) => state.picked);
  const total = useList((state) => state.total) ?? 0;
  const query = useList((state) => state.query);
  const shareActions = useShareActions();
  const filter = useLook((state) => state.filter);
  /** The newest totals, and what they belong to. */
  const [found, setFound] = useState<{ of: Picked; totals: SelectionTotals } | undefined>();
  const [failure, setFailure] = useState<unknown>();
  /** Under another filter than the list, as drawn in Opportunity, only the server knows how many they are. */
  const isOfList = query !== undefined && query.filter === picked.filter && query.level === picked.all?.level;
  const count = picked.all && !isOfList ? (found?.of === picked ? found.totals.rows : 0) : countPicked(picked, total);
  useEffect(() => {
    const asking = new AbortController();
    setFailure(undefined);
    source.selectionTotals(toSelection(picked, filter), asking.signal).then(
      (totals) => {
        setFound({ of: picked, totals });
        store.setState({ spoken: textOf(totals) });
      },
      (problem: unknown) => !asking.signal.aborted && setFailure(problem),
    );
    return () => asking.abort();
  }, [picked, filter, source, store]);
  const whole = picked.all && picked.rows.size === 0 ? picked.all : undefined;
  /** The filter that keeps exactly what is selected; undefined if that is everything. */
  const ownFilter = whole && picked.filter !== filter ? picked.filter : undefined;
  const addresses = picked.all ? [] : [...picked.rows.values()];
  const keepOnly = () => {
    if (ownFilter !== undefined) {
      void explorer.setFilter(ownFilter);
      store.setState({ picked: nothingPicked });
      return;
    }
    const before = readFilter(filter);
    if (before) void explorer.setFilter(writeFilter({ ...before, within: addresses }));
    store.setState({ picked: nothingPicked });
  };
  return (
    <div
      role="toolbar"
      aria-label="Selection"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line-strong bg-brand-soft px-3 py-1.5 text-small text-brand-ink"
    >
      <p className="m-0 min-w-0 flex-1 basis-64 tabular-nums">
        {failure === undefined ? (
          found?.of === picked ? (
            textOf(found.totals)
          ) : (
            `${exact(count)} selected`
          )
        ) : (
          <span role="alert">
            {exact(count)} selected. {say('explore/totals-failed')} {explorer.explain(failure)}
          </span>
        )}
      </p>
      {explorer.isKept && count > 0 && <PlanButtons count={count} />}
      {(ownFilter !== undefined || (addresses.length > 0 && addresses.length <= maxKept)) && (
        <Button size="dense" onClick={keepOnly}>
          Keep only these
        </Button>
      )}
      {!picked.all && count >= 2 && count <= maxCompared && (
        <Button size="dense" onClick={() => void comparePicked(explorer)}>
          Compare
        </Button>
      )}
      {!picked.all && explorer.mayDownload && (
        <Button size="dense" onClick={() => shareActions.table([...picked.rows.keys()], 'selected')}>
          Export
        </Button>
      )}
      {whole && explorer.mayDownload && (
        <a
          href={source.listUrl(isOfList ? query : { ...whole, ...asExported, filter: picked.filter })}
          download
          className="flex h-8 items-center rounded-control border border-line-strong bg-surface px-3 text-ink touch:h-11"
        >
          Export
        </a>
      )}
      <Button size="dense" onClick={() => store.setState({ picked: nothingPicked })}>
        Clear
      </Button>
    </div>
  );
}

/** Adds what is selected to the plan, or sets fields of it. */
function PlanButtons({ count }: { readonly count: number }) {
  const explorer = useExplorer();
  const toast = useToast();
  const level = useLook((state) => state.picked.all?.level ?? levelOf(state));
  const [targets, setTargets] = useState<readonly PlanTarget[]>();
  const what = level === 'tree' || level === 'plan' ? counted(count, 'row') : levelWords[level].count(count);
  return (
    <>
      <Button size="dense" onClick={() => void planPicked(explorer, toast)}>
        Add to plan
      </Button>
      <Button
        size="dense"
        onClick={() =>
          void pickedTargets(explorer).then(setTargets, (failure: unknown) => toast(explorer.explain(failure)))
        }
      >
        Set…
      </Button>
      <LazyBoundary>
        {targets && <BulkDialog targets={targets} what={what} onClose={() => setTargets(undefined)} />}
      </LazyBoundary>
    </>
  );
}

/** "14 selected · 3,204 keywords · 81,240 volume · KD 29.4 (known for 52 % of volume)" */
export function textOf({ rows, keywords, volume, difficulty, difficultyShare }: SelectionTotals): string {
  const isKnown = difficulty !== undefined && difficultyShare !== undefined;
  return [
    `${exact(rows)} selected`,
    counted(keywords, 'keyword'),
    volume === undefined ? 'volume unknown' : `${exact(volume)} volume`,
    isKnown ? `KD ${mean(difficulty)} (known for ${share(difficultyShare, 1)} of volume)` : 'KD unknown',
  ].join(' · ');
}
