import type { Field, WithheldField } from '@kc/rules/shapes';
import { type FieldKey, fieldName, isFieldKey } from '../tree-data/figures.ts';
import { canColour, canPlace, canSize } from './choices.ts';
import { usualAxes } from './encodings.ts';
import type { ExplorerState, ExplorerStore } from './explorer-state.ts';
import type { ExplorerSource } from './source.ts';
import { defaultUrlState } from './url-state.ts';

type BringDeps = {
  readonly store: ExplorerStore;
  readonly source: Pick<ExplorerSource, 'fields'>;
  /** Makes slices bring these fields. */
  readonly bring: (names: readonly string[]) => void;
  readonly onError: (failure: unknown) => void;
};

/**
 * Asks what else the file has once the first picture is there, and has those of its fields brought along that something is
 * coloured, sized or placed by, and no others. What a link names and the file has not, or not in a way that can be used so,
 * falls back to its default without a word.
 */
export function createFieldLoader({ store, source, bring, onError }: BringDeps) {
  let list: Promise<readonly (Field | WithheldField)[]> | undefined;

  /** The fields of the file, asked for once. @returns none when they cannot be had now */
  async function load(): Promise<readonly Field[] | undefined> {
    list ??= source.fields();
    try {
      const all = await list;
      const known = store.getState().fields;
      if (known) return known;
      const fields = all.filter((field) => field.kind !== 'none');
      store.setState({ fields, withheld: all.filter((field) => field.kind === 'none') });
      return fields;
    } catch (failure) {
      list = undefined;
      onError(failure);
      return undefined;
    }
  }

  async function bringWanted(): Promise<void> {
    const fields = await load();
    if (!fields) return;
    const usable = usableLook(store.getState(), fields);
    if (usable) store.setState(usable);
    bring(wanted(store.getState(), fields));
  }

  const stopWatching = store.subscribe((now, before) => {
    if (now.ready && (!before.ready || lookFields.some((look) => now[look] !== before[look]))) void bringWanted();
  });
  return { stop: stopWatching };
}

const lookFields = ['colour', 'size', 'x', 'y', 'view'] as const satisfies readonly (keyof ExplorerState)[];

/** Names of the fields that the picture or the table shows. */
function wanted({ colour, size, x, y, view }: ExplorerState, fields: readonly Field[]): string[] {
  if (view === 'table') return fields.map((field) => field.name);
  const keys: readonly string[] = [colour, size, ...(view === 'opportunity' ? [x, y] : [])];
  return [...new Set(keys.filter(isFieldKey).map(fieldName))];
}

/** What has to be another look because the file has no such field; undefined when nothing has to. */
function usableLook(
  { colour, size, usualSize, x, y }: ExplorerState,
  fields: readonly Field[],
): Partial<ExplorerState> | undefined {
  const find = (key: FieldKey) => fields.find((field) => field.name === fieldName(key));
  const change: { -readonly [K in 'colour' | 'size' | 'x' | 'y']?: ExplorerState[K] } = {};
  if (isFieldKey(colour) && !canColour(find(colour))) change.colour = defaultUrlState.colour;
  if (isFieldKey(size) && !canSize(find(size))) change.size = usualSize;
  if ([x, y].some((key) => isFieldKey(key) && !canPlace(find(key)))) Object.assign(change, usualAxes);
  return Object.keys(change).length > 0 ? change : undefined;
}
