import type { KeyboardEvent, MouseEvent } from 'react';
import type { Explorer } from '../../../explore/model/explorer.ts';
import type { ExplorerParts, ListedRow } from '../../../explore/panels/explorer-parts.ts';
import { singleKeysOn } from '../../../explore/panels/keyboard/single-keys.ts';
import { tickOf } from './draft-context.ts';
import type { DraftEditor } from './draft-editor.ts';
import { noTicks, type Ticks, tickedTo, toggled } from './ticks.ts';

/**
 * Ticks rows of the outline of a draft: Space, Shift with the arrow keys, clicks with Shift or ⌘.
 *
 * @param shown the explorer of the revision on the screen
 */
export function outlineKeys(
  editor: DraftEditor,
  shown: () => Explorer,
): Pick<NonNullable<ExplorerParts['outline']>, 'press' | 'pick'> {
  const nodesIn = ({ lines }: ListedRow) =>
    lines.flatMap((line) => (line.kind === 'node' && line.row > 0 ? [tickOf(shown().tree, line.row)] : []));
  const tick = (row: number) => {
    // The root stands for the whole draft, which no operation is about.
    if (row > 0) editor.setTicks((ticks) => toggled(ticks, tickOf(shown().tree, row)));
  };
  const tickTo = (at: ListedRow, row: number, from = (ticks: Ticks) => ticks) => {
    if (row > 0) editor.setTicks((ticks) => tickedTo(from(ticks), nodesIn(at), shown().tree.addressOf(row)));
  };

  /** Ticks the current row and the next one in a direction, and goes there. */
  function extend(at: ListedRow, by: 1 | -1): void {
    const next = at.lines[at.lines.findIndex((line) => line.kind === 'node' && line.row === at.row) + by];
    if (next?.kind !== 'node') return;
    tickTo(at, next.row, (ticks) =>
      ticks.nodes.size === 0 && at.row > 0 ? toggled(ticks, tickOf(shown().tree, at.row)) : ticks,
    );
    shown().select(next.row);
  }

  return {
    press(event: KeyboardEvent, at: ListedRow): boolean {
      if (event.key === ' ' && event.shiftKey) tickTo(at, at.row);
      else if (event.key === ' ') tick(at.row);
      else if (event.shiftKey && event.key === 'ArrowDown') extend(at, 1);
      else if (event.shiftKey && event.key === 'ArrowUp') extend(at, -1);
      else if (event.key === 'Escape' && editor.store.getState().ticks.nodes.size > 0) editor.setTicks(() => noTicks);
      // The start of a key sequence, not a letter to jump to.
      else return event.key === 'e' && singleKeysOn();
      return true;
    },
    pick(event: MouseEvent, at: ListedRow): boolean {
      if (event.shiftKey) tickTo(at, at.row);
      else if (event.metaKey || event.ctrlKey) tick(at.row);
      else return false;
      return true;
    },
  };
}
