/**
 * Which rows are selected, by ID.
 *
 * `kept` were selected one by one. The range reaches from `anchor`, the row last clicked or selected, to `head`,
 * inclusive. It follows the head until the next row is selected on its own.
 */
export type Selection = {
  readonly kept: ReadonlySet<string>;
  readonly anchor?: string;
  readonly head?: string;
};

export const noSelection: Selection = { kept: new Set() };

/** The selected rows among the shown ones, in their order. Hidden rows do not count as selected. */
export function selectedOf(selection: Selection, shown: readonly string[]): readonly string[] {
  const reached = stretch(selection, shown);
  return shown.filter((id, index) => selection.kept.has(id) || (index >= reached.from && index <= reached.to));
}

/** Toggles a row; the next range starts there. */
export function toggled(selection: Selection, id: string, shown: readonly string[]): Selection {
  const kept = new Set(selectedOf(selection, shown));
  if (!kept.delete(id)) kept.add(id);
  return { kept, anchor: id };
}

/** Extends the range to a row, starting at `from` if there is no anchor yet. */
export function extended(selection: Selection, id: string, from: string): Selection {
  return { ...selection, anchor: selection.anchor ?? from, head: id };
}

/** Selects all shown rows, or none if all are already selected. */
export function allOrNone(selection: Selection, shown: readonly string[]): Selection {
  return selectedOf(selection, shown).length === shown.length ? noSelection : { kept: new Set(shown) };
}

export const selectionOf = (ids: Iterable<string>): Selection => ({ kept: new Set(ids) });

/** First and last index of the range; empty if either end is hidden. */
function stretch({ anchor, head }: Selection, shown: readonly string[]): { from: number; to: number } {
  const ends = anchor === undefined || head === undefined ? [] : [shown.indexOf(anchor), shown.indexOf(head)];
  if (ends.length === 0 || ends.includes(-1)) return { from: 0, to: -1 };
  return { from: Math.min(...ends), to: Math.max(...ends) };
}
