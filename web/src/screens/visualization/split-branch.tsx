import { Menu } from '@base-ui/react/menu';
import { Split } from 'lucide-react';
import { useExplorer } from '../../explore/panels/explorer-context.ts';
import { Button } from '../../ui/button.tsx';
import { popupItemClass } from '../../ui/popup-style.ts';
import { useAdjust } from '../adjust.ts';

/** Opens a draft in which the keywords of one branch are clustered anew. */
export function SplitBranchButton({ row }: { row: number }) {
  const { adjust, isBranch } = useSplit(row);
  if (!isBranch) return null;
  return (
    <Button
      size="dense"
      icon={<Split size={16} strokeWidth={1.75} aria-hidden="true" />}
      disabled={adjust.isPending}
      onClick={adjust.run}
    >
      Split this branch
    </Button>
  );
}

/** The same in the context menu of a node. */
export function SplitBranchItem({ row }: { row: number }) {
  const { adjust, isBranch } = useSplit(row);
  if (!isBranch) return null;
  return (
    <Menu.Item className={popupItemClass} onClick={adjust.run}>
      <Split size={18} strokeWidth={1.75} aria-hidden="true" />
      Split this branch
    </Menu.Item>
  );
}

function useSplit(row: number) {
  const { id, tree } = useExplorer();
  const { mutate, isPending } = useAdjust();
  const isBranch = row > 0 && tree.childCount[row]! > 0;
  return { isBranch, adjust: { isPending, run: () => mutate({ id, branch: tree.addressOf(row) }) } };
}
