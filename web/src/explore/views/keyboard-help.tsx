import { Dialog } from '../../ui/dialog.tsx';
import { KeyMap } from '../../ui/key-map.tsx';
import { useExplorer, useLook } from './explorer-context.ts';
import { keyboardMap } from './keyboard-map.ts';

export function KeyboardHelp() {
  const { store } = useExplorer();
  const isOpen = useLook((state) => state.helpOpen);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(helpOpen) => store.setState({ helpOpen })}
      title="Keys"
      description="Views and panels answer anywhere but in a text field, the rest while the picture has the focus. The outline and the table go by rows."
      className="w-[min(44rem,calc(100vw-2rem))]"
    >
      <KeyMap groups={keyboardMap} />
    </Dialog>
  );
}
