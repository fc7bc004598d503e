// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are positioned, which table elements do not allow
import type { AskedChange } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { columnTracks } from '../../../ui/grid-columns.ts';
import { useMedia } from '../../../ui/environment.ts';
import { useLongList } from '../../../ui/long-list.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { counted } from '../../format/figure-text.ts';
import {
  isListed,
  isWithin,
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
import { waitingFields } from '../../model/plan-state.ts';
import { pathTo } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/columns.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { FieldConflict } from './field-conflict.tsx';
import { removeEntries } from './plan-actions.ts';
import { type EditedField, isEdited } from './plan-cell-editor.tsx';
import { PlanFilterBar } from './plan-filter-bar.tsx';
import { ListStatus, NothingListed } from './plan-list-notes.tsx';
import { PlanRow, planCellId, planRowId } from './plan-row.tsx';
import { fieldWords } from './plan-words.tsx';
import { usePlan, usePlanFigures, usePlannedEntries, usePlanState } from './use-plan.ts';

const checkPx = 36;
const template = columnTracks([
  { id: 'check', isText: false, width: checkPx, shownWidth: checkPx },
  ...planColumns.map(({ id, width, isNumber = false }) => ({ id, isText: !isNumber, width, shownWidth: width })),
]).join(' ');
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
  const focus = useLook((look) => look.focus);
  const filter = useLook((look) => look.filter);
  const figures = usePlanFigures();
  const lookText = useLook((look) => look.planList);
  const look = useMemo(() => readPlanList(lookText), [lookText]);
  const { sort } = look;
  const setLook = (next: PlanListLook) => store.setState({ planList: writePlanList(next) });
  const within = useMemo(
    () =>
      pathTo(tree, focus)
        .slice(1)
        .map((row) => tree.name(row)),
    [tree, focus],
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
  const scroller = useRef<HTMLDivElement>(null);
  const rowPx = useMedia('(pointer: coarse)') ? 44 : 36;
  const [cursorId, setCursorId] = useState<string>();
  const [cell, setCell] = useState(-1);
  const [editing, setEditing] = useState<EditedField>();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [isSetting, setSetting] = useState(false);
  const cursor = Math.max(
    0,
    entries.findIndex(({ id }) => id === cursorId),
  );
  const lines = useLongList(scroller, {
    count: entries.length,
    linePx: rowPx,
    abovePx: rowPx,
    more: 10,
    always: cursor,
  });
  const { bringIntoSight } = lines;
  useEffect(() => {
    if (document.activeElement === document.body) scroller.current?.focus();
  }, []);
  const current = entries[cursor];
  const chosen = entries.filter(({ id }) => picked.has(id));

  // What the cursor rests on is selected everywhere.
  const node = current?.node;
  useEffect(() => {
    if (node === undefined || cursorId === undefined) return;
    let isGone = false;
    const timer = setTimeout(async () => {
      const { path } = await source.locate(node, store.getState().filter).catch(() => ({ path: [] }));
      if (isGone || path.length === 0) return;
      const row = await explorer.loadPath(path);
      if (!isGone && row !== none) explorer.select(row);
    }, restMs);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [node, cursorId, source, store, explorer]);

  const moveTo = useCallback(
    (rank: number) => {
      const to = entries[Math.min(entries.length - 1, Math.max(0, rank))];
      if (!to) return;
      setCursorId(to.id);
      bringIntoSight(entries.indexOf(to));
    },
    [entries, bringIntoSight],
  );
  const pick = useCallback(
    (rank: number) => {
      const id = entries[rank]?.id;
      if (id === undefined) return;
      setPicked((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      });
    },
    [entries],
  );
  const pickRange = (from: number, to: number) =>
    setPicked(new Set(entries.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ id }) => id)));
  const anchor = useRef<number | undefined>(undefined);
  const click = useCallback(
    (rank: number, event: MouseEvent) => {
      if (event.shiftKey) {
        const from = anchor.current ?? cursor;
        anchor.current = from;
        const [low, high] = [Math.min(from, rank), Math.max(from, rank)];
        setPicked(new Set(entries.slice(low, high + 1).map(({ id }) => id)));
      } else {
        anchor.current = undefined;
        if (event.metaKey || event.ctrlKey) pick(rank);
      }
      moveTo(rank);
    },
    [moveTo, pick, cursor, entries],
  );
  const edit = useCallback(
    (rank: number, field: EditedField) => {
      moveTo(rank);
      setCell(planColumns.findIndex(({ id }) => id === field));
      setEditing(field);
    },
    [moveTo],
  );
  const save = useCallback(
    (entry: PlanEntry, change: Partial<AskedChange>) => void plan.change([{ entry: entry.id }], change),
    [plan],
  );
  const end = useCallback(() => {
    setEditing(undefined);
    scroller.current?.focus();
  }, []);
  const remove = () => {
    const some = chosen.length > 0 ? chosen : current ? [current] : [];
    if (some.length === 0) return;
    removeEntries(
      explorer,
      some.map(({ id, path }) => ({ id, name: path.at(-1)! })),
      toast,
    );
    setPicked(new Set());
  };

  function press(event: KeyboardEvent): void {
    if (event.target !== scroller.current) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 2);
    const isAll = event.key === 'a' && (event.metaKey || event.ctrlKey);
    const step = (rank: number) => {
      const to = Math.min(entries.length - 1, Math.max(0, rank));
      if (event.shiftKey) {
        anchor.current ??= cursor;
        pickRange(anchor.current, to);
      } else anchor.current = undefined;
      moveTo(to);
    };
    const editHere = () => {
      const field = planColumns[cell < 0 ? 1 : cell]!.id;
      if (current && isEdited(field)) edit(cursor, field);
    };
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => step(cursor + 1),
      ArrowUp: () => step(cursor - 1),
      PageDown: () => step(cursor + page),
      PageUp: () => step(cursor - page),
      Home: () => step(0),
      End: () => step(entries.length - 1),
      ArrowRight: () => setCell(Math.min(planColumns.length - 1, cell + 1)),
      ArrowLeft: () => setCell(Math.max(-1, cell - 1)),
      ' ': () => pick(cursor),
      F2: editHere,
      Enter: () => {
        if (cell >= 0) editHere();
        else if (current?.node !== undefined) void openHere(current.node);
      },
      Delete: remove,
      x: remove,
      Escape: () => {
        if (cell >= 0) setCell(-1);
        else if (picked.size > 0) setPicked(new Set());
        else explorer.climb();
      },
    };
    if (isAll) setPicked(new Set(entries.map(({ id }) => id)));
    else {
      const act = acts[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      act();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  async function openHere(address: string): Promise<void> {
    const { path } = await source.locate(address, filter).catch(() => ({ path: [] }));
    const row = path.length === 0 ? none : await explorer.loadPath(path);
    if (row === none) return;
    explorer.select(row);
    store.setState({ detailOpen: true });
  }

  const where = tree.size === 0 ? 'everything' : tree.name(focus);
  const minWidth = checkPx + planColumns.reduce((sum, { width }) => sum + width, 0);
  const isDrawn = lines.lines.includes(cursor) && entries.length > 0;
  const conflicted = entries.filter(({ id }) => state.conflicts.has(id));
  return (
    <div className="absolute inset-0 flex flex-col bg-surface">
      {here.length > 0 && (
        <PlanFilterBar entries={here} filter={look.filter} onChange={(next) => setLook({ ...look, filter: next })} />
      )}
      <div className="relative min-h-0 flex-1">
        <div
          ref={scroller}
          role="grid"
          aria-label={`Plan of ${where}`}
          aria-multiselectable="true"
          aria-rowcount={entries.length + 1}
          aria-colcount={planColumns.length + 1}
          aria-activedescendant={isDrawn ? (cell < 0 ? planRowId(cursor) : planCellId(cursor, cell)) : undefined}
          tabIndex={0}
          onKeyDown={press}
          className="group @container absolute inset-0 overflow-auto outline-none"
        >
          <div
            role="row"
            tabIndex={-1}
            aria-rowindex={1}
            className="sticky top-0 z-20 grid w-full border-b border-line bg-sunken text-small"
            style={{ height: rowPx, gridTemplateColumns: template, minWidth }}
          >
            <div role="columnheader" tabIndex={-1} aria-colindex={1} className="sticky left-0 z-10 bg-sunken">
              <div className="flex h-full items-center justify-center pl-2">
                <Checkbox
                  label="Select all entries"
                  showLabel={false}
                  checked={entries.length > 0 && chosen.length === entries.length}
                  mixed={chosen.length > 0 && chosen.length < entries.length}
                  onChange={(isChecked) => setPicked(new Set(isChecked ? entries.map(({ id }) => id) : []))}
                />
              </div>
            </div>
            {planColumns.map((column, index) => (
              <Head
                key={column.id}
                column={column}
                index={index}
                sort={sort}
                onSort={(next) => setLook({ ...look, sort: next })}
              />
            ))}
          </div>
          <div role="rowgroup" className="relative" style={{ height: lines.heightPx, minWidth }}>
            {lines.lines.map((rank) => {
              const entry = entries[rank];
              if (!entry) return null;
              const writer = state.marked.get(entry.id);
              return (
                <PlanRow
                  key={entry.id}
                  entry={entry}
                  rank={rank}
                  place={{ top: lines.topOf(rank), height: rowPx, gridTemplateColumns: template }}
                  isCursor={rank === cursor}
                  cell={rank === cursor ? cell : -1}
                  isPicked={picked.has(entry.id)}
                  editing={rank === cursor ? editing : undefined}
                  waiting={state.waiting.length > 0 ? waitingFields(state, entry.id) : noFields}
                  writer={writer === undefined ? undefined : (state.people.get(writer) ?? 'a deleted account')}
                  hasConflict={state.conflicts.has(entry.id)}
                  onClick={click}
                  onPick={pick}
                  onEdit={edit}
                  onSave={save}
                  onEnd={end}
                />
              );
            })}
          </div>
        </div>
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
      {chosen.length > 0 && (
        <div
          role="toolbar"
          aria-label="Selection"
          className="flex flex-wrap items-center gap-3 border-t border-line-strong bg-brand-soft px-3 py-1.5 text-small text-brand-ink"
        >
          <p className="m-0 min-w-0 flex-1">{counted(chosen.length, 'entry', 'entries')} selected</p>
          <Button size="dense" onClick={() => setSetting(true)}>
            Set…
          </Button>
          <Button size="dense" variant="danger-ghost" onClick={remove}>
            Remove
          </Button>
          <Button size="dense" onClick={() => setPicked(new Set())}>
            Clear
          </Button>
        </div>
      )}
      <ListStatus listed={entries.length} here={all} isFiltered={filter !== ''} figures={figures} />
      {isSetting && (
        <BulkDialog
          targets={chosen.map(({ id }) => ({ entry: id }))}
          what={counted(chosen.length, 'entry', 'entries')}
          onClose={() => setSetting(false)}
        />
      )}
    </div>
  );
}

type HeadProps = {
  readonly column: PlanColumn;
  readonly index: number;
  readonly sort: PlanSort;
  readonly onSort: (sort: PlanSort) => void;
};

function Head({ column: { id, title, isNumber = false }, index, sort, onSort }: HeadProps) {
  const isMine = sort.by === id;
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  return (
    <div
      role="columnheader"
      tabIndex={-1}
      aria-colindex={index + 2}
      aria-sort={isMine ? (sort.descending ? 'descending' : 'ascending') : 'none'}
      className={classNames('min-w-0 bg-sunken', index === 0 && 'sticky left-9 z-10 border-r border-line')}
    >
      <button
        type="button"
        onClick={() => onSort({ by: id, descending: isMine ? !sort.descending : isNumber })}
        className={classNames(
          'flex size-full items-center gap-1 px-2.5 font-semibold text-muted hover:text-ink focus-visible:-outline-offset-2',
          isNumber && 'justify-end',
        )}
      >
        <span className="truncate">{title}</span>
        {isMine && <Arrow size={14} aria-hidden="true" />}
      </button>
    </div>
  );
}
