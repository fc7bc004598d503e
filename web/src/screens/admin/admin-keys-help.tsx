import { Dialog } from '../../ui/dialog.tsx';
import { type KeyGroup, KeyMap } from '../../ui/key-map.tsx';

const keyGroups: readonly KeyGroup[] = [
  {
    title: 'Anywhere in the dashboard',
    keys: [
      { keys: ['G', 'U'], does: 'Users' },
      { keys: ['G', 'P'], does: 'Upload' },
      { keys: ['G', 'S'], does: 'Settings' },
      { keys: ['C'], does: 'Create a user' },
      { keys: ['/'], does: 'Search' },
      { keys: ['?'], does: 'This list' },
    ],
  },
  {
    title: 'While a file is uploaded',
    keys: [
      { keys: ['P'], does: 'Pause, or go on' },
      { keys: ['X'], does: 'Cancel (asks first)' },
    ],
  },
  {
    title: 'In the table of users',
    keys: [
      { keys: ['↑', '↓'], does: 'Previous or next row' },
      { keys: ['Home', 'End'], does: 'First or last row' },
      { keys: ['PgUp', 'PgDn'], does: 'A page up or down' },
      { keys: ['←', '→'], does: 'Through the controls of the row' },
    ],
  },
  {
    title: 'Select',
    keys: [
      { keys: ['Space'], does: 'Select the row, or no longer' },
      { keys: ['⇧ ↑', '⇧ ↓'], does: 'Select a range' },
      { keys: ['⌘ A'], does: 'Select all, or none' },
      { keys: ['Esc'], does: 'Select none' },
    ],
  },
  {
    title: 'Act on the row',
    keys: [
      { keys: ['Enter'], does: 'Details' },
      { keys: ['A', 'D'], does: 'Approve or deny somebody who waits' },
      { keys: ['Z'], does: 'Undo the last change while it can be undone' },
      { keys: ['S'], does: 'Status' },
      { keys: ['R'], does: 'Role' },
      { keys: ['U'], does: 'Upload data' },
      { keys: ['Del'], does: 'Delete' },
    ],
  },
];

type Props = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

export function AdminKeysHelp({ open, onOpenChange }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description="Shortcuts work outside text fields. The shortcuts of the table work while one of its rows has the focus; press Tab to get there."
      className="w-[min(44rem,calc(100vw-2rem))]"
    >
      <KeyMap groups={keyGroups} />
    </Dialog>
  );
}
