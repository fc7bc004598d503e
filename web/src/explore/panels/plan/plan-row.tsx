import { monthText } from '@kc/pack/vocabulary/months';
import type { AskedChange } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { memo, type ReactNode } from 'react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { GridRow, type RowFrame, type RowGestures } from '../../../ui/data-grid.tsx';
import { exact, share, unknown } from '../../format/figure-text.ts';
import type { ListedEntry, PlanColumn } from '../../model/plan-list.ts';
import { type EditedField, PlanCellEditor } from './plan-cell-editor.tsx';
import { StatusMark } from './plan-words.tsx';

type RowProps = RowFrame & {
  readonly entry: ListedEntry;
  /** Fields that wait to be saved, and the person who has just changed this entry. */
  readonly waiting: ReadonlySet<string>;
  readonly writer: string | undefined;
  readonly hasConflict: boolean;
  readonly gestures: Required<RowGestures>;
  readonly onSave: (entry: PlanEntry, change: Partial<AskedChange>) => void;
};

/** One entry of the plan. A double click on a cell edits it. */
export const PlanRow = memo(function PlanRow(props: RowProps) {
  const { entry, waiting, writer, hasConflict, gestures, onSave, ...frame } = props;
  const name = entry.path.at(-1)!;
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
              onSave={(change) => onSave(entry, change)}
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
