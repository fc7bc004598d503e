import { figureName } from '@kc/pack/filter-words/figure-name';
import { isCost } from '@kc/pack/levels/quadrants';
import type { LevelPoints } from '@kc/rules/points-shapes';
import { ChevronDown, LassoSelect } from 'lucide-react';
import { lazy, useId, useState } from 'react';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { figureIn, typedFigure, writeFigure } from '../../format/figure-text.ts';
import type { PointsQuery } from '../../model/source.ts';
import type { Metric } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { LazyBoundary } from '../lazy-boundary.tsx';

type StripProps = {
  readonly query: PointsQuery;
  readonly points: LevelPoints;
  readonly isLassoOn: boolean;
  readonly onLasso: (isOn: boolean) => void;
};

const ValuesDialog = lazy(async () => ({ default: (await import('./values-dialog.tsx')).ValuesDialog }));

const presets = [
  { difficulty: 30, volume: 500 },
  { difficulty: 50, volume: 100 },
] as const;

/** The thresholds as exact numbers, ready-made pairs of them, and the ways to select points by their place. */
export function ThresholdStrip({ query, points, isLassoOn, onLasso }: StripProps) {
  const { x, y } = query;
  const { medians } = points;
  const { store } = useExplorer();
  const tx = useLook((state) => state.tx);
  const ty = useLook((state) => state.ty);
  const [isByValues, setByValues] = useState(false);
  const isUsual = (x === 'difficulty' && y === 'volume') || (x === 'volume' && y === 'difficulty');
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-3 py-1">
      <ThresholdField of={x} value={tx} median={medians?.x} onChange={(next) => store.setState({ tx: next })} />
      <ThresholdField of={y} value={ty} median={medians?.y} onChange={(next) => store.setState({ ty: next })} />
      <Menu
        trigger={
          <button type="button" className={buttonClass('ghost', 'dense')}>
            Thresholds
            <ChevronDown size={14} aria-hidden="true" />
          </button>
        }
      >
        <MenuItem
          disabled={tx === undefined && ty === undefined}
          onSelect={() => store.setState({ tx: undefined, ty: undefined })}
        >
          Set to medians
        </MenuItem>
        {isUsual &&
          presets.map((preset) => (
            <MenuItem
              key={preset.volume}
              onSelect={() =>
                store.setState({ tx: preset[x as keyof typeof preset], ty: preset[y as keyof typeof preset] })
              }
            >
              Difficulty {preset.difficulty}, volume {preset.volume}
            </MenuItem>
          ))}
      </Menu>
      {points.limits && (
        <span className="ml-auto flex items-center gap-2 max-sm:ml-0">
          <Button
            size="dense"
            aria-pressed={isLassoOn}
            className="aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink"
            icon={<LassoSelect size={16} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => onLasso(!isLassoOn)}
          >
            Lasso
          </Button>
          <Button size="dense" onClick={() => setByValues(true)}>
            Select by values…
          </Button>
        </span>
      )}
      <LazyBoundary>
        {isByValues && points.limits && (
          <ValuesDialog query={query} limits={points.limits} onClose={() => setByValues(false)} />
        )}
      </LazyBoundary>
    </div>
  );
}

type FieldProps = {
  readonly of: Metric;
  readonly value: number | undefined;
  readonly median: number | undefined;
  readonly onChange: (value: number | undefined) => void;
};

/** An empty field means the median. What is no number changes nothing. */
function ThresholdField({ of, value, median, onChange }: FieldProps) {
  const id = useId();
  const [written, setWritten] = useState<string>();
  const number = (text: string) => figureIn(of, text);
  const isWrong = written !== undefined && !Number.isFinite(number(written));
  return (
    <span className="flex items-center gap-1.5 text-small">
      <label htmlFor={id} className="whitespace-nowrap text-muted">
        {figureName(of)} <span aria-hidden="true">{isCost(of) ? '≤' : '≥'}</span>
        <span className="sr-only">{isCost(of) ? 'at most' : 'at least'}</span>
      </label>
      <input
        id={id}
        aria-invalid={isWrong}
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
        placeholder={median === undefined ? '' : writeFigure(of, median)}
        value={written ?? (value === undefined ? '' : typedFigure(of, value))}
        onChange={({ target }) => {
          setWritten(target.value);
          if (target.value.trim() === '') onChange(undefined);
          else if (Number.isFinite(number(target.value))) onChange(number(target.value));
        }}
        onBlur={() => setWritten(undefined)}
        className="h-8 w-24 rounded-control border border-line-strong bg-surface px-2 text-small text-ink tabular-nums placeholder:text-muted aria-invalid:border-bad max-sm:w-19 touch:h-11 touch:text-touch"
      />
    </span>
  );
}
