// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are positioned, which table elements do not allow
import { type AskedChange, monthText } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { type CSSProperties, type MouseEvent, memo, type ReactNode } from 'react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { rowLook } from '../../../ui/data-grid.tsx';
import { exact, share, unknown } from '../../format/figure-text.ts';
import { type ListedEntry, type PlanColumn, planColumns } from '../../model/plan-list.ts';
import { type EditedField, isEdited, PlanCellEditor } from './plan-cell-editor.tsx';
import { StatusMark } from './plan-words.tsx';

export const planRowId = (rank: number) => `plan-row-${rank}`;
export const planCellId = (rank: number, column: number) => `plan-cell-${rank}-${column}`;

type RowProps = {
  readonly entry: ListedEntry;
  readonly rank: number;
  readonly place: CSSProperties;
  readonly isCursor: boolean;
  /** The cell that keys act on; -1 for the row. */
  readonly cell: number;
  readonly isPicked: boolean;
  readonly editing: EditedField | undefined;
  /** Fields that wait to be saved, and the person who has just changed this entry. */
  readonly waiting: ReadonlySet<string>;
  readonly writer: string | undefined;
  readonly hasConflict: boolean;
  readonly onClick: (rank: number, event: MouseEvent) => void;
  readonly onPick: (rank: number) => void;
  readonly onEdit: (rank: number, field: EditedField) => void;
  readonly onSave: (entry: PlanEntry, change: Partial<AskedChange>) => void;
  readonly onEnd: () => void;
};

/** One entry of the plan. A double click on a cell edits it. */
export const PlanRow = memo(function PlanRow(props: RowProps) {
  const { entry, rank, place, isCursor, cell, isPicked, editing, waiting, writer, hasConflict } = props;
  const name = entry.path.at(-1)!;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it handles the keys (aria-activedescendant)
    <div
      id={planRowId(rank)}
      role="row"
      tabIndex={-1}
      aria-rowindex={rank + 2}
      aria-selected={isCursor || isPicked}
      aria-current={isCursor || undefined}
      onClick={(event) => props.onClick(rank, event)}
      className={classNames(
        'absolute left-0 grid w-full cursor-pointer items-center border-b border-line text-small',
        rowLook({ isCurrent: isCursor, isSelected: isPicked }),
        writer !== undefined && 'shadow-[inset_3px_0_0_var(--info)]',
        isCursor &&
          cell < 0 &&
          'group-focus-visible:outline-2 group-focus-visible:-outline-offset-2 group-focus-visible:outline-focus',
        editing && 'z-10',
      )}
      style={place}
    >
      <div role="gridcell" tabIndex={-1} aria-colindex={1} className="sticky left-0 z-[1] h-full bg-inherit">
        <div className="flex h-full items-center justify-center pl-2">
          <Checkbox
            label={`Select ${name}`}
            showLabel={false}
            tabIndex={-1}
            checked={isPicked}
            onChange={() => props.onPick(rank)}
          />
        </div>
      </div>
      {planColumns.map(({ id, isNumber }, index) => {
        const isHere = isEdited(id) && editing === id;
        return (
          <div
            key={id}
            id={planCellId(rank, index)}
            role="gridcell"
            tabIndex={-1}
            aria-colindex={index + 2}
            aria-readonly={!isEdited(id)}
            onDoubleClick={() => isEdited(id) && props.onEdit(rank, id)}
            className={classNames(
              'relative flex h-full min-w-0 items-center px-2.5 tabular-nums',
              isNumber && 'justify-end',
              index === 0 && 'sticky left-9 z-[1] border-r border-line bg-inherit',
              isCursor && cell === index && !isHere && 'outline-2 -outline-offset-2 outline-focus',
              waiting.has(id) && 'italic',
            )}
          >
            {isHere ? (
              <PlanCellEditor
                entry={entry}
                field={id}
                onSave={(change) => props.onSave(entry, change)}
                onEnd={props.onEnd}
              />
            ) : id === 'name' ? (
              <span className="flex min-w-0 items-baseline gap-2">
                <bdi className="min-w-0 truncate" title={entry.path.join(' › ')}>
                  {name}
                </bdi>
                {entry.node === undefined && <span className="shrink-0 text-micro text-muted">not in this upload</span>}
                {hasConflict && <span className="shrink-0 text-micro text-warn">⚠ see below</span>}
                {writer !== undefined && <span className="shrink-0 text-micro text-info">{writer}</span>}
              </span>
            ) : (
              <span className="min-w-0 truncate">
                {cellOf(id, entry)}
                {waiting.has(id) && <span className="sr-only">, not saved yet</span>}
              </span>
            )}
          </div>
        );
      })}
    </div>
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
