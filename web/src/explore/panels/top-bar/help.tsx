import { CircleQuestionMark } from 'lucide-react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useExplorer } from '../explorer-context.ts';

export function Help() {
  const { store } = useExplorer();
  return (
    <IconButton size="dense" label="Keyboard shortcuts" onClick={() => store.setState({ helpOpen: true })}>
      <CircleQuestionMark size={18} strokeWidth={1.75} aria-hidden="true" />
    </IconButton>
  );
}
