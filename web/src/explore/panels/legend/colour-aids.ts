import type { Explorer } from '../../model/explorer.ts';

const safeKey = 'explorer.safe-colours';
const patternsKey = 'explorer.patterns';

/** Applies the colour aids to all charts. Patterns are loaded when switched on. */
export function restoreColourAids(explorer: Explorer): void {
  explorer.store.setState({ isColourBlindSafe: localStorage.getItem(safeKey) === 'on' });
  if (localStorage.getItem(patternsKey) === 'on') void loadPatterns(explorer);
}

export function setSafeColours({ store }: Explorer, isOn: boolean): void {
  localStorage.setItem(safeKey, isOn ? 'on' : 'off');
  store.setState({ isColourBlindSafe: isOn });
}

export function setPatterns(explorer: Explorer, isOn: boolean): void {
  localStorage.setItem(patternsKey, isOn ? 'on' : 'off');
  if (isOn) void loadPatterns(explorer);
  else explorer.store.setState({ patterns: undefined });
}

async function loadPatterns({ store, explain }: Explorer): Promise<void> {
  try {
    const { patternOf } = await import('../../charts/paint/patterns.ts');
    if (localStorage.getItem(patternsKey) === 'on') store.setState({ patterns: patternOf });
  } catch (failure) {
    store.setState({ notice: explain(failure) });
  }
}
