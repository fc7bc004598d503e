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

const choiceNames = {
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
  key in choiceNames ? choiceNames[key as keyof typeof choiceNames] : figureName(key as Metric);

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
 * @param fields undefined while they load; the current choice is listed anyway. @param marks other colours on offer:
 *   see {@link marksOf}
 */
export function colourChoices(
  tree: LoadedTree,
  fields: readonly Field[] | undefined,
  current: ColourBy,
  withheld: readonly WithheldField[] = [],
  marks: readonly MarkColour[] = [],
): Choice<ColourBy>[] {
  const fieldChoices = fields?.map((field): Choice<ColourBy> => {
    const choice = choiceOfField(field);
    if (canColour(field)) return choice;
    const isSet = field.kind === 'set';
    return disabledChoice(
      choice,
      isSet ? 'a keyword has several' : `${countValues(field)} values, too many to tell apart`,
    );
  });
  const withheldChoices = withheld
    .filter((field) => field.why !== 'more')
    .map((field): Choice<ColourBy> => disabledChoice(choiceOfField(field), withholdingReasons[field.why]));
  const more = withheld.filter((field) => field.why === 'more');
  if (more.length > 0) {
    const label = more.length === 1 ? more[0]!.name : `${more.length} others`;
    withheldChoices.push(disabledChoice({ value: fieldKey(more[0]!.name), label }, withholdingReasons.more));
  }
  const builtIn: readonly ColourBy[] = ['pillar', 'depth', 'type', 'intent', ...numberMetrics];
  const markChoices = marks.map((value): Choice<ColourBy> => ({ value, label: choiceName(value) }));
  return [
    ...builtIn.flatMap((key) => builtInChoice(tree, key)),
    ...markChoices,
    ...(fieldChoices ?? pendingChoice(current)),
    ...withheldChoices,
  ];
}

export function sizeChoices(tree: LoadedTree, fields: readonly Field[] | undefined, current: SizeBy): Choice<SizeBy>[] {
  const fieldChoices = fields
    ?.filter((field) => field.kind === 'number')
    .map(
      (field): Choice<SizeBy> =>
        canSize(field) ? choiceOfField(field) : disabledChoice(choiceOfField(field), 'some are below 0'),
    );
  const builtIn: readonly SizeBy[] = numberMetrics;
  return [
    ...builtIn.flatMap((key) => builtInChoice(tree, key)),
    ...(fieldChoices ?? pendingChoice(current)),
    ...builtInChoice<SizeBy>(tree, 'equal'),
  ];
}

/** The metrics for one of two axes. @param other the metric of the other axis */
export function axisChoices(
  tree: LoadedTree,
  fields: readonly Field[] | undefined,
  current: Metric,
  other: Metric,
): Choice<Metric>[] {
  const fieldChoices = fields?.filter(canPlace).map((field): Choice<Metric> => choiceOfField(field));
  const all = [
    ...numberMetrics.flatMap((key) => builtInChoice<Metric>(tree, key, current)),
    ...(fieldChoices ?? pendingChoice(current)),
  ];
  return all.map((choice) => (choice.value === other ? disabledChoice(choice, 'the other axis') : choice));
}

/** The colours that are not of the file: a draft is in no plan, and without another upload nothing has changed. */
export const marksOf = (isDraft: boolean, vs: string | undefined): readonly MarkColour[] => [
  ...(isDraft ? [] : (['plan', 'covered'] as const)),
  ...(vs === undefined ? [] : (['change'] as const)),
];

const numberMetrics = ['keywords', 'volume', 'difficulty', 'cpc'] as const;

/** Why a member of the file is not a field. Source: docs/pack-format.md "Fields". */
export const withholdingReasons: Readonly<Record<WithheldField['why'], string>> = {
  values: 'more than 255 different values',
  members: 'lists of more than 64 different values',
  long: 'long texts',
  prose: 'an address or notes',
  more: 'too many fields in the file',
};

export const canColour = (field: Field | undefined): boolean =>
  field?.kind === 'number' || (field?.kind === 'category' && countValues(field) <= maxColours);

/** A metric with values below 0 cannot be drawn as an area. */
export const canSize = (field: Field | undefined): boolean => field?.kind === 'number' && field.least >= 0;

export const canPlace = (field: Field | undefined): boolean => field?.kind === 'number';

/** The number of values of a category, not counting unknown. */
const countValues = (field: Field): number => (field.kind === 'category' ? field.values.length - 1 : 0);

const pendingChoice = <T extends ColourBy | SizeBy>(current: T): Choice<T>[] =>
  isFieldKey(current) ? [{ value: current, label: figureName(current) }] : [];

function choiceOfField({ name }: Pick<Field, 'name'>): Choice<FieldKey> {
  const value = fieldKey(name);
  return { value, label: figureName(value) };
}

/** Empty for a figure that the visualization never knows, unless a link has chosen it. */
function builtInChoice<T extends ColourBy | SizeBy>(tree: LoadedTree, value: T, current?: T): Choice<T>[] {
  const choice = { value, label: choiceName(value) };
  const key: ColourBy | SizeBy = value;
  if (tree.size > 0 && !isStructure(key) && !isMarkColour(key) && !isKnownAnywhere(tree, key))
    return value === current ? [disabledChoice(choice, 'nothing is known')] : [];
  return [choice];
}

const disabledChoice = <T extends string>({ value, label }: Choice<T>, reason: string): Choice<T> => ({
  value,
  label: `${label}: ${reason}`,
  disabled: true,
});

/** Fields that measure demand if there are no volumes, the best first. Maps of Search Console have impressions. */
const demandFields = ['impressions', 'traffic', 'clicks'];

/**
 * The default size encoding: volume if it is known for at least half of the keywords, else the first field for demand that the file has,
 * else the number of keywords.
 *
 * The figures are those of the whole visualization, so a filter never changes the result.
 *
 * @param fields those of the file, needed where {@link isSizedByVolume} says no
 */
export function defaultSizeOf(tree: LoadedTree, fields: readonly Field[] = []): SizeBy {
  if (isSizedByVolume(tree)) return 'volume';
  return demandFields.map((amount) => keyOfDemandField(fields, amount)).find((key) => key !== undefined) ?? 'keywords';
}

export function isSizedByVolume(tree: LoadedTree): boolean {
  const knownVolumes = tree.wholeKnown.volume;
  return knownVolumes > 0 && 2 * knownVolumes >= tree.ofKeywords[tree.root]!;
}

/** The field with this name, however it is spelled. */
function keyOfDemandField(fields: readonly Field[], name: string): FieldKey | undefined {
  const field = fields.find((candidate) => canSize(candidate) && fold(candidate.name) === name);
  return field && fieldKey(field.name);
}
