import { figureName, figureWord, isRate } from '@kc/pack/filter-words/figure-name';
import { shareText } from '@kc/pack/filter-words/share-text';
import { scoreTextIn } from '@kc/pack/score/score-name';
import { type CategoryField, membersOf, type SetField } from '@kc/pack/slice/slice';
import { compactFigure, compactText, lazily, numberText, significantText } from '../../ui/number-text.ts';
import { none } from '../tree-data/columns.ts';
import {
  type FieldKey,
  type Figures,
  fieldKey,
  fieldName,
  figuresOf,
  isFieldKey,
  isScoreKey,
  isSeasonKey,
  type Metric,
} from '../tree-data/figures.ts';
import { notLoaded } from '../tree-data/loaded-fields.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';

/** The value of a metric alone, with meaningful precision; "unknown" if there is none. */
export function writeFigure(metric: Metric, value: number | undefined): string {
  if (metric === 'keywords' || metric === 'volume') return exact(value);
  if (metric === 'difficulty') return mean(value);
  if (metric === 'cpc') return money(value);
  if (isScoreKey(metric)) return writeScoreValue(value);
  if (isRate(metric)) return isKnown(value) ? percentText(value) : unknown;
  return isKnown(value) && Math.abs(value) >= 1000 ? exact(value) : decimal(value);
}

/** The short form in a chart: "18.6K", "3.42 %". */
export const shortFigure = (metric: Metric, value: number): string =>
  isRate(metric) ? percentText(value) : compactFigure(value);

const percentText = (share: number): string => `${significantText(100 * share)} %`;

/** A figure as people type it; a share in percent. */
export const typedFigure = (metric: Metric, value: number): string =>
  String(isRate(metric) ? Number((100 * value).toPrecision(15)) : value);

/** A typed text as a number, NaN if it is none. "3.4" and "3.4 %" are the same share. */
export function figureIn(metric: Metric, typed: string): number {
  const value = Number(typed.replaceAll(/[\s,]/g, '').replace(isRate(metric) ? /%$/ : '', ''));
  return isRate(metric) ? value / 100 : value;
}

/**
 * The value of a metric or a field of a row, and how it was computed: "Traffic 1,204 (sum, known for 3 of 5)", "Stage:
 * Awareness (8 of 12 known)". Undefined while the field is loading.
 */
export function figureText(tree: LoadedTree, row: number, key: Metric): string | undefined {
  const field = isFieldKey(key) ? tree.field(fieldName(key)) : undefined;
  if (isFieldKey(key) && (!field || field.known[row] === notLoaded)) return undefined;
  if (field && field.kind !== 'number') return categoryText(tree, row, key as FieldKey, field);
  const figures = field ?? figuresOf(tree, key);
  if (!figures) return undefined;
  if (key === 'keywords') return keywordsOf(tree, row);
  const value = figures.value[row]!;
  if (!isKnown(value)) return key === 'volume' ? 'volume unknown' : `${figureName(key)} ${unknown}`;
  // How a score was computed takes a formula: see `scoreHow`.
  if (isScoreKey(key)) return `${figureName(key)} ${writeFigure(key, value)}`;
  const figure = isConfidence(key, figures) ? confidenceText(value) : writeFigure(key, value);
  const written = key === 'volume' ? `${figure} searches a month` : `${figureName(key)} ${figure}`;
  const how = [
    tree.keywords[row]! > 1 && figures.rollUp !== 'own' && figures.rollUp,
    knownFor(figures.known![row]!, tree.keywords[row]!),
  ].filter(Boolean);
  return how.length === 0 ? written : `${written} (${how.join(', ')})`;
}

function categoryText(tree: LoadedTree, row: number, key: FieldKey, field: CategoryField | SetField): string {
  const [known, count] = [field.known[row]!, field.count[row]!];
  if (known === 0) return `${figureName(key)}: ${unknown}`;
  const value = `${figureName(key)}: ${namedValue(field, row)}`;
  if (tree.keywords[row]! <= 1) return value;
  if (isSeasonKey(key)) return [value, knownFor(known, tree.keywords[row]!)].filter(Boolean).join(', ');
  return `${value} (${exact(count)} of ${exact(known)} known)`;
}

/** The value of a row, or all values of a set; empty if none is known. */
export const namedValue = (field: CategoryField | SetField, row: number): string =>
  field.kind === 'set' ? membersOf(field, row).join(', ') : field.values[field.value[row]!]!;

/** Formats the numbers of the explorer. Unknown (undefined or NaN) is always this word, never 0. */
export const unknown = 'unknown';

/** "27,640" */
export function exact(value: number | undefined): string {
  return isKnown(value) ? numberText(value) : unknown;
}

/** "27.6K" */
export function compact(value: number | undefined): string {
  return isKnown(value) ? compactText(value) : unknown;
}

/** At most two decimals, but three significant digits of what is below one: "1.25", "37", "0.00342". */
export function decimal(value: number | undefined): string {
  if (!isKnown(value)) return unknown;
  return Math.abs(value) < 1 ? significantText(value) : numberText(value, 2);
}

/** A mean of integers, at most one decimal: "41.3", "37". */
export function mean(value: number | undefined): string {
  return isKnown(value) ? numberText(value, 1) : unknown;
}

/** Always two decimals, without a currency, because the file does not name it: "0.34", "12.00". */
export function money(value: number | undefined): string {
  return isKnown(value) ? numberText(value, 2, 2) : unknown;
}

/** "12.5 %"; see `shareText`. There is no share without a total. */
export function share(part: number | undefined, whole: number | undefined): string {
  if (!isKnown(part) || !isKnown(whole) || whole <= 0) return unknown;
  return shareText(part / whole);
}

/** "1 keyword", "27,640 keywords" */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${exact(count)} ${count === 1 ? one : many}`;
}

/** "known for 20 of 27,640"; undefined if nothing is unknown. */
export function knownFor(known: number, of: number): string | undefined {
  return known >= of ? undefined : `known for ${exact(known)} of ${exact(of)}`;
}

export function isKnown(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

/** Whether a filter excludes some keywords of a branch. */
export const isCut = (tree: LoadedTree, row: number): boolean => tree.keywords[row] !== tree.ofKeywords[row];

/** The text for a node that the filter excludes: "left out by the filter, 27,640 keywords without it" */
export const leftOutText = (tree: LoadedTree, row: number): string =>
  `left out by the filter, ${counted(tree.ofKeywords[row]!, 'keyword')} without it`;

/** "27,640 keywords", or under a filter "1,204 of 27,640 keywords" */
export function keywordsOf(tree: LoadedTree, row: number): string {
  if (tree.isLeftOut(row)) return leftOutText(tree, row);
  const of = counted(tree.ofKeywords[row]!, 'keyword');
  return isCut(tree, row) ? `${exact(tree.keywords[row])} of ${of}` : of;
}

/** The number alone, short: "27.6K", "1.2K of 27.6K" */
export function compactKeywordsOf(tree: LoadedTree, row: number): string {
  const of = compact(tree.ofKeywords[row]);
  return isCut(tree, row) ? `${compact(tree.keywords[row])} of ${of}` : of;
}

/** The number alone, exact: "1,204 of 27,640" */
export function exactKeywordsOf(tree: LoadedTree, row: number): string {
  const of = exact(tree.ofKeywords[row]);
  return isCut(tree, row) ? `${exact(tree.keywords[row])} of ${of}` : of;
}

/**
 * "12.5 % of the volume of ", to be followed by the parent's name: the share that the size of marks shows. If the
 * metric has no sums, or is unknown for either node, the text is "in ". Empty for the root.
 */
export function parentShare(tree: LoadedTree, row: number, size: Metric | 'equal'): string {
  const parent = tree.parent[row] ?? none;
  if (parent === none) return '';
  const figures = size === 'equal' ? undefined : figuresOf(tree, size);
  if (tree.isLeftOut(row) || !figures || !hasShare(figures, row, parent)) return 'in ';
  return `${share(figures.value[row], figures.value[parent])} of the ${figureWord(size as Metric)} of `;
}

const hasShare = ({ rollUp, value }: Figures, row: number, parent: number): boolean =>
  rollUp !== 'mean' && isKnown(value[row]) && value[parent]! > 0;

/** A score with enough digits to compare it. */
export const writeScoreValue = (value: number | undefined): string => {
  if (!isKnown(value)) return unknown;
  return Math.abs(value) >= 100 ? exact(Math.round(value)) : digits().format(value);
};
const digits = lazily(() => new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }));

/** How a branch gets its score, as in the name of its field. */
export type RollUp = 'branch' | 'sum' | 'mean' | 'max';
export const rollUpOfScore = (fieldName: string): RollUp =>
  (scoreTextIn(fieldName)?.split('.', 1)[0] ?? 'branch') as RollUp;

/** How surely a cluster belongs together: the share of its keywords' similarity that stays inside, 0 to 100. */
export type Confidence = { readonly percent: number; readonly word: 'strong' | 'fair' | 'weak' };

const strongFrom = 80;
const fairFrom = 50;

export function confidenceOf(percent: number): Confidence {
  return { percent, word: percent >= strongFrom ? 'strong' : percent >= fairFrom ? 'fair' : 'weak' };
}

/** The words for a step of the legend, from the first number up to the second: "fair", "weak to fair". */
export function confidenceSpan({
  from,
  to,
}: {
  readonly from: number | undefined;
  readonly to: number | undefined;
}): string {
  const [first, last] = [confidenceOf(from ?? 0), confidenceOf(to === undefined ? 100 : Math.ceil(to) - 1)];
  return first.word === last.word ? first.word : `${first.word} to ${last.word}`;
}

/** What the words mean, for the legend. */
export const confidenceWords = `Strong from ${strongFrom} %, fair from ${fairFrom} %, weak below`;

/** Whether a field is the confidence that clustering gives to clusters, and not a figure of keywords with this name. */
export const isConfidence = (key: string, { rollUp }: Pick<Figures, 'rollUp'>): key is FieldKey =>
  key === fieldKey('confidence') && rollUp === 'own';

/** "66 %, fair"; "unknown" if it is. */
export function confidenceText(value: number): string {
  if (!isKnown(value)) return unknown;
  const { percent, word } = confidenceOf(Math.round(value));
  return `${percent} %, ${word}`;
}
