import type { PlannedPart } from '../filter/filter.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { inherit } from '../format/locate.ts';
import type { PackReader } from '../format/pack-reader.ts';

/** The fields of an entry of a plan that a filter can be about. Empty if they are not set. */
export type PlannedFields = {
  readonly owner: string;
  readonly content: string;
  readonly tags: readonly string[];
  /** A month such as `2026-12`. */
  readonly due: string;
};

/**
 * 1 for each row whose entry satisfies the parts: the entry of the node itself, otherwise that of its nearest
 * ancestor with one. 0 for rows without either.
 *
 * Cost: one pass over the nodes; 1 byte per node.
 *
 * @param entries at most one for each row
 */
export async function markPlannedFields(
  pack: PackReader,
  entries: readonly { readonly row: number; readonly fields: PlannedFields }[],
  parts: readonly PlannedPart[],
  pause: Pause = noPause,
): Promise<Uint8Array> {
  const [fails, holds] = [1, 2];
  const state = new Uint8Array(pack.metadata.nodes);
  for (const { row, fields } of entries) state[row] = hasParts(fields, parts) ? holds : fails;
  await inherit(pack, state, pause);
  return state.map((one) => Number(one === holds));
}

/** Whether each field that the parts name has one of the values that they give for it. */
function hasParts(fields: PlannedFields, parts: readonly PlannedPart[]): boolean {
  const missing = new Set(parts.map(({ of }) => of));
  for (const { of, value } of parts) if (hasValue(fields, of, value)) missing.delete(of);
  return missing.size === 0;
}

function hasValue({ owner, content, tags, due }: PlannedFields, of: PlannedPart['of'], value: string): boolean {
  switch (of) {
    case 'owner':
      return owner === value;
    case 'content':
      return content === value;
    case 'tag':
      return value === '' ? tags.length === 0 : tags.includes(value);
    case 'due': {
      if (value === '' || due === '') return value === due;
      const [from = '', to = ''] = value.split('_');
      return due >= from && (to === '' || due <= to);
    }
  }
}
