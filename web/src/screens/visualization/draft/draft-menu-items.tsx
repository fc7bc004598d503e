import { Menu } from '@base-ui/react/menu';
import { SquareCheck } from 'lucide-react';
import { popupItemClass } from '../../../ui/popup.tsx';
import { useCanEdit, useDraftEditor, useEditing, useMarks, useTick } from './draft-context.ts';
import { nodeActions } from './node-actions.ts';
import { toggled } from './ticks.ts';

/** What can be done with a node of the draft, in its context menu. */
export function DraftMenuItems({ row }: { row: number }) {
  const editor = useDraftEditor();
  const tick = useTick(row);
  const { locked } = useMarks();
  const canEdit = useCanEdit();
  const isTicked = useEditing(({ ticks }) => ticks.nodes.has(tick.address));
  if (row === 0) return null;
  return (
    <>
      <Menu.Separator className="mx-1 my-1.5 h-px bg-line" />
      <Menu.Item className={popupItemClass} onClick={() => editor.setTicks((ticks) => toggled(ticks, tick))}>
        <SquareCheck size={18} strokeWidth={1.75} aria-hidden="true" />
        {isTicked ? 'Select no longer' : 'Select'}
      </Menu.Item>
      {nodeActions(editor, [tick], locked).map(({ name, Icon, run }) => (
        <Menu.Item key={name} className={popupItemClass} disabled={!canEdit} onClick={run}>
          <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
          {name}
        </Menu.Item>
      ))}
    </>
  );
}
