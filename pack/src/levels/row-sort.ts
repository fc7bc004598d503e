import { type FigureFor, figuresFor } from '../format/figures.ts';

/** One key of a sort: a figure or a text of the rows, see {@link sortableFigures}. */
export type SortKey = { readonly by: string; readonly descending: boolean };

/** Earlier keys decide first. Rows that are equal in all keys keep the order of the pack. */
export type RowSort = readonly SortKey[];

/**
 * The figures that every pack can be sorted by. Fields come in addition; `competition` and `position` are among those. `depth` is the number
 * of levels below the root.
 */
const sortableFigures = figuresFor('sort');

/** The texts that every pack can be sorted by: of the row itself, or of the node that contains it. */
const sortableTexts = ['name', 'type', 'cluster', 'pillar'] as const;

/** The figures whose known shares can be sorted by, as `known:` plus the figure. */
export const shareFigures = figuresFor('share');
export type ShareFigure = FigureFor<'share'>;

/** Keys that are not in a pack but come from a comparison, the plan or the warnings; see {@link topicOf}. */
export const sortableMarks = [
  'change',
  'volume_before',
  'volume_change',
  'volume_percent',
  'plan',
  'covered',
  'warnings',
] as const;
export type SortMark = (typeof sortableMarks)[number];

const maxSortKeys = 3;

/**
 * Writes a sort as a short text, such as `-volume*difficulty`: keys are joined by `*`, and `-` stands before a
 * descending one. In the name of a field, `*` is doubled. No key begins with `*`, so the text has one reading.
 */
export const writeSort = (sort: RowSort): string =>
  sort.map(({ by, descending }) => `${descending ? '-' : ''}${by.replaceAll('*', '**')}`).join('*');

/**
 * Reads {@link writeSort}. Undefined if the text is invalid: it has an unknown key, a key twice, or too many. Whether the file has a field
 * is not checked.
 */
export function readSort(text: string): RowSort | undefined {
  if (text === '') return [];
  const keys = splitAtStars(text).map((key): SortKey => {
    const descending = key.startsWith('-');
    return { by: descending ? key.slice(1) : key, descending };
  });
  const names = new Set(keys.map(({ by }) => by));
  return keys.length <= maxSortKeys && names.size === keys.length && keys.every(({ by }) => isSortable(by))
    ? keys
    : undefined;
}

/** Splits at single stars; a doubled star stands for one star of the text. */
export function splitAtStars(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < text.length; at++) {
    const isStar = text[at] === '*';
    if (isStar && text[at + 1] !== '*') {
      parts.push(part);
      part = '';
      continue;
    }
    part += text[at];
    if (isStar) at++;
  }
  return [...parts, part];
}

const fieldPrefix = 'field:';
const knownPrefix = 'known:';
const fixed: ReadonlySet<string> = new Set([
  ...sortableFigures,
  ...sortableTexts,
  ...shareFigures.map((figure) => `${knownPrefix}${figure}`),
]);

/** Whether a key has the form of one that a pack can have. Whether the file has the field is not checked. */
export const isFigureKey = (by: string): boolean => fixed.has(by) || (fieldOf(by) ?? '') !== '';
const isSortable = (by: string): boolean => isFigureKey(by) || markOf(by) !== undefined;

/** The key if it is a mark; undefined for one that a pack has. */
export const markOf = (by: string): SortMark | undefined => sortableMarks.find((mark) => mark === by);

/** The name of the field that a key names; undefined for other keys. */
export const fieldOf = (by: string): string | undefined =>
  by.startsWith(fieldPrefix) ? by.slice(fieldPrefix.length) : undefined;

/** The figure whose known share a key names; undefined for other keys. */
export const shareOf = (by: string): ShareFigure | undefined =>
  shareFigures.find((figure) => by === `${knownPrefix}${figure}`);

/** Where marks come from: a comparison with an earlier upload, the plan, or the warnings. */
type SortTopic = 'change' | 'plan' | 'warnings';

export const topicOf: Readonly<Record<SortMark, SortTopic>> = {
  change: 'change',
  volume_before: 'change',
  volume_change: 'change',
  volume_percent: 'change',
  plan: 'plan',
  covered: 'plan',
  warnings: 'warnings',
};

/** The sources besides the pack that a sort needs. */
export const topicsOf = (sort: RowSort): ReadonlySet<SortTopic> =>
  new Set(sort.flatMap(({ by }) => markOf(by) ?? []).map((mark) => topicOf[mark]));
