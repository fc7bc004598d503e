import type { Explorer } from '../../../explore/model/explorer.ts';
import { singleKeysOn } from '../../../explore/panels/keyboard/single-keys.ts';
import type { KeyGroup } from '../../../ui/key-map.tsx';
import { describeFocused, isOverlayOpen, keepsKey } from '../../../ui/keys.ts';
import { tickOf } from './draft-context.ts';
import type { DraftEditor } from './draft-editor.ts';
import { nodeActions } from './node-actions.ts';
import type { Tick } from './ticks.ts';

/** The shortcuts as the list of keys shows them. */
export const draftKeyGroup: KeyGroup = {
  title: 'Draft',
  keys: [
    { keys: ['Space'], does: 'Select or deselect in the outline' },
    { keys: ['⇧ ↑', '⇧ ↓', '⇧ Space'], does: 'Select a range in the outline' },
    { keys: ['F2', 'E R'], does: 'Rename' },
    { keys: ['E N'], does: 'New name' },
    { keys: ['E M'], does: 'Merge' },
    { keys: ['E S'], does: 'Split' },
    { keys: ['E V'], does: 'Move' },
    { keys: ['E L'], does: 'Lock or unlock' },
    { keys: ['E X'], does: 'To strays' },
    { keys: ['E D'], does: 'Exclude' },
    { keys: ['⌘Z'], does: 'Undo' },
    { keys: ['⇧⌘Z'], does: 'Redo' },
  ],
};

type DraftKeysDeps = {
  readonly editor: DraftEditor;
  /** The explorer of the revision on the screen. */
  readonly shown: () => Explorer | undefined;
  readonly locked: () => readonly string[];
  readonly canEdit: () => boolean;
};

/** How long a sequence waits for its second key. */
const sequenceMs = 1_500;

/**
 * The shortcuts of a draft: F2, sequences that begin with E, ⌘Z and ⇧⌘Z.
 *
 * It listens in the capture phase, before the focused widget, which ignores prevented events: the letter after E does
 * not jump to a name.
 *
 * @returns a function that removes the listener
 */
export function listenForDraftKeys({ editor, shown, locked, canEdit }: DraftKeysDeps): () => void {
  let startedAt = Number.NEGATIVE_INFINITY;

  function press(event: KeyboardEvent): void {
    if (event.defaultPrevented || !canEdit() || isForOthers(event)) return;
    const key = event.key.toLowerCase();
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (key === 'z' && (event.metaKey || event.ctrlKey) && !event.altKey) {
      event.preventDefault();
      editor.ask({ kind: event.shiftKey ? 'redo' : 'undo' });
    } else if (event.key === 'F2') run(event, 'r');
    else if (isPlain && singleKeysOn()) sequence(event, key);
  }

  function sequence(event: KeyboardEvent, key: string): void {
    const goesOn = event.timeStamp - startedAt < sequenceMs;
    startedAt = Number.NEGATIVE_INFINITY;
    if (goesOn) run(event, key);
    else if (key === 'e' && !event.shiftKey) {
      startedAt = event.timeStamp;
      event.preventDefault();
    }
  }

  function run(event: KeyboardEvent, letter: string): void {
    const action = nodeActions(editor, nodesFor(), locked()).find(({ key }) => key === letter);
    if (!action) return;
    event.preventDefault();
    action.run();
  }

  /** What is ticked, otherwise the selected node. */
  function nodesFor(): readonly Tick[] {
    const { nodes } = editor.store.getState().ticks;
    if (nodes.size > 0) return [...nodes.values()];
    const explorer = shown();
    const selected = explorer?.store.getState().selected ?? 0;
    return explorer && selected > 0 ? [tickOf(explorer.tree, selected)] : [];
  }

  addEventListener('keydown', press, { capture: true });
  return () => removeEventListener('keydown', press, { capture: true });
}

/** Whether the key belongs to a text field or an open overlay. */
function isForOthers({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || isOverlayOpen()) return true;
  return keepsKey(describeFocused(target), key);
}
