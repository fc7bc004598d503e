import { patternOf } from '../../charts/paint/textures.ts';
import type { Explorer } from '../../model/explorer.ts';

const safeKey = 'explorer.safe-colours';
const patternsKey = 'explorer.patterns';

/** Applies the colour aids to all charts. */
export function restoreColourAids({ store }: Explorer): void {
  const isOn = (key: string) => localStorage.getItem(key) === 'on';
  store.setState({ isColourBlindSafe: isOn(safeKey), patterns: isOn(patternsKey) ? patternOf : undefined });
}

export function setSafeColours({ store }: Explorer, isOn: boolean): void {
  localStorage.setItem(safeKey, isOn ? 'on' : 'off');
  store.setState({ isColourBlindSafe: isOn });
}

export function setPatterns({ store }: Explorer, isOn: boolean): void {
  localStorage.setItem(patternsKey, isOn ? 'on' : 'off');
  store.setState({ patterns: isOn ? patternOf : undefined });
}
