import type { LevelPoints } from '@kc/rules/points-shapes';
import { writeFigure } from '../../format/figure-text.ts';
import type { PointsQuery } from '../../model/points-query.ts';
import { figureName } from '../../tree-data/figures.ts';

type CardProps = {
  readonly query: PointsQuery;
  readonly points: LevelPoints['points'];
  readonly nth: number;
  readonly at: { readonly x: number; readonly y: number; readonly radius: number };
};

/** The name and figures of the point under the pointer. */
export function PointCard({ query, points, nth, at }: CardProps) {
  const figures = new Map([
    [query.x, points.x[nth]],
    [query.y, points.y[nth]],
    [query.size, points.size[nth] ?? undefined],
  ]);
  return (
    <div
      role="tooltip"
      className="pointer-events-none absolute z-20 w-max max-w-64 -translate-x-1/2 rounded-control border border-line bg-surface px-3 py-2 text-small text-ink shadow-2"
      style={{
        left: `clamp(8.5rem, ${at.x}px, calc(100% - 8.5rem))`,
        ...(at.y < 140 ? { top: at.y + at.radius + 8 } : { bottom: `calc(100% - ${at.y - at.radius - 8}px)` }),
      }}
    >
      <p dir="auto" className="m-0 truncate font-semibold">
        {points.names[nth]}
      </p>
      {[...figures].map(([metric, value]) => (
        <p key={metric} className="m-0 text-micro text-muted tabular-nums">
          {figureName(metric)} {writeFigure(metric, value)}
        </p>
      ))}
      {points.hardly[nth] === 1 && <p className="m-0 text-micro text-muted">Known for less than 20 % of the volume</p>}
    </div>
  );
}
