import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import {
  maxColumns,
  maxColumnWidth,
  minColumnWidth,
  moveColumn,
  offeredColumns,
  resizeColumn,
  toggleColumn,
} from '../../model/list-columns.ts';
import { useExplorer } from '../explorer-context.ts';
import { useColumns } from './use-list.ts';

/** Chooses, moves and resizes the columns of the flat list. */
export function ColumnsButton() {
  return (
    <Popover
      label="Columns"
      align="end"
      className="w-80 max-w-[calc(100vw-2rem)]"
      trigger={
        <button
          type="button"
          className="flex h-8 items-center gap-1.5 rounded-control border border-line-strong bg-surface px-2.5 text-small whitespace-nowrap hover:bg-sunken touch:h-11"
        >
          <Columns3 size={16} strokeWidth={2} />
          Columns
        </button>
      }
    >
      {() => <ColumnsPanel />}
    </Popover>
  );
}

function ColumnsPanel() {
  const { store } = useExplorer();
  const { source, columns } = useColumns();
  const [text, setText] = useState('');
  const setCols = (cols: string) => store.setState({ cols });
  const shown = new Set(columns.map(({ id }) => id));
  const isMatch = ({ title }: { title: string }) => title.toLowerCase().includes(text.trim().toLowerCase());
  const hidden = offeredColumns(source).filter(({ id }) => !shown.has(id));
  const isFull = columns.length >= maxColumns;
  return (
    <div className="flex flex-col gap-2 text-small">
      <input
        type="search"
        aria-label="Search columns"
        placeholder="Search columns"
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="h-9 rounded-control border border-line-strong bg-surface px-2.5 touch:h-11"
      />
      <ul aria-label="Shown columns" className="m-0 flex list-none flex-col p-0">
        {columns.map(
          (column, index) =>
            isMatch(column) && (
              <li key={column.id} className="flex items-center gap-1">
                <div className="min-w-0 flex-1 truncate">
                  {column.id === 'name' ? (
                    <span className="flex min-h-8 items-center pl-7.5 text-muted">Name, always first</span>
                  ) : (
                    <Checkbox label={column.title} checked onChange={() => setCols(toggleColumn(columns, column))} />
                  )}
                </div>
                <WidthField
                  key={column.shownWidth}
                  title={column.title}
                  px={column.shownWidth}
                  onChange={(px) => setCols(resizeColumn(columns, column.id, px))}
                />
                <IconButton
                  size="dense"
                  label={`Move ${column.title} up`}
                  disabled={index < 2}
                  onClick={() => setCols(moveColumn(columns, column.id, index - 1))}
                >
                  <ArrowUp size={14} strokeWidth={2} />
                </IconButton>
                <IconButton
                  size="dense"
                  label={`Move ${column.title} down`}
                  disabled={index < 1 || index === columns.length - 1}
                  onClick={() => setCols(moveColumn(columns, column.id, index + 1))}
                >
                  <ArrowDown size={14} strokeWidth={2} />
                </IconButton>
              </li>
            ),
        )}
      </ul>
      {hidden.some(isMatch) && (
        <ul aria-label="Other columns" className="m-0 flex list-none flex-col border-t border-line p-0 pt-2">
          {hidden.filter(isMatch).map((column) => (
            <li key={column.id}>
              <Checkbox
                label={column.title}
                checked={false}
                onChange={() => !isFull && setCols(toggleColumn(columns, column))}
              />
            </li>
          ))}
        </ul>
      )}
      {isFull && <p className="m-0 text-micro text-muted">At most {maxColumns} columns.</p>}
      <div className="flex justify-end border-t border-line pt-2">
        <Button size="dense" onClick={() => setCols('')}>
          Reset columns
        </Button>
      </div>
    </div>
  );
}

/** Takes effect when left or confirmed, so that half a number resizes nothing. */
function WidthField({ title, px, onChange }: { title: string; px: number; onChange: (px: number) => void }) {
  const [text, setText] = useState(String(px));
  const apply = () => {
    const typed = Number(text);
    if (Number.isFinite(typed) && typed > 0 && typed !== px) onChange(typed);
    else setText(String(px));
  };
  return (
    <input
      type="number"
      aria-label={`Width of ${title} in pixels`}
      min={minColumnWidth}
      max={maxColumnWidth}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
      className="h-8 w-16 rounded-control border border-line bg-surface px-1.5 text-right tabular-nums touch:h-11"
    />
  );
}
