import type { KeybindingsMap } from 'tinykeys';
import type { Explorer } from '../state/explorer.ts';

/** Keys that work anywhere in the explorer but in a field. Source: experience.md §5.4. */
export function screenKeys(explorer: Explorer, onSearch: () => void): KeybindingsMap {
  const { store } = explorer;
  const doing = (act: () => void) => (event: KeyboardEvent) => {
    event.preventDefault();
    act();
  };
  return {
    '/': doing(onSearch),
    '[Shift]+?': doing(() => store.setState({ helpOpen: true })),
    '[': doing(() => store.setState((state) => ({ outlineOpen: !state.outlineOpen }))),
    ']': doing(() => store.setState((state) => ({ detailOpen: !state.detailOpen }))),
    ',': doing(() => explorer.changeDepth(-1)),
    '.': doing(() => explorer.changeDepth(1)),
    'v 1': doing(() => explorer.setView('treemap')),
    'v 2': doing(() => explorer.setView('tree')),
    'v 3': doing(() => explorer.setView('table')),
  };
}
