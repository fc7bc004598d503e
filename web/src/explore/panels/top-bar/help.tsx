import { CircleQuestionMark } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useExplorer } from '../explorer-context.ts';

const label = 'Keyboard shortcuts';
const icon = <CircleQuestionMark size={18} strokeWidth={1.75} aria-hidden="true" />;

/** @param isNamed whether it is in a menu, where there is room for its name */
export function Help({ isNamed = false }: { readonly isNamed?: boolean }) {
  const { store } = useExplorer();
  const open = () => store.setState({ helpOpen: true });
  if (isNamed) {
    return (
      <Button size="dense" variant="ghost" icon={icon} className="justify-start px-1" onClick={open}>
        {label}
      </Button>
    );
  }
  return (
    <IconButton size="dense" label={label} onClick={open}>
      {icon}
    </IconButton>
  );
}
