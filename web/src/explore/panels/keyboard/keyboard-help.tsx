import { useContext, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { KeyMap } from '../../../ui/key-map.tsx';
import { useExplorer, useLook } from '../explorer-context.ts';
import { ExplorerPartsContext } from '../explorer-parts.ts';
import { keyboardMap, keysOfGuest } from './keyboard-map.ts';
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
