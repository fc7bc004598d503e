import { Lock } from 'lucide-react';
import { type ComponentProps, type DragEvent, type KeyboardEvent, type MouseEvent, useState } from 'react';
import { confidenceOf } from '../../../explore/format/figure-text.ts';
import type { Explorer } from '../../../explore/model/explorer.ts';
import type { ExplorerParts, ListedRow } from '../../../explore/panels/explorer-context.ts';
import { singleKeysOn } from '../../../explore/panels/keyboard/single-keys.ts';
import { Badge } from '../../../ui/badge.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { TickMark } from '../../../ui/tick-mark.tsx';
import { tickOf, useCanEdit, useDraftEditor, useEditing, useMarks, useTick } from './draft-context.ts';
import type { DraftEditor } from './draft-editor.ts';
import { type Mark, marksOf } from './edits.ts';
import { noTicks, placeOf, type Tick, type Ticks, tickedTo, toggled, usesOf } from './ticks.ts';

/** The checkbox of a row. The row itself announces whether it is checked, see {@link useDraftRow}. */
export function TickBox({ row }: { row: number }) {
  const editor = useDraftEditor();
  const tick = useTick(row);
  const isTicked = useEditing(({ ticks }) => ticks.picks.rows.has(tick.address));
  if (row === 0) return <span className="w-6 shrink-0" />;
  return (
    <span
      aria-hidden="true"
      className="flex size-6 shrink-0 items-center justify-center"
      onClick={(event) => {
        // Shift is left to the row, which ticks a range.
        if (event.shiftKey) return;
        event.stopPropagation();
        editor.setTicks((ticks) => toggled(ticks, tick));
      }}
    >
      <TickMark isOn={isTicked} />
    </span>
  );
}

const markTexts: Readonly<Record<Mark, string>> = { pending: 'pending', 'not-saved': 'not saved' };

const useMark = (address: string): Mark | undefined => useEditing(({ edits }) => marksOf(edits).get(address));

/** Locked, new, mixed, pending, and how surely a cluster belongs together. */
export function RowMarks({ row }: { row: number }) {
  const { address } = useTick(row);
  const marks = useMarks();
  const mark = useMark(address);
  const percent = marks.confidence[address];
  const confidence = percent === undefined ? undefined : confidenceOf(percent);
  return (
    <>
      {mark && <span className="shrink-0 text-micro text-warn italic">{markTexts[mark]}</span>}
      {marks.new.includes(address) && <Badge tone="info">New</Badge>}
      {marks.rest?.includes(address) && <Badge tone="warn">Mixed</Badge>}
      {marks.locked.includes(address) && (
        <span className="shrink-0 text-muted">
          <Lock size={12} strokeWidth={2} />
          <span className="sr-only">, locked</span>
        </span>
      )}
      {confidence && (
        <span className="shrink-0 text-micro text-muted tabular-nums">
          <span className="sr-only">, confidence </span>
          {`${confidence.percent} % ${confidence.word}`}
        </span>
      )}
    </>
  );
}

/** The type of dragged rows. The content is read from the page, because it is unreadable while dragging. */
const dragType = 'application/x-draft-nodes';
let dragged: readonly Tick[] = [];

/** What the element of a row has in a draft: its state for screen readers, and dragging and dropping. */
export function useDraftRow(row: number): ComponentProps<'div'> {
  const editor = useDraftEditor();
  const canEdit = useCanEdit();
  const tick = useTick(row);
  const isTicked = useEditing(({ ticks }) => ticks.picks.rows.has(tick.address));
  const isNotSaved = useMark(tick.address) === 'not-saved';
  const [isTarget, setTarget] = useState(false);
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(dragType) || !accepts(tick, event.altKey)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'move';
    setTarget(true);
  };
  return {
    'aria-checked': row === 0 ? undefined : isTicked,
    className: classNames(
      isTarget && 'outline-2 outline-brand -outline-offset-2',
      isNotSaved && 'line-through decoration-warn',
    ),
    draggable: canEdit && row > 0,
    onDragStart: (event) => {
      const { rows: nodes } = editor.store.getState().ticks.picks;
      dragged = nodes.has(tick.address) ? [...nodes.values()] : [tick];
      event.dataTransfer.setData(dragType, '');
      event.dataTransfer.effectAllowed = 'move';
    },
    onDragEnter: over,
    onDragOver: over,
    onDragLeave: () => setTarget(false),
    onDragEnd: () => {
      dragged = [];
    },
    onDrop: (event) => {
      setTarget(false);
      if (!event.dataTransfer.types.includes(dragType) || !accepts(tick, event.altKey)) return;
      event.preventDefault();
      const nodes = dragged.map(({ address }) => address);
      if (event.altKey) editor.operate({ kind: 'merge', nodes: [...nodes, tick.address] });
      else if (tick.type === 'stray') editor.operate({ kind: 'strays', nodes });
      else editor.operate({ kind: 'move', nodes, to: tick.address });
    },
  };
}

/** Whether the dragged rows can be dropped on a row: moved there, or merged with it. */
function accepts(target: Tick, isMerge: boolean): boolean {
  if (dragged.length === 0 || dragged.some(({ address }) => address === target.address)) return false;
  if (isMerge) return usesOf([...dragged, target]).merge;
  if (target.type === 'stray') return usesOf(dragged).strays;
  return placeOf(dragged)?.includes(target.type) ?? false;
}

/**
 * Ticks rows of the outline of a draft: Space, Shift with the arrow keys, clicks with Shift or ⌘.
 *
 * @param shown the explorer of the revision on the screen
 */
export function outlineKeys(
  editor: DraftEditor,
  shown: () => Explorer,
): Pick<NonNullable<ExplorerParts['outline']>, 'press' | 'pick'> {
  const nodesIn = ({ lines }: ListedRow) =>
    lines.flatMap((line) => (line.kind === 'node' && line.row > 0 ? [tickOf(shown().tree, line.row)] : []));
  const tick = (row: number) => {
    // The root stands for the whole draft, to which no operation applies.
    if (row > 0) editor.setTicks((ticks) => toggled(ticks, tickOf(shown().tree, row)));
  };
  const tickTo = (at: ListedRow, row: number, from = (ticks: Ticks) => ticks) => {
    if (row > 0) editor.setTicks((ticks) => tickedTo(from(ticks), nodesIn(at), shown().tree.addressOf(row)));
  };

  /** Ticks the current row and the next one in a direction, and goes there. */
  function extend(at: ListedRow, by: 1 | -1): void {
    const next = at.lines[at.lines.findIndex((line) => line.kind === 'node' && line.row === at.row) + by];
    if (next?.kind !== 'node') return;
    tickTo(at, next.row, (ticks) =>
      ticks.picks.rows.size === 0 && at.row > 0 ? toggled(ticks, tickOf(shown().tree, at.row)) : ticks,
    );
    shown().select(next.row);
  }

  return {
    press(event: KeyboardEvent, at: ListedRow): boolean {
      if (event.key === ' ' && event.shiftKey) tickTo(at, at.row);
      else if (event.key === ' ') tick(at.row);
      else if (event.shiftKey && event.key === 'ArrowDown') extend(at, 1);
      else if (event.shiftKey && event.key === 'ArrowUp') extend(at, -1);
      else if (event.key === 'Escape' && editor.store.getState().ticks.picks.rows.size > 0)
        editor.setTicks(() => noTicks);
      // The start of a key sequence, not a letter to jump to.
      else return event.key === 'e' && singleKeysOn();
      return true;
    },
    pick(event: MouseEvent, at: ListedRow): boolean {
      if (event.shiftKey) tickTo(at, at.row);
      else if (event.metaKey || event.ctrlKey) tick(at.row);
      else return false;
      return true;
    },
  };
}
