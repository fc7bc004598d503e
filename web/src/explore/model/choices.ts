import { figureName } from '@kc/pack/filter-words/figure-name';
import { fold } from '@kc/pack/upload/spelling';
import type { Field, WithheldField } from '@kc/rules/shapes';
import { type FieldKey, fieldKey, isFieldKey, isKnownAnywhere, type Metric } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { type ColourBy, isMarkColour, isStructure, type MarkColour, type SizeBy } from './encodings.ts';

/** An option of a menu; a disabled one has a reason. */
export type Choice<T extends string> = { readonly value: T; readonly label: string; readonly disabled?: boolean };

/** The number of values that colours can still tell apart. */
const maxColours = 24;

const names = {
  pillar: 'Pillar topic',
  depth: 'Level',
  type: 'Type',
  intent: 'Intent',
  change: 'Change',
  plan: 'Plan status',
  covered: 'Covered',
  equal: 'Equal',
} as const satisfies Partial<Record<ColourBy | SizeBy, string>>;

export const choiceName = (key: ColourBy | SizeBy): string =>
  key in names ? names[key as keyof typeof names] : figureName(key as Metric);

/**
 * Whether the file has a mean figure for any keyword, whatever the filter keeps. If not, panels and reports omit it.
 *
 * @param fields undefined while they load: what is listed among them is omitted until then
 */
export const isInFile = (
  tree: LoadedTree,
  fields: readonly Field[] | undefined,
  figure: 'difficulty' | 'cpc' | 'competition' | 'position',
): boolean =>
  figure === 'competition' || figure === 'position'
    ? (fields?.some(({ name }) => name === figure) ?? false)
    : isKnownAnywhere(tree, figure);

/**
 * @param fields undefined while they load; the current choice is listed anyway. @param marks what else there is to show:
 *   see {@link marksOf}
 */
export function colourChoices(
  tree: LoadedTree,
  fields: readonly Field[] | undefined,
  chosen: ColourBy,
  withheld: readonly WithheldField[] = [],
  marks: readonly MarkColour[] = [],
): Choice<ColourBy>[] {
  const ofFile = fields?.map((field): Choice<ColourBy> => {
    const choice = ofField(field);
    if (canColour(field)) return choice;
    const isSet = field.kind === 'set';
    return refused(choice, isSet ? 'a keyword has several' : `${valuesOf(field)} values, too many to tell apart`);
  });
  const others = withheld
    .filter((field) => field.why !== 'more')
    .map((field): Choice<ColourBy> => refused(ofField(field), whyWithheld[field.why]));
  const more = withheld.filter((field) => field.why === 'more');
  if (more.length > 0) {
    const label = more.length === 1 ? more[0]!.name : `${more.length} others`;
    others.push(refused({ value: fieldKey(more[0]!.name), label }, whyWithheld.more));
  }
  const known: readonly ColourBy[] = ['pillar', 'depth', 'type', 'intent', ...numbers];
  const ofMarks = marks.map((value): Choice<ColourBy> => ({ value, label: choiceName(value) }));
  return [...known.flatMap((key) => builtIn(tree, key)), ...ofMarks, ...(ofFile ?? onItsWay(chosen)), ...others];
}

export function sizeChoices(tree: LoadedTree, fields: readonly Field[] | undefined, chosen: SizeBy): Choice<SizeBy>[] {
  const ofFile = fields
    ?.filter((field) => field.kind === 'number')
    .map((field): Choice<SizeBy> => (canSize(field) ? ofField(field) : refused(ofField(field), 'some are below 0')));
  const known: readonly SizeBy[] = numbers;
  return [
    ...known.flatMap((key) => builtIn(tree, key)),
    ...(ofFile ?? onItsWay(chosen)),
    ...builtIn<SizeBy>(tree, 'equal'),
  ];
}

/** The metrics for one of two axes. @param other the metric of the other axis */
export function axisChoices(
  tree: LoadedTree,
  fields: readonly Field[] | undefined,
  chosen: Metric,
  other: Metric,
): Choice<Metric>[] {
  const ofFile = fields?.filter(canPlace).map((field): Choice<Metric> => ofField(field));
  const all = [...numbers.flatMap((key) => builtIn<Metric>(tree, key, chosen)), ...(ofFile ?? onItsWay(chosen))];
  return all.map((choice) => (choice.value === other ? refused(choice, 'the other axis') : choice));
}

/** The colours that are not of the file: a draft is in no plan, and without another upload nothing has changed. */
export const marksOf = (isDraft: boolean, vs: string | undefined): readonly MarkColour[] => [
  ...(isDraft ? [] : (['plan', 'covered'] as const)),
  ...(vs === undefined ? [] : (['change'] as const)),
];

const numbers = ['keywords', 'volume', 'difficulty', 'cpc'] as const;

/** Why a member of the file is not a field. Source: docs/pack-format.md "Fields". */
export const whyWithheld: Readonly<Record<WithheldField['why'], string>> = {
  values: 'more than 255 different values',
  members: 'lists of more than 64 different values',
  long: 'long texts',
  prose: 'an address or notes',
  more: 'too many fields in the file',
};

export const canColour = (field: Field | undefined): boolean =>
  field?.kind === 'number' || (field?.kind === 'category' && valuesOf(field) <= maxColours);

/** A metric with values below 0 cannot be drawn as an area. */
export const canSize = (field: Field | undefined): boolean => field?.kind === 'number' && field.least >= 0;

export const canPlace = (field: Field | undefined): boolean => field?.kind === 'number';

/** The number of values of a category, not counting unknown. */
const valuesOf = (field: Field): number => (field.kind === 'category' ? field.values.length - 1 : 0);

const onItsWay = <T extends ColourBy | SizeBy>(chosen: T): Choice<T>[] =>
  isFieldKey(chosen) ? [{ value: chosen, label: figureName(chosen) }] : [];

function ofField({ name }: Pick<Field, 'name'>): Choice<FieldKey> {
  const value = fieldKey(name);
  return { value, label: figureName(value) };
}

/** Empty for a figure that the visualization never knows, unless a link has chosen it. */
function builtIn<T extends ColourBy | SizeBy>(tree: LoadedTree, value: T, chosen?: T): Choice<T>[] {
  const choice = { value, label: choiceName(value) };
  const key: ColourBy | SizeBy = value;
  if (tree.size > 0 && !isStructure(key) && !isMarkColour(key) && !isKnownAnywhere(tree, key))
    return value === chosen ? [refused(choice, 'nothing is known')] : [];
  return [choice];
}

const refused = <T extends string>({ value, label }: Choice<T>, why: string): Choice<T> => ({
  value,
  label: `${label}: ${why}`,
  disabled: true,
});

/** What stands for demand where there are no volumes, the best first. Maps of Search Console have impressions. */
const amounts = ['impressions', 'traffic', 'clicks'];

/**
 * The default size encoding: volume if it is known for at least half of the keywords, else the first amount that the file has,
 * else the number of keywords.
 *
 * The figures are those of the whole visualization, so a filter never changes the result.
 *
 * @param fields those of the file, needed where {@link isSizedByVolume} says no
 */
export function defaultSizeOf(tree: LoadedTree, fields: readonly Field[] = []): SizeBy {
  if (isSizedByVolume(tree)) return 'volume';
  return amounts.map((amount) => keyOfAmount(fields, amount)).find((key) => key !== undefined) ?? 'keywords';
}

export function isSizedByVolume(tree: LoadedTree): boolean {
  const known = tree.wholeKnown.volume;
  return known > 0 && 2 * known >= tree.ofKeywords[tree.root]!;
}

/** The field of an amount, however its name is written. */
function keyOfAmount(fields: readonly Field[], amount: string): FieldKey | undefined {
  const field = fields.find((one) => canSize(one) && fold(one.name) === amount);
  return field && fieldKey(field.name);
}
