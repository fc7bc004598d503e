import { scoreFieldName, scoreTextIn } from '@kc/pack/score/score-name';
import { fieldOfTopic, type MarkTopic, stampedName } from '@kc/pack/slice/mark-fields';
import type { Field, WithheldField } from '@kc/rules/shapes';
import { fieldKey, fieldName, isFieldKey, isKnownAnywhere, isSeasonKey } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { canColour, canPlace, canSize, marksOf } from './choices.ts';
import { type ColourBy, defaultAxes, isMarkColour, isStructure, type SizeBy } from './encodings.ts';
import type { ExplorerState } from './explorer-state.ts';
import type { Parts } from './parts.ts';
import { withOtherScore } from './score.ts';
import type { ExplorerSource } from './source.ts';
import { defaultUrlState } from './url-state.ts';

type FieldLoaderParts = Pick<Parts, 'store' | 'tree'> & {
  readonly source: Pick<ExplorerSource, 'fields'>;
  /** Sets the fields that slices include. */
  readonly setFields: (names: readonly string[]) => void;
  /** A draft is in no plan. */
  readonly isDraft: boolean;
  /** Fields to load whatever the chart shows, if the file has them. */
  readonly alwaysFields?: readonly string[];
  readonly onError: (failure: unknown) => void;
};

/**
 * Requests the list of fields once the first chart is drawn, and loads the fields that something is coloured, sized or
 * positioned by. If the file lacks what a link names, or it cannot be used that way, the default is used silently.
 */
export function createFieldLoader({
  store,
  source,
  tree,
  isDraft,
  alwaysFields = [],
  setFields,
  onError,
}: FieldLoaderParts) {
  let request: Promise<readonly (Field | WithheldField)[]> | undefined;
  let fileFields: readonly Field[] | undefined;

  /** The fields of the file, requested once. @returns none if they cannot be loaded now */
  async function load(): Promise<readonly Field[] | undefined> {
    request ??= source.fields();
    const ownRequest = request;
    try {
      const all = await ownRequest;
      // Somebody has changed the fields meanwhile.
      if (ownRequest !== request) return load();
      fileFields ??= all.filter((field) => field.kind !== 'none');
      const { score, fields } = store.getState();
      if (fields && scoreIn(fields) === score) return fields;
      if (score === undefined) store.setState({ readScore: undefined });
      else {
        // The reader of formulas is loaded only if there is a score.
        const { readScoreText } = await import('../format/score-how.ts');
        // The user has set another score meanwhile.
        if (store.getState().score !== score) return load();
        const read = readScoreText(score);
        store.setState({ ...withOtherScore(store.getState(), read?.text), readScore: read });
      }
      const next = withScore(fileFields, store.getState().score);
      store.setState({ fields: next, withheldFields: all.filter((field) => field.kind === 'none') });
      return next;
    } catch (failure) {
      if (ownRequest !== request) return load();
      request = undefined;
      onError(failure);
      return undefined;
    }
  }

  async function includeShownFields(): Promise<void> {
    const fields = await load();
    if (!fields) return;
    const renamed = withSeason(store.getState(), fields);
    if (renamed) store.setState(renamed);
    const usable = usableLook(store.getState(), tree, fields, isDraft);
    if (usable) store.setState(usable);
    const availableAlways = alwaysFields.filter((name) => fields.some((field) => field.name === name));
    const stamps = shownStamps(store.getState());
    const markFields = Array.from(stamps, ([topic, stamp]) => stampedName(fieldOfTopic[topic], stamp));
    tree.showMarks(stamps);
    if (store.getState().treeVersion !== tree.version) store.setState({ treeVersion: tree.version });
    setFields([...new Set([...shownFieldNames(store.getState(), fields), ...markFields, ...availableAlways])]);
  }

  const stopWatching = store.subscribe((now, before) => {
    if (now.ready && (!before.ready || lookFields.some((look) => now[look] !== before[look])))
      void includeShownFields();
  });
  return {
    /** The fields of the file, with the score; undefined if they cannot be loaded now. */
    load,
    stop: stopWatching,
    /** Requests the list again. */
    reload(): void {
      request = undefined;
      fileFields = undefined;
      store.setState({ fields: undefined });
      void includeShownFields();
    },
  };
}

/** The score in front of the fields of the file, which it can be used like. Where it is below 0 it has no area. */
const withScore = (fields: readonly Field[], score: string | undefined): readonly Field[] =>
  score === undefined ? fields : [{ name: scoreFieldName(score), kind: 'number', rollUp: 'mean', least: 0 }, ...fields];

const scoreIn = ([first]: readonly Field[]): string | undefined => first && scoreTextIn(first.name);

const lookFields = [
  'score',
  'colour',
  'size',
  'x',
  'y',
  'view',
  'vs',
  'planStamp',
] as const satisfies readonly (keyof ExplorerState)[];

/** The names of the fields that the chart or the table shows. */
function shownFieldNames({ colour, size, x, y, view }: ExplorerState, fields: readonly Field[]): string[] {
  if (view === 'table') return fields.map((field) => field.name);
  const keys: readonly string[] = [colour, size, ...(view === 'opportunity' ? [x, y] : [])];
  return [...new Set(keys.filter(isFieldKey).map(fieldName))];
}

/** The comparison and the plan that are shown, by stamp. The table has columns of the comparison. */
function shownStamps({ colour, view, vs, planStamp }: ExplorerState): ReadonlyMap<MarkTopic, string> {
  const stamps = new Map<MarkTopic, string>();
  if (vs !== undefined && (colour === 'change' || view === 'table')) stamps.set('change', vs);
  if (planStamp !== undefined && (colour === 'plan' || colour === 'covered')) stamps.set('plan', planStamp);
  return stamps;
}

/**
 * The colour, the columns and the sort under the present name of the peak month: the name tells the newest month, which somebody
 * may have named since the address was written. Undefined if nothing changes.
 */
function withSeason(
  { colour, cols, rowSort }: ExplorerState,
  fields: readonly Field[],
): Pick<ExplorerState, 'colour' | 'cols' | 'rowSort'> | undefined {
  const season = fields.map(({ name }) => fieldKey(name)).find(isSeasonKey);
  if (season === undefined) return undefined;
  const rename = (text: string) => text.replaceAll(/field:season=(?:\d{4}-\d\d)?(?![\d-])/g, season);
  const next = { colour: isSeasonKey(colour) ? season : colour, cols: rename(cols), rowSort: rename(rowSort) };
  return next.colour === colour && next.cols === cols && next.rowSort === rowSort ? undefined : next;
}

/** The encodings to change because the file lacks their field; undefined if all can stay. */
function usableLook(
  { colour, size, defaultSize, x, y, vs }: ExplorerState,
  tree: LoadedTree,
  fields: readonly Field[],
  isDraft: boolean,
): Partial<ExplorerState> | undefined {
  const isThere = (key: ColourBy | SizeBy, isUsable: (field: Field | undefined) => boolean) => {
    if (isFieldKey(key)) return isUsable(fields.find((field) => field.name === fieldName(key)));
    if (isMarkColour(key)) return marksOf(isDraft, vs).includes(key);
    return isStructure(key) || isKnownAnywhere(tree, key);
  };
  const change: { -readonly [K in 'colour' | 'size' | 'x' | 'y']?: ExplorerState[K] } = {};
  if (!isThere(colour, canColour)) change.colour = defaultUrlState.colour;
  if (!isThere(size, canSize)) change.size = defaultSize;
  if ([x, y].some((key) => isFieldKey(key) && !isThere(key, canPlace))) Object.assign(change, defaultAxes);
  return Object.keys(change).length > 0 ? change : undefined;
}
