import type { Compared } from './compared-nodes.ts';
import type { Explorer } from './explorer.ts';

/** Whether a click adds to the selection: true with the platform's modifier key. */
export const addsTo = ({ metaKey, ctrlKey }: Pick<MouseEvent, 'metaKey' | 'ctrlKey'>): boolean =>
  /Mac|iP(hone|ad|od)/.test(navigator.platform) ? metaKey : ctrlKey;

/** See {@link toggleCompared}. Loaded on first use. */
export async function compare(explorer: Explorer, row: number): Promise<void> {
  (await import('./compare.ts')).toggleCompared(explorer, row);
}

/** See {@link compareRange}. Loaded on first use. */
export async function compareLines(explorer: Explorer, rows: readonly Compared[], last: number): Promise<void> {
  (await import('./compare.ts')).compareRange(explorer, rows, last);
}
