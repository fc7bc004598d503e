import { figureName } from '@kc/pack/filter-words/figure-name';
import type { LevelPoints } from '@kc/rules/points-shapes';
import { shownName } from '@kc/rules/visible-text';
import type { ReactNode } from 'react';
import type { Cell } from '../../charts/opportunity/density.ts';
import { exact, knownFor, writeFigure } from '../../format/figure-text.ts';
import type { PointsQuery } from '../../model/source.ts';
import { levelWords } from '../view-names.ts';

type CardProps = {
  readonly query: PointsQuery;
  readonly points: LevelPoints['points'];
  readonly index: number;
  readonly at: Spot;
};

/** The name and figures of the point under the pointer. */
export function PointCard({ query, points, index, at }: CardProps) {
  const figures = new Map([
    [query.x, points.x[index]],
    [query.y, points.y[index]],
    [query.size, points.size[index] ?? undefined],
  ]);
  return (
    <Card at={at}>
      <p dir="auto" className="m-0 truncate font-semibold">
        {shownName(points.names[index]!)}
      </p>
      {[...figures].map(([metric, value]) => (
        <p key={metric} className="m-0 text-micro text-muted tabular-nums">
          {figureName(metric)} {writeFigure(metric, value)}
        </p>
      ))}
      {points.hardly[index] === 1 && (
        <p className="m-0 text-micro text-muted">Known for less than 20 % of the volume</p>
      )}
    </Card>
  );
}

type CellProps = {
  readonly query: PointsQuery;
  readonly cell: Cell;
  readonly limits: NonNullable<LevelPoints['limits']>;
  readonly at: Spot;
  /** Rows of equal values stay in one cell however far one zooms in. */
  readonly canEnter: boolean;
};

/** How many points the cell under the pointer stands for, their volume, and between which values they lie. */
export function CellCard({ query, cell, limits, at, canEnter }: CellProps) {
  const range = (axis: 'x' | 'y') => {
    const [least, most] = limits[axis];
    const [from, to] = [Math.max(least, cell[axis][0]), Math.min(most, cell[axis][1])];
    return `${writeFigure(query[axis], from)} – ${writeFigure(query[axis], to)}`;
  };
  return (
    <Card at={at}>
      <p className="m-0 font-semibold">{levelWords[query.level].count(cell.rows)}</p>
      <p className="m-0 text-micro text-muted tabular-nums">{volumeText(cell)}</p>
      {(['x', 'y'] as const).map((axis) => (
        <p key={axis} className="m-0 text-micro text-muted tabular-nums">
          {figureName(query[axis])} {range(axis)}
        </p>
      ))}
      {canEnter && <p className="m-0 text-micro text-muted">Click to zoom in</p>}
    </Card>
  );
}

function volumeText({ rows, known, volume }: Cell): string {
  if (rows === 1) return `Volume ${exact(known === 1 ? volume : undefined)}`;
  if (known === 0) return 'No volume is known';
  // Not a total: a keyword may be in several rows.
  return [`Volumes add up to ${exact(volume)}`, knownFor(known, rows)].filter(Boolean).join(', ');
}

/** Where a card belongs to, in CSS pixels. */
type Spot = { readonly x: number; readonly y: number; readonly radius: number };

function Card({ at, children }: { readonly at: Spot; readonly children: ReactNode }) {
  return (
    <div
      role="tooltip"
      className="pointer-events-none absolute z-20 w-max max-w-64 -translate-x-1/2 rounded-control border border-line bg-surface px-3 py-2 text-small text-ink shadow-2"
      style={{
        left: `clamp(8.5rem, ${at.x}px, calc(100% - 8.5rem))`,
        ...(at.y < 140 ? { top: at.y + at.radius + 8 } : { bottom: `calc(100% - ${at.y - at.radius - 8}px)` }),
      }}
    >
      {children}
    </div>
  );
}
