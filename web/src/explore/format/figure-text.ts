import { figureName, isRate } from '@kc/pack/filter-words/figure-name';
import { type CategoryField, membersOf, type SetField } from '@kc/pack/slice/slice';
import { compactFigure, significantText } from '../../ui/number-text.ts';
import {
  type FieldKey,
  fieldName,
  figuresOf,
  isFieldKey,
  isScoreKey,
  isSeasonKey,
  type Metric,
} from '../tree-data/figures.ts';
import { notLoaded } from '../tree-data/loaded-fields.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { confidenceText, isConfidence } from './confidence.ts';
import { keywordsOf } from './kept-text.ts';
import { decimal, exact, isKnown, knownFor, mean, money, unknown } from './numbers.ts';
import { writeScoreValue } from './score-text.ts';

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

/** What somebody typed, NaN if it is no number. "3.4" and "3.4 %" are the same share. */
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
  // How a score was made takes a formula: see `scoreHow`.
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
