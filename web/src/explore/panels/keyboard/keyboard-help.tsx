import { useContext, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type KeyGroup, KeyMap } from '../../../ui/key-map.tsx';
import { tableLevels } from '../../model/list-query.ts';
import { views } from '../../model/url-state.ts';
import { ExplorerPartsContext, useExplorer, useLook } from '../explorer-context.ts';
import { viewNames } from '../view-names.ts';
import { setSingleKeys, singleKeysOn } from './single-keys.ts';

export function KeyboardHelp() {
  const { store, guest } = useExplorer();
  const { keys } = useContext(ExplorerPartsContext);
  const isOpen = useLook((state) => state.helpOpen);
  const [isOn, setOn] = useState(singleKeysOn);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(helpOpen) => store.setState({ helpOpen })}
      title="Keyboard shortcuts"
      description="Shortcuts work outside text fields; those of the chart only while it has the focus. The outline and the table move by rows."
      className="w-[min(44rem,calc(100vw-2rem))]"
      actions={
        <Button onClick={() => store.setState({ helpOpen: false, coachOpen: true })}>Show the first steps</Button>
      }
    >
      <div className="mb-5 flex items-center gap-3 rounded-control bg-sunken p-3 text-small">
        <span className="flex-1" id="single-keys">
          Single-key shortcuts. When off, letters jump to names.
        </span>
        <Switch
          label="Keys without ⌘ or Ctrl"
          describedBy="single-keys"
          checked={isOn}
          onChange={(next) => {
            setOn(next);
            setSingleKeys(next);
          }}
        />
      </div>
      <KeyMap groups={guest ? keysOfGuest(guest) : keys ? [keys, ...keyboardMap] : keyboardMap} />
    </Dialog>
  );
}

/** The keyboard shortcuts of the explorer as shown in the help dialog. The canvas and the outline implement them. */
export const keyboardMap: readonly KeyGroup[] = [
  {
    title: 'Move',
    keys: [
      { keys: ['←', '→'], does: 'Previous or next sibling' },
      { keys: ['↑'], does: 'Parent' },
      { keys: ['↓'], does: 'First child, or the one visited last' },
      { keys: ['Home', 'End'], does: 'First or last sibling' },
      { keys: ['A–Z'], does: 'Jump to a sibling by name' },
      { keys: ['Enter'], does: 'Dive into the selected node' },
      { keys: ['Esc', 'Backspace'], does: 'Up one level; then clear the search, close the details' },
      { keys: ['*'], does: 'Open all siblings' },
      { keys: ['⌘ Enter'], does: 'Add to or remove from comparison (in the outline ⇧ ↑ ↓ too)' },
      { keys: ['⌥ ←', '⌥ →'], does: 'Back or forward to where you were' },
    ],
  },
  {
    title: 'Lists of the table',
    keys: [
      { keys: ['⇧ Page Up', '⇧ Page Down'], does: 'Select a range (⇧ ↑ ↓ Home End too)' },
      { keys: ['Space'], does: 'Select the row, or not' },
      { keys: ['⌘A'], does: 'Select the whole list' },
      { keys: ['⌥ ↓'], does: 'On a head: its options (⇧ Enter sorts in addition, ⇧ ← and ⇧ → move it)' },
      { keys: ['F2', 'Delete'], does: 'In the list of the plan: edit a cell, remove entries' },
    ],
  },
  {
    title: 'Look',
    keys: [
      { keys: ['+', '−'], does: 'Zoom in or out' },
      { keys: ['0', '⇧ 0'], does: 'Fit everything' },
      { keys: ['1', '⇧ 1'], does: 'Zoom to 100 %' },
      { keys: ['2', '⇧ 2'], does: 'Fit the selected node' },
      { keys: ['C'], does: 'Colour by' },
      { keys: ['⇧ C'], does: 'Size by' },
      { keys: ['L'], does: 'Open or close the legend' },
      { keys: ['M'], does: 'Show or put away the minimap' },
      { keys: ['⇧ ←', '⇧ →', '⇧ ↑', '⇧ ↓', 'W', 'A', 'S', 'D'], does: 'Pan' },
    ],
  },
  {
    title: 'Views and panels',
    keys: [
      ...views.map((view, i) => ({ keys: ['V', String(i + 1)], does: viewNames[view] })),
      { keys: [`⌥ 1–${views.length}`], does: 'Switch directly' },
      { keys: ['T'], does: 'The table, and back' },
      {
        keys: ['G', `1–${tableLevels.length}`],
        does: 'Table and Opportunity: tree or children, pillars, clusters, keywords; table: plan; 6: subtopics, if any',
      },
      { keys: ['Q'], does: 'Opportunity: draw a selection' },
      { keys: [',', '.'], does: 'Less or more depth' },
      { keys: ['/'], does: 'Search' },
      { keys: ['N', '⇧ N'], does: 'Next or previous match of the search' },
      { keys: ['F'], does: 'Filter' },
      { keys: ['O'], does: 'Score' },
      { keys: ['U'], does: 'Compare with another upload' },
      { keys: ['⇧ H'], does: 'Hide the selected node' },
      { keys: ['⇧ S'], does: 'Save this view, or open a saved one' },
      { keys: ['X'], does: 'Add to or remove from the plan' },
      { keys: ['E'], does: 'Edit in the plan' },
      { keys: ['⇧ X'], does: 'Open the plan' },
      { keys: ['⌘Z', '⌘⇧Z'], does: 'Take back your last change of the plan, or do it again' },
      { keys: ['I', '⇧ I'], does: 'Next or previous warning' },
      { keys: ['P'], does: 'Present the saved views' },
      { keys: ['⌘⇧E'], does: 'Share and export' },
      { keys: ['⌘⇧L'], does: 'Copy a link to this view' },
      { keys: ['⌘C'], does: 'Copy the branch as a list' },
      { keys: ['['], does: 'Show or hide the outline' },
      { keys: [']'], does: 'Show or hide the details' },
      { keys: ['?'], does: 'This list' },
    ],
  },
];

/** What the visitors of a link may do of this. */
type Allowed = { readonly hasWarnings: boolean; readonly mayDownload: boolean };

/** The shortcuts without those of the user's own views, links and plan, and of other uploads. */
export function keysOfGuest({ hasWarnings, mayDownload }: Allowed): readonly KeyGroup[] {
  const own = new Set(['⇧ S', 'X', 'E', '⇧ X', 'P', '⌘⇧L', 'U']);
  if (!hasWarnings) own.add('I');
  if (!mayDownload) own.add('⌘⇧E');
  return keyboardMap.map((group) => ({ ...group, keys: group.keys.filter(({ keys }) => !own.has(keys[0]!)) }));
}
