import { intents, planMarks } from '@kc/pack/filter/filter';
import { isStrayType } from '@kc/pack/levels/level';
import { markFields } from '@kc/pack/slice/mark-fields';
import { changeNames } from '@kc/pack/vocabulary/changes';
import { limits } from '@kc/rules/limits';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useTheme } from '../../../ui/environment.ts';
import { goneWeights } from '../../charts/layout/families.ts';
import { type Colouring, colourScale } from '../../charts/paint/colour-scale.ts';
import { type MarkLook, paletteOf } from '../../charts/paint/colours.ts';
import { countUnit, type LegendEntry, legendFor, type Pillar } from '../../charts/paint/legend.ts';
import { seasonNote } from '../../charts/paint/mark-scales.ts';
import {
  compact,
  confidenceSpan,
  confidenceWords,
  exact,
  isConfidence,
  rollUpOfScore,
} from '../../format/figure-text.ts';
import { figureOf, isIsolated, isolate, type LegendValue } from '../../model/change-filter.ts';
import { choiceName } from '../../model/choices.ts';
import { type ColourBy, isMarkColour, type PatternMaker } from '../../model/encodings.ts';
import { depthOf } from '../../model/explorer-state.ts';
import { addressIn, rememberPlace, rowName } from '../../model/place-names.ts';
import type { View } from '../../model/url-state.ts';
import { none } from '../../tree-data/columns.ts';
import { fieldName, figuresOf, isFieldKey, isScoreKey, isSeasonKey, type Metric } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { useFilter } from '../filter/use-filter.ts';
import { setPatterns, setSafeColours } from './colour-aids.ts';
import { markLookOf } from './mark-look.ts';

/**
 * Explains the colours entry by entry, and the sizes, and has switches for the colour aids. Hovering an entry
 * highlights its marks.
 *
 * @param isWide whether entries are side by side instead of one below the other
 */
export function LegendBody({ isWide = false }: { isWide?: boolean }) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const colouring = useColouring();
  const { colourBy: colour, isColourBlindSafe } = colouring;
  const patterns = useLook((state) => state.patterns);
  /** The setting; the patterns themselves may still be loading. */
  const [isPatterned, setPatterned] = useState<boolean>();
  const fields = useLook((state) => state.fields);
  const field = isFieldKey(colour) ? fields?.find(({ name }) => name === fieldName(colour)) : undefined;
  const hasWords = field?.kind === 'number' && isConfidence(colour, field);
  const isFiltered = useLook((state) => state.filter !== '');
  const sizeBy = useLook((state) => state.size);
  const entries = legendFor(tree, colouring, {
    sums: useSums(colour, countUnit(tree, colour, sizeBy)),
    // Based on the whole file, regardless of the filter.
    counts: field?.kind === 'category' && !isFiltered ? field.counts : undefined,
    pillars: usePillars(colour === 'pillar' && isFiltered),
    sizeBy,
    marks: useMarkLook(),
    isCut: isFiltered,
  });
  const { isSequential } = colourScale(tree, colouring);
  return (
    <div className={isWide ? 'flex min-w-0 flex-1 flex-wrap items-start gap-x-4' : ''}>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas need keyboard access (WCAG 2.1.1)
        tabIndex={0}
        aria-label={choiceName(colour)}
        className={classNames(
          'm-0 list-none overflow-y-auto p-0 px-1.5 focus-visible:-outline-offset-2',
          isWide ? 'flex max-h-24 basis-full flex-wrap gap-x-2 pt-1' : 'max-h-48',
        )}
      >
        {entries.map((entry) => (
          <li key={`${entry.index} ${entry.label}`} className={isWide ? 'max-w-52' : undefined}>
            <LegendLine entry={entry} colour={colour}>
              <Swatch entry={entry} patterns={patterns} isSequential={isSequential} />
              {entry.sign && !entry.label.includes(entry.sign) && (
                <span aria-hidden="true" className="min-w-4 shrink-0 text-center">
                  {entry.sign}
                </span>
              )}
              <span className="min-w-0 flex-1 truncate text-left">
                {entry.label}
                {hasWords && entry.step && `, ${confidenceSpan(entry.step)}`}
              </span>
              {entry.count !== undefined && <span className="text-micro text-muted">{compact(entry.count)}</span>}
            </LegendLine>
          </li>
        ))}
      </ul>
      <Notes hasCounts={entries.some((entry) => entry.count !== undefined)} isWide={isWide} />
      <div className={isWide ? 'flex flex-wrap gap-x-4' : 'border-t border-line px-3 py-1'}>
        <StepsChoice />
        <GoneChoice />
        <Checkbox
          label="Patterns"
          checked={isPatterned ?? patterns !== undefined}
          onChange={(isOn) => {
            setPatterned(isOn);
            setPatterns(explorer, isOn);
          }}
        />
        <Checkbox
          label="Colour-blind safe"
          checked={isColourBlindSafe}
          onChange={(isOn) => setSafeColours(explorer, isOn)}
        />
      </div>
    </div>
  );
}

/** The current colour scale. Re-renders when more nodes load. */
function useColouring(): Colouring & { readonly isColourBlindSafe: boolean } {
  useLook((state) => state.treeVersion);
  return {
    colourBy: useLook((state) => state.colour),
    steps: useLook((state) => state.steps),
    isColourBlindSafe: useLook((state) => state.isColourBlindSafe),
    theme: useTheme(),
  };
}

function useMarkLook(): MarkLook | undefined {
  const { store } = useExplorer();
  useLook(depthOf);
  useLook((state) => state.view);
  return markLookOf(store.getState());
}

/** How the figures behind colours and sizes are computed. */
function Notes({ hasCounts, isWide }: { hasCounts: boolean; isWide: boolean }) {
  const { tree } = useExplorer();
  const colouring = useColouring();
  const { colourBy: colour } = colouring;
  const { size, view } = useLooks('size', 'view');
  const scale = colourScale(tree, colouring);
  const field = isFieldKey(colour) ? tree.field(fieldName(colour)) : undefined;
  const isOnItsWay = isFieldKey(colour) && (!field || !tree.isWhole(field.name));
  const notes = [
    isOnItsWay && 'On its way…',
    hasCounts && `Numbers are ${unitText(countUnit(tree, colour, size))}`,
    ...markNotes(tree, colour),
    useGoneNote(tree),
    field?.kind === 'category' && !isSeasonKey(colour) && 'A branch has the value of most of its keywords',
    isSeasonKey(colour) && seasonNote,
    field && isScoreKey(colour) && rollUpNote(field.name),
    field?.kind === 'number' && !isScoreKey(colour) && fieldNotes[field.rollUp],
    field?.kind === 'number' && isConfidence(colour, field) && confidenceWords,
    scale.steps?.steps === 'log' && 'Log scale',
    view !== 'tree' && sizeNote(size),
  ].filter((note) => note !== false && note !== undefined && note !== '');
  return (
    <p className={classNames('m-0 text-micro text-muted', isWide ? 'min-w-60 flex-1 px-1.5 pt-1' : 'px-3 pt-1 pb-1.5')}>
      {notes.join(' · ')}
    </p>
  );

  function sizeNote(by: typeof size): string {
    if (by === 'equal') return 'Sizes: all leaves equal';
    if (isScoreKey(by)) return `Sizes: ${choiceName(by)}${belowZero(tree, by)}`;
    const rollUp = figuresOf(tree, by)?.rollUp;
    return `Sizes: ${choiceName(by)}${rollUp ? sizeNotes[rollUp] : ''}`;
  }
}

function unitText(unit: ReturnType<typeof countUnit>): string {
  if (unit === 'nodes' || unit === 'keywords') return unit;
  return unit === 'volume' ? 'volume a month' : choiceName(unit);
}

/** What the colours of marks are about. */
function markNotes(tree: LoadedTree, colour: ColourBy): readonly (string | false)[] {
  if (!isMarkColour(colour)) return [];
  const isLoaded = tree.markField(colour === 'change' ? markFields.change : markFields.status) !== undefined;
  return [!isLoaded && 'On its way…', markNote[colour]];
}

const markNote = {
  change: 'Change in volume since the other upload. Dashed: moved or renamed',
  plan: 'A branch has the status of most of its volume',
  covered: 'The share of volume with a page that is written or live',
} as const;

const rollUpNotes = {
  branch: 'A branch has the score of its own figures',
  sum: 'A branch has the sum of the scores of its keywords',
  mean: 'A branch has the mean score of its keywords',
  max: 'A branch has the highest score of its keywords',
} as const;
const rollUpNote = (field: string): string => rollUpNotes[rollUpOfScore(field)];

/** Scores below 0 cannot be drawn as an area: how many of the loaded ones there are. */
function belowZero(tree: LoadedTree, by: Metric): string {
  const value = figuresOf(tree, by)?.value;
  let below = 0;
  for (let row = 0; value && row < tree.size; row++) if (value[row]! < 0) below++;
  return below === 0 ? '' : `, ${exact(below)} below 0 without area`;
}

const fieldNotes = {
  sum: 'A branch has the sum of what is known',
  mean: 'A branch has the mean of what is known',
  own: 'A branch without a value has the mean of its keywords; a keyword has that of its branch',
} as const;

const sizeNotes = { count: '', sum: ', sum', mean: ', mean, beside siblings', own: ', beside siblings' } as const;

/** Offers a choice of scale if the values are skewed. */
function StepsChoice() {
  const { store, tree } = useExplorer();
  const { steps } = colourScale(tree, useColouring());
  if (!steps?.isSkewed) return null;
  return (
    <Checkbox
      label="Log scale"
      checked={steps.steps === 'log'}
      onChange={(isOn) => store.setState({ steps: isOn ? undefined : 'even' })}
    />
  );
}

/** Offers to leave out what is gone, where charts can show it. */
function GoneChoice() {
  const { store } = useExplorer();
  const showsGone = useLook((state) => state.showsGone);
  const isOffered = useLook(({ colour, view }) => colour === 'change' && canShowGone(view));
  if (!isOffered) return null;
  return <Checkbox label="Show gone" checked={showsGone} onChange={(isOn) => store.setState({ showsGone: isOn })} />;
}

/** How what is gone is drawn, or why it is not. Undefined where it is not offered. */
function useGoneNote(tree: LoadedTree): string | undefined {
  const isEnabled = useLook(({ colour, view, showsGone }) => colour === 'change' && showsGone && canShowGone(view));
  const { size, view } = useLooks('size', 'view');
  if (!isEnabled || tree.markField(markFields.goneNodes) === undefined) return undefined;
  if (goneWeights(tree, size))
    return view === 'tree' ? 'Hatched, with −: gone' : 'Hatched, with −: gone, at its former size';
  if (tree.shape !== tree) return 'What is gone is not drawn beside filtered-out items';
  return 'What is gone is drawn when the size is volume or keywords';
}

const canShowGone = (view: View): boolean => view !== 'opportunity' && view !== 'table';

type LineProps = { readonly entry: LegendEntry; readonly colour: ColourBy; readonly children: ReactNode };

/** An entry that filters on click, if keywords can be filtered by it. */
function LegendLine({ entry, colour, children }: LineProps) {
  const explorer = useExplorer();
  const { filter, change } = useFilter();
  const line = isolatedBy(colour, entry);
  const look = 'flex min-h-6 w-full items-center gap-2 rounded-chip px-1.5';
  if (!line) return <span className={look}>{children}</span>;
  return (
    <button
      type="button"
      className={`${look} hover:bg-sunken focus-visible:-outline-offset-2 aria-pressed:bg-brand-soft aria-pressed:text-brand-ink touch:min-h-9`}
      title="Keep only these; Ctrl or ⌘ adds"
      aria-pressed={isIsolated(filter, line)}
      onClick={({ ctrlKey, metaKey }) => {
        if (line.kind === 'place') rememberPlace(explorer.source, line.value, entry.label);
        change(isolate(filter, line, ctrlKey || metaKey));
      }}
      onPointerEnter={() => explorer.hover(entry.row)}
      onPointerLeave={() => explorer.hover(none)}
    >
      {children}
    </button>
  );
}

/** By intent or value of a category, the sum of the unit of the sizes; undefined until it is known, and for other colours. */
function useSums(colour: ColourBy, unit: ReturnType<typeof countUnit>): ReadonlyMap<string, number> | undefined {
  const { id, source } = useExplorer();
  const filter = useLook((state) => state.filter);
  const { data } = useQuery({
    queryKey: ['histogram', id, colour, filter, unit],
    queryFn: ({ signal }) => source.histogram(colour, filter, signal, unit),
    enabled: (colour === 'intent' || isFieldKey(colour)) && unit !== 'nodes' && unit !== 'keywords',
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data?.kind !== 'values') return undefined;
  return new Map(data.values.map(({ value, sum = 0 }) => [value.toLowerCase(), sum]));
}

type SwatchProps = {
  readonly entry: LegendEntry;
  readonly patterns: PatternMaker | undefined;
  readonly isSequential: boolean;
};

const swatchPx = 16;

/** A swatch that looks like the marks: the colour, with its pattern if it has one. */
function Swatch({ entry: { colour, index, unknown }, patterns, isSequential }: SwatchProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const { ink, neutral } = paletteOf(theme);
  const dpr = devicePixelRatio;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a pixel ratio may change, and a canvas of another size is empty
  useEffect(() => {
    const ctx = canvas.current?.getContext('2d');
    if (!ctx) return;
    ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    ctx.clearRect(0, 0, swatchPx, swatchPx);
    const pattern = patterns?.(ctx, index, isSequential, ink, dpr);
    if (!pattern) return;
    ctx.fillStyle = pattern;
    ctx.fillRect(0, 0, swatchPx, swatchPx);
  }, [patterns, index, isSequential, ink, dpr]);
  const hatched = `repeating-linear-gradient(45deg, ${colour} 0 3px, color-mix(in srgb, ${neutral} 70%, ${colour}) 3px 4px)`;
  const background = unknown ? hatched : colour;
  return (
    <span
      aria-hidden="true"
      className="size-4 shrink-0 overflow-hidden rounded-[3px] border border-line"
      style={{ background, forcedColorAdjust: 'none' }}
    >
      {patterns && <canvas ref={canvas} width={swatchPx * dpr} height={swatchPx * dpr} className="size-full" />}
    </span>
  );
}

/**
 * The pillar topics of the whole file, as far as they are among its heaviest branches; undefined until loaded or if not
 * wanted.
 */
function usePillars(isEnabled: boolean): readonly Pillar[] | undefined {
  const { id, source } = useExplorer();
  const { data } = useQuery({
    queryKey: ['pillars', id],
    queryFn: async ({ signal }): Promise<readonly Pillar[]> => {
      const slice = await source.slice({ node: 0, budget: limits.firstSliceRows, skip: 0 }, signal);
      return Array.from(slice.node.keys())
        .filter((row) => row > 0 && slice.parent[row] === 0)
        .map((row) => ({
          node: slice.node[row]!,
          name: rowName(slice, row),
          address: addressIn(slice, row),
          isStrays: isStrayType(slice.types[slice.type[row]!] ?? ''),
        }));
    },
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isEnabled ? data : undefined;
}

/** The filter criterion for keeping only one legend entry; undefined if keywords cannot be filtered by it. */
export function isolatedBy(colour: ColourBy, { value, step }: LegendEntry): LegendValue | undefined {
  if (colour === 'keywords' || colour === 'covered') return undefined;
  if (colour === 'plan') {
    const mark = planMarks.find((one) => one === value);
    return mark && { kind: 'plan', value: mark };
  }
  if (colour === 'change') {
    const mark = changeNames.find((one) => one === value);
    return mark && { kind: 'change', value: mark };
  }
  if (step) {
    const isOfNames = colour === 'pillar' || colour === 'type' || colour === 'depth' || colour === 'intent';
    const figure = isOfNames ? undefined : figureOf(colour);
    const { from, to } = step;
    if (!figure || (from === undefined && to === undefined)) return undefined;
    return { kind: 'range', figure, range: { from, to, ...(to !== undefined && { isBelow: true }) } };
  }
  if (value === undefined) return undefined;
  if (colour === 'pillar') return { kind: 'place', value };
  if (colour === 'type') return { kind: 'type', value };
  if (colour === 'depth') return Number(value) > 0 ? { kind: 'level', value: Number(value) } : undefined;
  if (colour === 'intent') {
    const intent = intents.find((one) => one === value);
    return intent && { kind: 'intent', value: intent };
  }
  return isFieldKey(colour) ? { kind: 'category', field: fieldName(colour), value } : undefined;
}
