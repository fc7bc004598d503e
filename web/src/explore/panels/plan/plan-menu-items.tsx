import { Menu } from '@base-ui/react/menu';
import { ListPlus, ListX, PenLine } from 'lucide-react';
import { popupItemClass } from '../../../ui/popup.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useExplorer } from '../explorer-context.ts';
import { editPlanned, isPlanned, togglePlanned } from './plan-actions.ts';

const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** The plan in the context menu of a node. */
export function PlanMenuItems({ row }: { readonly row: number }) {
  const explorer = useExplorer();
  const toast = useToast();
  const planned = isPlanned(explorer, row);
  return (
    <>
      <Menu.Item className={popupItemClass} onClick={() => togglePlanned(explorer, [row], toast)}>
        {planned ? <ListX {...icon} /> : <ListPlus {...icon} />}
        {planned ? 'Remove from plan' : 'Add to plan'}
      </Menu.Item>
      <Menu.Item className={popupItemClass} onClick={() => editPlanned(explorer, row, toast)}>
        <PenLine {...icon} />
        Edit plan…
      </Menu.Item>
    </>
  );
}
