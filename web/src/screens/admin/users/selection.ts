/**
 * Which rows are selected, by id.
 *
 * `kept` were selected one by one. From `anchor`, the row that was last pressed or selected, a stretch reaches to
 * `head`, both counted; it moves with the head until the next row is selected alone.
 */
export type Selection = {
  readonly kept: ReadonlySet<string>;
  readonly anchor?: string;
  readonly head?: string;
};

export const noSelection: Selection = { kept: new Set() };

/** The selected rows among those that are shown, in their order. What is not shown is not selected. */
export function selectedOf(selection: Selection, shown: readonly string[]): readonly string[] {
  const reached = stretch(selection, shown);
  return shown.filter((id, index) => selection.kept.has(id) || (index >= reached.from && index <= reached.to));
}

/** Selects a row, or no longer; the next stretch begins at it. */
export function toggled(selection: Selection, id: string, shown: readonly string[]): Selection {
  const kept = new Set(selectedOf(selection, shown));
  if (!kept.delete(id)) kept.add(id);
  return { kept, anchor: id };
}

/** Stretches the selection to a row, from `from` when no row was selected before. */
export function extended(selection: Selection, id: string, from: string): Selection {
  return { ...selection, anchor: selection.anchor ?? from, head: id };
}

/** Everything that is shown; nothing when all of it is selected already. */
export function allOrNone(selection: Selection, shown: readonly string[]): Selection {
  return selectedOf(selection, shown).length === shown.length ? noSelection : { kept: new Set(shown) };
}

export const selectionOf = (ids: Iterable<string>): Selection => ({ kept: new Set(ids) });

/** First and last place of the stretch; an empty one when an end of it is not shown. */
function stretch({ anchor, head }: Selection, shown: readonly string[]): { from: number; to: number } {
  const ends = anchor === undefined || head === undefined ? [] : [shown.indexOf(anchor), shown.indexOf(head)];
  if (ends.length === 0 || ends.includes(-1)) return { from: 0, to: -1 };
  return { from: Math.min(...ends), to: Math.max(...ends) };
}
