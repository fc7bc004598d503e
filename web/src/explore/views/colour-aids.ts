import type { Explorer } from '../state/explorer.ts';

const safeKey = 'explorer.safe-colours';
const patternsKey = 'explorer.patterns';

/** Gives the pictures what was chosen for all of them. Patterns are loaded when somebody wants them. */
export function restoreColourAids({ store }: Explorer): void {
  store.setState({ isSafe: localStorage.getItem(safeKey) === 'on' });
  if (localStorage.getItem(patternsKey) === 'on') void loadPatterns(store);
}

export function setSafeColours({ store }: Explorer, isOn: boolean): void {
  localStorage.setItem(safeKey, isOn ? 'on' : 'off');
  store.setState({ isSafe: isOn });
}

export async function setPatterns({ store }: Explorer, isOn: boolean): Promise<void> {
  localStorage.setItem(patternsKey, isOn ? 'on' : 'off');
  if (isOn) await loadPatterns(store);
  else store.setState({ patterns: undefined });
}

async function loadPatterns(store: Explorer['store']): Promise<void> {
  const { patternOf } = await import('../draw/patterns.ts');
  store.setState({ patterns: patternOf });
}
