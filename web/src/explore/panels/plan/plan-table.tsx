import { monthText } from '@kc/pack/vocabulary/months';
import type { PlanChangeRequest } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { shownName } from '@kc/rules/visible-text';
import { memo, type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { DataGrid, GridRow, type RowFrame, type RowGestures } from '../../../ui/data-grid.tsx';
import { useMedia } from '../../../ui/environment.ts';
import type { GridColumn } from '../../../ui/grid-columns.ts';
import { useCursor, useLoadedSelection } from '../../../ui/loaded-rows.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { counted, exact, share, unknown } from '../../format/figure-text.ts';
import { pageLevelOf } from '../../model/levels.ts';
import {
  isListed,
  isWithin,
  type ListedEntry,
  listedEntries,
  monthOf,
  type PlanColumn,
  type PlanListLook,
  type PlanSort,
  planColumns,
  readPlanList,
  withFigures,
  writePlanList,
} from '../../model/plan-list.ts';
import { pendingFields } from '../../model/plan-state.ts';
import { pathTo } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/columns.ts';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { BriefMenu } from '../handover/brief-menu.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { removeEntries } from './plan-actions.ts';
import { type EditedField, isEdited, PlanCellEditor } from './plan-cell-editor.tsx';
import { PlanFilterBar } from './plan-filter-bar.tsx';
import { explainPlan, FieldConflict, fieldWords, StatusMark, sayPlan } from './plan-texts.tsx';
import { usePlan, usePlanFigures, usePlannedEntries, usePlanState } from './use-plan.ts';

const noFields: ReadonlySet<string> = new Set();
/** How long the cursor rests on an entry before it is selected. */
const restMs = 200;

/** The entries of the plan within the focus, as far as the filter of the map keeps them, as a grid, once they are loaded. */
export function PlanTable() {
  const { isLoaded } = usePlanState();
  const { isPending } = usePlanFigures();
  const isFiltered = useLook((look) => look.filter !== '');
  // The grid measures itself when it appears.
  return isLoaded && !(isFiltered && isPending) ? <PlanGrid /> : <Skeleton className="absolute inset-4 h-40" />;
}

/** Its cells are edited in place. */
function PlanGrid() {
  const explorer = useExplorer();
  const { store, tree, source } = explorer;
  const plan = usePlan();
  const toast = useToast();
  const state = usePlanState();
  const planned = usePlannedEntries();
  const { focus, filter } = useLooks('focus', 'filter');
  const figures = usePlanFigures();
  const lookText = useLook((look) => look.planList);
  const look = useMemo(() => readPlanList(lookText), [lookText]);
  const setLook = useCallback((next: PlanListLook) => store.setState({ planList: writePlanList(next) }), [store]);
  const { content } = tree;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is another node in other content
  const within = useMemo(
    () =>
      pathTo(tree, focus)
        .slice(1)
        .map((row) => tree.ownName(row)),
    [tree, content, focus],
  );
  const all = useMemo(() => planned.filter(isWithin(within)).length, [planned, within]);
  const here = useMemo(
    () => listedEntries(withFigures(planned, figures.data?.entries, filter !== ''), look.sort, within),
    [planned, figures.data, filter, look, within],
  );
  const entries = useMemo(() => {
    const month = monthOf(new Date());
    return here.filter((entry) => isListed(entry, look.filter, month));
  }, [here, look]);
  const ids = useMemo(() => entries.map(({ id }) => id), [entries]);
  const scroller = useRef<HTMLDivElement>(null);
  const rowPx = useMedia('(pointer: coarse)') ? 44 : 36;
  const selected = useLook((look) => (look.selected === none ? undefined : tree.addressOf(look.selected)));
  const ofSelected = selected === undefined ? undefined : entries.find((entry) => entry.node === selected);
  const cursor = useCursor(ids, ofSelected?.id);
  const selection = useLoadedSelection(ids, cursor.current, cursor.goTo);
  const { picked, clear } = selection;
  const [isSetting, setSetting] = useState(false);
  const rank = Math.max(0, cursor.current === undefined ? 0 : ids.indexOf(cursor.current));
  const columns = useHeads({
    sort: look.sort,
    onSort: useCallback((sort: PlanSort) => setLook({ ...look, sort }), [look, setLook]),
    picked: picked.length,
    of: ids.length,
    onAll: selection.allOrNone,
  });
  useEffect(() => {
    if (document.activeElement === document.body) scroller.current?.focus();
  }, []);
  const current = entries[rank];
  const isMoved = cursor.at !== undefined;

  // What is selected elsewhere is where the cursor is, unless it is on another entry of the same branch.
  const followed = ofSelected?.id;
  const follow = useEffectEvent((id: string) => current?.node !== selected && cursor.goTo(id));
  useEffect(() => {
    if (followed !== undefined) follow(followed);
  }, [followed]);

  // What the cursor rests on is selected everywhere.
  const node = current?.node;
  const isSelected = useEffectEvent(() => node === selected);
  useEffect(() => {
    if (node === undefined || !isMoved || isSelected()) return;
    let isUnmounted = false;
    const timer = setTimeout(async () => {
      const { path } = await source.locate(node, store.getState().filter).catch(() => ({ path: [] }));
      if (isUnmounted || path.length === 0) return;
      const row = await explorer.loadPath(path);
      if (!isUnmounted && row !== none) explorer.select(row);
    }, restMs);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, [node, isMoved, source, store, explorer]);

  const save = useCallback(
    (entry: PlanEntry, change: Partial<PlanChangeRequest>, seen?: number) =>
      void plan.change([{ entry: entry.id }], change, seen),
    [plan],
  );
  const remove = () => {
    const some = picked.length > 0 ? entries.filter(({ id }) => selection.isPicked.has(id)) : current ? [current] : [];
    if (some.length === 0) return;
    removeEntries(explorer, some, toast);
    clear();
  };

  async function openHere(address: string): Promise<void> {
    try {
      const { path } = await source.locate(address, filter);
      const row = path.length === 0 ? none : await explorer.loadPath(path);
      if (row === none) return;
      explorer.select(row);
      store.setState({ detailOpen: true });
    } catch (failure) {
      store.setState({ notice: explorer.explain(failure) });
    }
  }

  const where = tree.size === 0 ? 'everything' : tree.name(focus);
  const conflicted = entries.filter(({ id }) => state.conflicts.has(id));
  return (
    <div className="absolute inset-0 flex flex-col bg-surface">
      {here.length > 0 && (
        <PlanFilterBar entries={here} filter={look.filter} onChange={(next) => setLook({ ...look, filter: next })} />
      )}
      <div className="relative min-h-0 flex-1">
        <DataGrid
          id="plan-row"
          role="grid"
          label={`Plan of ${where}`}
          attributes={{ className: 'absolute inset-0' }}
          scroller={scroller}
          columns={columns}
          count={entries.length}
          keyAt={(at) => ids[at]!}
          rowPx={rowPx}
          cursor={rank}
          moves={cursor.at?.key ?? null}
          isPicked={(at) => selection.isPicked.has(ids[at]!)}
          gestures={selection.gestures}
          keys={{
            Delete: remove,
            x: remove,
            Escape: () => {
              if (picked.length > 0) clear();
              else explorer.climb();
            },
          }}
          onOpen={(at) => entries[at]?.node !== undefined && void openHere(entries[at].node)}
          row={(frame) => {
            const entry = entries[frame.rank];
            if (!entry) return null;
            const writer = state.recentWriters.get(entry.id);
            return (
              <PlanRow
                key={entry.id}
                {...frame}
                entry={entry}
                waiting={state.pendingWrites.length > 0 ? pendingFields(state, entry.id) : noFields}
                writer={writer === undefined ? undefined : (state.people.get(writer) ?? 'a deleted account')}
                hasConflict={state.conflicts.has(entry.id)}
                gestures={selection.gestures}
                onSave={save}
              />
            );
          }}
        />
        {entries.length === 0 && (
          <NothingListed
            planned={all}
            kept={here.length}
            where={where}
            onShowAll={() => setLook({ ...look, filter: {} })}
          />
        )}
      </div>
      {conflicted.length > 0 && (
        <section aria-label="Conflicts" className="max-h-40 overflow-y-auto border-t border-line px-3 py-2">
          {conflicted.flatMap((entry) =>
            (state.conflicts.get(entry.id) ?? []).map(({ field }) => (
              <div key={`${entry.id} ${field}`} className="text-small">
                <bdi className="font-semibold">{entry.path.at(-1)}</bdi> · {fieldWords[field]}
                <FieldConflict entry={entry} field={field} />
              </div>
            )),
          )}
        </section>
      )}
      {picked.length > 0 && (
        <div
          role="toolbar"
          aria-label="Selection"
          className="flex flex-wrap items-center gap-3 border-t border-line-strong bg-brand-soft px-3 py-1.5 text-small text-brand-ink"
        >
          <p className="m-0 min-w-0 flex-1">{counted(picked.length, 'entry', 'entries')} selected</p>
          <Button size="dense" onClick={() => setSetting(true)}>
            Set…
          </Button>
          <BriefMenu nodes={entries.flatMap(({ id, node }) => (node && selection.isPicked.has(id) ? [node] : []))} />
          <Button size="dense" variant="danger-ghost" onClick={remove}>
            Remove
          </Button>
          <Button size="dense" onClick={clear}>
            Clear
          </Button>
        </div>
      )}
      <ListStatus listed={entries.length} here={all} isFiltered={filter !== ''} figures={figures} />
      {isSetting && (
        <BulkDialog
          targets={picked.map((id) => ({ entry: id }))}
          what={counted(picked.length, 'entry', 'entries')}
          onClose={() => setSetting(false)}
        />
      )}
    </div>
  );
}

type Heads = {
  readonly sort: PlanSort;
  readonly onSort: (sort: PlanSort) => void;
  readonly picked: number;
  readonly of: number;
  readonly onAll: () => void;
};

/** The columns as those of a grid, after one with a box for each row. */
function useHeads({ sort, onSort, picked, of, onAll }: Heads): readonly GridColumn[] {
  const columns = useMemo(
    () =>
      planColumns.map(
        ({ id, title, width, isNumber = false }): GridColumn => ({
          ...{ id, title, width, isText: !isNumber, isEditable: isEdited(id) },
          shownWidth: width,
          sort: {
            direction: sort.by === id ? (sort.descending ? 'descending' : 'ascending') : undefined,
            onSort: () => onSort({ by: id, descending: sort.by === id ? !sort.descending : isNumber }),
          },
        }),
      ),
    [sort, onSort],
  );
  const [isAll, isSome] = [of > 0 && picked === of, picked > 0];
  return useMemo(() => {
    const head = (
      <div className="flex h-full min-w-0 flex-1 items-center justify-center pl-2">
        <Checkbox
          label="Select all entries"
          showLabel={false}
          checked={isAll}
          mixed={isSome && !isAll}
          onChange={onAll}
        />
      </div>
    );
    const box = { id: 'check', title: 'Select', isText: false, width: 36, shownWidth: 36, isControl: true, head };
    return [box, ...columns];
  }, [columns, isAll, isSome, onAll]);
}

type EmptyProps = {
  /** How many entries are here before the map’s filter, and how many of them it keeps before the list’s own filter. */
  readonly planned: number;
  readonly kept: number;
  /** The name of the focus. */
  readonly where: string;
  readonly onShowAll: () => void;
};

/** Why the list is empty, and what to do. */
function NothingListed({ planned, kept, where, onShowAll }: EmptyProps) {
  const explorer = useExplorer();
  const pages = useLook(pageLevelOf);
  const [text, label, act] =
    kept > 0
      ? ([sayPlan('plan/none-listed'), 'Show all entries', onShowAll] as const)
      : planned > 0
        ? ([sayPlan('plan/none-kept'), 'Clear the filter', () => void explorer.setFilter('')] as const)
        : ([
            sayPlan('plan/none-here', { place: where }),
            `Show ${pages}`,
            () => explorer.store.setState({ level: pages }),
          ] as const);
  return (
    <div className="absolute inset-x-0 top-12 flex flex-col items-center gap-3 p-6 text-center text-small">
      <p className="m-0 text-muted">{text}</p>
      <Button size="dense" onClick={act}>
        {label}
      </Button>
    </div>
  );
}

type StatusProps = {
  readonly listed: number;
  readonly here: number;
  readonly isFiltered: boolean;
  readonly figures: ReturnType<typeof usePlanFigures>;
};

/** How much of the plan is listed, and what its figures are about. */
function ListStatus({ listed, here, isFiltered, figures }: StatusProps) {
  const explorer = useExplorer();
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 border-t border-line px-3 py-1 text-micro text-muted"
    >
      <span>
        {listed < here ? `${exact(listed)} of ` : ''}
        {counted(here, 'entry', 'entries')}
      </span>
      {isFiltered && <span>With the figures of what the filter keeps</span>}
      <span className="touch:hidden">F2 edits a cell, Space selects, X removes</span>
      {figures.isError && (
        <span className="flex items-center gap-2 text-bad">
          {sayPlan('plan/no-figures')} {explainPlan(explorer, figures.error)}
          <Button size="dense" onClick={() => void figures.refetch()}>
            Try again
          </Button>
        </span>
      )}
    </div>
  );
}

type RowProps = RowFrame & {
  readonly entry: ListedEntry;
  /** Fields that wait to be saved, and the person who has just changed this entry. */
  readonly waiting: ReadonlySet<string>;
  readonly writer: string | undefined;
  readonly hasConflict: boolean;
  readonly gestures: Required<RowGestures>;
  readonly onSave: (entry: PlanEntry, change: Partial<PlanChangeRequest>, seen?: number) => void;
};

/** One entry of the plan. A double click on a cell edits it. */
const PlanRow = memo(function PlanRow(props: RowProps) {
  const { entry, waiting, writer, hasConflict, gestures, onSave, ...frame } = props;
  const name = shownName(entry.path.at(-1)!);
  return (
    <GridRow
      frame={frame}
      className={writer === undefined ? '' : 'shadow-[inset_3px_0_0_var(--info)]'}
      cellProps={({ id }) => ({ className: waiting.has(id) ? 'italic' : '' })}
      cell={({ id }, isEditing) => {
        if (id === 'check') {
          return (
            <div className="flex h-full min-w-0 flex-1 items-center justify-center pl-2">
              <Checkbox
                label={`Select ${name}`}
                showLabel={false}
                tabIndex={-1}
                checked={frame.isPicked}
                onChange={(_, shift) => (shift ? gestures.extend : gestures.toggle)(frame.rank)}
              />
            </div>
          );
        }
        if (isEditing) {
          return (
            <PlanCellEditor
              entry={entry}
              field={id as EditedField}
              onSave={(change, seen) => onSave(entry, change, seen)}
              onEnd={frame.grid.endEdit}
            />
          );
        }
        if (id === 'name') {
          return (
            <span className="flex min-w-0 items-baseline gap-2">
              <bdi className="min-w-0 truncate" title={entry.path.join(' › ')}>
                {name}
              </bdi>
              {entry.node === undefined && <span className="shrink-0 text-micro text-muted">not in this upload</span>}
              {hasConflict && <span className="shrink-0 text-micro text-warn">⚠ see below</span>}
              {writer !== undefined && <span className="shrink-0 text-micro text-info">{writer}</span>}
            </span>
          );
        }
        return (
          <span className="min-w-0 truncate">
            {cellOf(id as PlanColumn['id'], entry)}
            {waiting.has(id) && <span className="sr-only">, not saved yet</span>}
          </span>
        );
      }}
    />
  );
});

function cellOf(id: PlanColumn['id'], entry: ListedEntry): ReactNode {
  switch (id) {
    case 'status':
      return <StatusMark status={entry.status} />;
    case 'keywords':
      return exact(entry.keywords);
    case 'volume':
      return entry.volume === undefined ? <span className="text-muted italic">{unknown}</span> : exact(entry.volume);
    case 'covered':
      if (!entry.covered) return nothing;
      return <span title={`Of its ${entry.covered.of}`}>{share(entry.covered.share, 1)}</span>;
    case 'due':
      return entry.due === '' ? nothing : monthText(entry.due);
    case 'tags':
      return entry.tags.length === 0 ? nothing : <bdi title={entry.tags.join(', ')}>{entry.tags.join(', ')}</bdi>;
    default: {
      const text = entry[id as 'assignee'];
      return text === '' ? nothing : <bdi title={text}>{text}</bdi>;
    }
  }
}

const nothing = <span className="text-muted">–</span>;
