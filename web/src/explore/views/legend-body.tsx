import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Checkbox } from '../../ui/checkbox.tsx';
import { useTheme } from '../../ui/theme.ts';
import { type Colouring, colourScale } from '../draw/colour-scale.ts';
import { type LegendEntry, legendFor } from '../draw/legend.ts';
import type { PatternMaker } from '../draw/paint.ts';
import { paletteOf } from '../draw/palettes.ts';
import { compact } from '../numbers.ts';
import { choiceName } from '../state/choices.ts';
import { none } from '../state/explorer-state.ts';
import { fieldName, figuresOf, isFieldKey } from '../store/figures.ts';
import { setPatterns, setSafeColours } from './colour-aids.ts';
import { useExplorer, useLook } from './explorer-context.ts';

/**
 * What the colours stand for, line by line, and what sizes do; what else tells the marks apart can be switched on. Pillar
 * topics light up under the pointer and are selected with a click.
 */
export function LegendBody() {
  const explorer = useExplorer();
  const { tree } = explorer;
  const colouring = useColouring();
  const { colourBy: colour, isSafe } = colouring;
  const patterns = useLook((state) => state.patterns);
  /** Chosen here; the patterns themselves may be on their way. */
  const [isPatterned, setPatterned] = useState<boolean>();
  const fields = useLook((state) => state.fields);
  const field = isFieldKey(colour) ? fields?.find(({ name }) => name === fieldName(colour)) : undefined;
  const entries = legendFor(tree, colouring, {
    counts: field?.kind === 'category' ? field.counts : undefined,
    nodes: explorer.nodes,
  });
  const { isSequential } = colourScale(tree, colouring);
  return (
    <>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
        tabIndex={0}
        aria-label={choiceName(colour)}
        className="m-0 max-h-48 list-none overflow-y-auto p-0 px-1.5 focus-visible:-outline-offset-2"
      >
        {entries.map((entry) => (
          <li key={`${entry.index} ${entry.label}`}>
            <LegendLine
              row={entry.row}
              onHover={(on) => explorer.hover(on ? entry.row : none)}
              onSelect={() => explorer.select(entry.row)}
            >
              <Swatch entry={entry} patterns={patterns} isSequential={isSequential} />
              <span className="min-w-0 flex-1 truncate text-left">{entry.label}</span>
              {entry.count !== undefined && <span className="text-micro text-muted">{compact(entry.count)}</span>}
            </LegendLine>
          </li>
        ))}
      </ul>
      <Notes hasCounts={entries.some((entry) => entry.count !== undefined)} />
      <div className="border-t border-line px-3 py-1">
        <StepsChoice />
        <Checkbox
          label="Patterns"
          checked={isPatterned ?? patterns !== undefined}
          onChange={(isOn) => {
            setPatterned(isOn);
            setPatterns(explorer, isOn);
          }}
        />
        <Checkbox label="Colour-blind safe" checked={isSafe} onChange={(isOn) => setSafeColours(explorer, isOn)} />
      </div>
    </>
  );
}

/** How the pictures are coloured now; drawn again when more is held. */
function useColouring(): Colouring & { readonly isSafe: boolean } {
  useLook((state) => state.treeVersion);
  return {
    colourBy: useLook((state) => state.colour),
    steps: useLook((state) => state.steps),
    isSafe: useLook((state) => state.isSafe),
    theme: useTheme(),
  };
}

/** How the figures behind colours and sizes are made. */
function Notes({ hasCounts }: { hasCounts: boolean }) {
  const { tree } = useExplorer();
  const colouring = useColouring();
  const { colourBy: colour } = colouring;
  const size = useLook((state) => state.size);
  const view = useLook((state) => state.view);
  const scale = colourScale(tree, colouring);
  const field = isFieldKey(colour) ? tree.field(fieldName(colour)) : undefined;
  const isOnItsWay = isFieldKey(colour) && (!field || !tree.isWhole(field.name));
  const notes = [
    isOnItsWay && 'On its way…',
    hasCounts && `Counts are ${colour === 'type' || colour === 'depth' ? 'nodes' : 'keywords'}`,
    field?.kind === 'category' && 'A branch has the value of most of its keywords',
    field?.kind === 'number' && `A branch has the ${field.rollUp === 'sum' ? 'sum' : 'mean'} of what is known`,
    scale.steps?.steps === 'log' && 'Log scale',
    view !== 'tree' && sizeNote(size),
  ].filter((note) => note !== false);
  return <p className="m-0 px-3 pt-1 pb-1.5 text-micro text-muted">{notes.join(' · ')}</p>;

  function sizeNote(by: typeof size): string {
    if (by === 'equal') return 'Sizes: all leaves equal';
    const rollUp = figuresOf(tree, by)?.rollUp;
    return `Sizes: ${choiceName(by)}${rollUp === 'mean' ? ', mean, beside siblings' : rollUp === 'sum' ? ', sum' : ''}`;
  }
}

/** Where values are skewed there is a choice. */
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

type LineProps = {
  readonly row: number;
  readonly onHover: (on: boolean) => void;
  readonly onSelect: () => void;
  readonly children: ReactNode;
};

function LegendLine({ row, onHover, onSelect, children }: LineProps) {
  const look = 'flex min-h-6 w-full items-center gap-2 rounded-chip px-1.5';
  if (row === none) return <span className={look}>{children}</span>;
  return (
    <button
      type="button"
      className={`${look} hover:bg-sunken focus-visible:-outline-offset-2 touch:min-h-9`}
      onClick={onSelect}
      onPointerEnter={() => onHover(true)}
      onPointerLeave={() => onHover(false)}
    >
      {children}
    </button>
  );
}

type SwatchProps = {
  readonly entry: LegendEntry;
  readonly patterns: PatternMaker | undefined;
  readonly isSequential: boolean;
};

const swatchPx = 16;

/** As the marks look: the colour, and its pattern where they have one. */
function Swatch({ entry: { colour, index, unknown }, patterns, isSequential }: SwatchProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const { ink } = paletteOf(theme);
  useEffect(() => {
    const ctx = canvas.current?.getContext('2d');
    if (!ctx) return;
    const dpr = devicePixelRatio;
    ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    ctx.clearRect(0, 0, swatchPx, swatchPx);
    const pattern = patterns?.(ctx, index, isSequential, ink, dpr);
    if (!pattern) return;
    ctx.fillStyle = pattern;
    ctx.fillRect(0, 0, swatchPx, swatchPx);
  }, [patterns, index, isSequential, ink]);
  const background = unknown ? `repeating-linear-gradient(45deg, ${colour} 0 2px, transparent 2px 4px)` : colour;
  return (
    <span
      aria-hidden="true"
      className="size-4 shrink-0 overflow-hidden rounded-[3px] border border-line"
      style={{ background, forcedColorAdjust: 'none' }}
    >
      {patterns && (
        <canvas
          ref={canvas}
          width={swatchPx * devicePixelRatio}
          height={swatchPx * devicePixelRatio}
          className="size-full"
        />
      )}
    </span>
  );
}
