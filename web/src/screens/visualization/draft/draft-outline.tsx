import { Check, Lock } from 'lucide-react';
import { type ComponentProps, type DragEvent, useState } from 'react';
import { confidenceOf } from '../../../explore/format/figure-text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useCanEdit, useDraftEditor, useEditing, useMarks, useTick } from './draft-context.ts';
import { type Mark, marksOf } from './edits.ts';
import { placeOf, type Tick, toggled, usesOf } from './ticks.ts';

/** The checkbox of a row. The row itself says whether it is checked, see {@link useDraftRow}. */
export function TickBox({ row }: { row: number }) {
  const editor = useDraftEditor();
  const tick = useTick(row);
  const isTicked = useEditing(({ ticks }) => ticks.nodes.has(tick.address));
  if (row === 0) return <span className="w-6 shrink-0" />;
  return (
    <span
      aria-hidden="true"
      className="flex size-6 shrink-0 items-center justify-center"
      onClick={(event) => {
        // Shift goes on to the row, which ticks a range.
        if (event.shiftKey) return;
        event.stopPropagation();
        editor.setTicks((ticks) => toggled(ticks, tick));
      }}
    >
      <span
        className={classNames(
          'flex size-4 items-center justify-center rounded-[4px] border',
          isTicked ? 'border-brand bg-brand text-on-brand' : 'border-line-strong bg-surface',
        )}
      >
        {isTicked && <Check size={12} strokeWidth={3} />}
      </span>
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
          <Lock size={12} strokeWidth={2} aria-hidden="true" />
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
  const isTicked = useEditing(({ ticks }) => ticks.nodes.has(tick.address));
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
      const { nodes } = editor.store.getState().ticks;
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
