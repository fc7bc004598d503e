import { Dialog } from '../../../ui/dialog.tsx';
import { FilterPanel } from './filter-panel.tsx';

type Props = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

/** What can be filtered by, on a small screen. */
export function FilterSheet({ open, onOpenChange }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Filter" place="bottom">
      <FilterPanel />
    </Dialog>
  );
}
