import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { FilterPanel } from './filter-panel.tsx';

type DockProps = { readonly onClose: () => void };

/** The filter panel beside the chart. It is not modal: the chart stays visible and usable. */
export function FilterDock({ onClose }: DockProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  function press(event: KeyboardEvent): void {
    // A list opened from here is elsewhere in the document and closes by itself.
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || event.defaultPrevented || !isInside) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  }
  return (
    <aside
      ref={panel}
      aria-label="Filter"
      tabIndex={-1}
      onKeyDown={press}
      className="flex w-88 min-h-0 shrink-0 flex-col border-l border-line bg-surface outline-none"
    >
      <div className="flex h-10 shrink-0 items-center justify-between border-b border-line pr-1 pl-4">
        <h2 className="m-0 text-small font-semibold text-muted">Filter</h2>
        <IconButton size="dense" label="Close the filter" onClick={onClose}>
          <X size={18} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <FilterPanel />
      </div>
    </aside>
  );
}

type SheetProps = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

/** The filter panel on a small screen. */
export function FilterSheet({ open, onOpenChange }: SheetProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Filter" place="bottom">
      <FilterPanel />
    </Dialog>
  );
}
