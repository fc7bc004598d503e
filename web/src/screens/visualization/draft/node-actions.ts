import {
  Combine,
  FolderInput,
  Lock,
  LockOpen,
  type LucideIcon,
  PencilLine,
  Split,
  Trash2,
  Unlink,
  WandSparkles,
} from 'lucide-react';
import type { DraftEditor } from './draft-editor.ts';
import { type Tick, type Uses, usesOf } from './ticks.ts';

type NodeAction = {
  readonly name: string;
  readonly Icon: LucideIcon;
  /** The letter after E. */
  readonly key: string;
  readonly run: () => void;
};

type ActionKind = Exclude<keyof Uses, 'lock'> | 'lock' | 'unlock';

/** In the order of the toolbar. */
const looks: Readonly<Record<ActionKind, Pick<NodeAction, 'name' | 'Icon' | 'key'>>> = {
  rename: { name: 'Rename', Icon: PencilLine, key: 'r' },
  name: { name: 'New name', Icon: WandSparkles, key: 'n' },
  merge: { name: 'Merge', Icon: Combine, key: 'm' },
  split: { name: 'Split', Icon: Split, key: 's' },
  move: { name: 'Move', Icon: FolderInput, key: 'v' },
  lock: { name: 'Lock', Icon: Lock, key: 'l' },
  unlock: { name: 'Unlock', Icon: LockOpen, key: 'l' },
  strays: { name: 'To strays', Icon: Unlink, key: 'x' },
  exclude: { name: 'Exclude', Icon: Trash2, key: 'd' },
};

/** Whether this letter after E stands for an action. */
export const isActionKey = (letter: string): boolean => Object.values(looks).some(({ key }) => key === letter);

/**
 * What can be done with these nodes, in the order of the toolbar.
 *
 * @param locked addresses of locked nodes
 */
export function nodeActions(editor: DraftEditor, nodes: readonly Tick[], locked: readonly string[]): NodeAction[] {
  const uses = usesOf(nodes);
  const areLocked = nodes.every(({ address }) => locked.includes(address));
  const isOffered: Readonly<Record<ActionKind, boolean>> = {
    ...uses,
    // One cluster is merged into another one, chosen in a dialog.
    merge: uses.merge || (uses.rename && nodes[0]?.type !== 'root'),
    lock: uses.lock && !areLocked,
    unlock: uses.lock && areLocked,
  };
  return (Object.keys(looks) as ActionKind[])
    .filter((kind) => isOffered[kind])
    .map((kind) => ({ ...looks[kind], run: () => act(editor, kind, nodes) }));
}

function act(editor: DraftEditor, kind: ActionKind, ticks: readonly Tick[]): void {
  const nodes = ticks.map(({ address }) => address);
  const [first] = ticks;
  if (!first) return;
  if (kind === 'rename') editor.open({ kind, node: first });
  else if (kind === 'name' || kind === 'move' || (kind === 'merge' && nodes.length === 1))
    editor.open({ kind, nodes: ticks });
  else if (kind === 'split') editor.operate({ kind, node: first.address });
  else editor.operate({ kind, nodes });
}
