import { Menu } from '@base-ui/react/menu';
import { Split } from 'lucide-react';
import { useExplorer } from '../../explore/panels/explorer-context.ts';
import { popupItemClass } from '../../ui/popup.tsx';
import { useAdjust } from '../adjust.ts';

/** In the menu of a node: opens a draft in which the keywords of the branch are clustered anew. */
export function SplitBranchItem({ row }: { row: number }) {
  const { id, tree } = useExplorer();
  const { mutate } = useAdjust();
  if (row === 0 || tree.childCount[row] === 0) return null;
  return (
    <Menu.Item className={popupItemClass} onClick={() => mutate({ id, branch: tree.addressOf(row) })}>
      <Split size={18} />
      Split this branch
    </Menu.Item>
  );
}
