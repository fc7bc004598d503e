import type { Compared } from './compared-nodes.ts';
import type { Explorer } from './explorer.ts';

/** Whether a click adds to the selection: with the modifier key of the platform. */
export const addsTo = ({ metaKey, ctrlKey }: Pick<MouseEvent, 'metaKey' | 'ctrlKey'>): boolean =>
  /Mac|iP(hone|ad|od)/.test(navigator.platform) ? metaKey : ctrlKey;

/** Source: {@link toggleCompared}. Loaded when it is first needed. */
export async function compare(explorer: Explorer, row: number): Promise<void> {
  (await import('./compare.ts')).toggleCompared(explorer, row);
}

/** See {@link compareRange}. Loaded on first use. */
export async function compareLines(explorer: Explorer, rows: readonly Compared[], last: number): Promise<void> {
  (await import('./compare.ts')).compareRange(explorer, rows, last);
}
