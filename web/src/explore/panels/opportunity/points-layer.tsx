import type { LevelPoints } from '@kc/rules/points-shapes';
import { type KeyboardEvent, type MouseEvent, memo, useMemo, useState } from 'react';
import { compactFigure } from '../../../ui/number-text.ts';
import { useTheme } from '../../../ui/theme.ts';
import { colourOfNth } from '../../charts/paint/colour-scale.ts';
import { paletteOf } from '../../charts/paint/palettes.ts';
import type { PointsQuery } from '../../model/points-query.ts';
import { figureName } from '../../tree-data/figures.ts';
import { none } from '../../tree-data/no-row.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { singleKeysOn } from '../keyboard/single-keys.ts';
import { levelWords } from '../table/level-words.ts';
import { nearestPoint } from './nearest-point.ts';
import type { PlacedPoints } from './place-points.ts';
import type { Scale } from './plot-scale.ts';
import { PointCard } from './point-card.tsx';
import { type Box, labelPoints } from './point-labels.ts';
import { useOpenNode } from './use-open-node.ts';

type LayerProps = {
  readonly size: { readonly width: number; readonly height: number };
  readonly area: Box;
  readonly x: Scale;
  readonly y: Scale;
  readonly placed: PlacedPoints;
  readonly query: PointsQuery;
  readonly points: LevelPoints;
  readonly titles: { readonly x: string; readonly y: string };
};

/** Axes, points and names. The points are one widget: arrows move to the nearest one in a direction. */
export function PointsLayer({ size, area, x, y, placed, query, points, titles }: LayerProps) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const { select, open } = useOpenNode();
  const selected = useLook((state) => (state.selected === none ? none : tree.node[state.selected]!));
  const [hovered, setHovered] = useState(-1);
  const { nodes, names } = points.points;
  const current = nodes.indexOf(selected);
  const labels = useMemo(() => {
    const all = names.map((name, nth) => ({ name, x: placed.x[nth]!, y: placed.y[nth]!, radius: placed.radius[nth]! }));
    return labelPoints(all, area, current < 0 ? [] : [current]);
  }, [names, placed, area, current]);
  const nthAt = ({ target }: MouseEvent) => Number((target as Element).getAttribute('data-nth') ?? -1);

  function press(event: KeyboardEvent): void {
    const move = (across: number, down: number) => () => {
      const next = current < 0 ? 0 : nearestPoint(placed, current, across, down);
      if (next !== undefined && nodes[next] !== undefined) void select(nodes[next]);
    };
    const acts: Readonly<Record<string, () => void>> = {
      ArrowLeft: move(-1, 0),
      ArrowRight: move(1, 0),
      ArrowUp: move(0, -1),
      ArrowDown: move(0, 1),
      Enter: () => current >= 0 && void open(nodes[current]!),
      Escape: explorer.climb,
      Backspace: explorer.climb,
      ...(singleKeysOn() && { t: explorer.toggleTable }),
    };
    const act = acts[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  }

  const words = levelWords[query.level];
  return (
    <div
      role="application"
      aria-label={`Opportunity: ${words.count(points.placed)}. ${figureName(query.x)} to the right, ${figureName(query.y)} upwards. Arrow keys move between points, Enter opens one.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a widget of its own, with its own keys
      tabIndex={0}
      onKeyDown={press}
      onClick={(event) => {
        const nth = nthAt(event);
        if (nth >= 0) void select(nodes[nth]!);
      }}
      onDoubleClick={(event) => {
        const nth = nthAt(event);
        if (nth >= 0) void open(nodes[nth]!);
      }}
      onPointerMove={(event) => setHovered(nthAt(event))}
      onPointerLeave={() => setHovered(-1)}
      className="absolute inset-0 outline-none focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus"
    >
      <svg width={size.width} height={size.height} aria-hidden="true" className="block text-ink">
        <Axes {...{ size, area, x, y, titles }} />
        <Dots points={points} placed={placed} />
        {current >= 0 && (
          <circle
            cx={placed.x[current]}
            cy={placed.y[current]}
            r={placed.radius[current]! + 3}
            className="pointer-events-none fill-transparent stroke-ink"
            strokeWidth="2"
          />
        )}
        {labels.map(({ nth, text, x: left, y: middle }) => (
          <text
            key={nodes[nth]}
            x={left}
            y={middle}
            dominantBaseline="central"
            className={`pointer-events-none stroke-canvas text-[12px] ${points.points.hardly[nth] === 1 ? 'fill-muted' : 'fill-ink'}`}
            strokeWidth="3"
            paintOrder="stroke"
          >
            {text}
          </text>
        ))}
      </svg>
      {hovered >= 0 && nodes[hovered] !== undefined && (
        <PointCard
          query={query}
          points={points.points}
          nth={hovered}
          at={{ x: placed.x[hovered]!, y: placed.y[hovered]!, radius: placed.radius[hovered]! }}
        />
      )}
    </div>
  );
}

function Axes({ size, area, x, y, titles }: Pick<LayerProps, 'size' | 'area' | 'x' | 'y' | 'titles'>) {
  return (
    <g className="text-[11px]">
      {x.ticks.map((tick) => (
        <g key={tick}>
          <line x1={x.at(tick)} x2={x.at(tick)} y1={area.y0} y2={area.y1} className="stroke-line" strokeOpacity="0.5" />
          <text x={x.at(tick)} y={area.y1 + 15} textAnchor="middle" className="fill-muted">
            {compactFigure(tick)}
          </text>
        </g>
      ))}
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line x1={area.x0} x2={area.x1} y1={y.at(tick)} y2={y.at(tick)} className="stroke-line" strokeOpacity="0.5" />
          <text x={area.x0 - 7} y={y.at(tick)} textAnchor="end" dominantBaseline="central" className="fill-muted">
            {compactFigure(tick)}
          </text>
        </g>
      ))}
      <path
        d={`M${area.x0} ${area.y0}V${area.y1}H${area.x1}`}
        className="fill-none stroke-line-strong"
        shapeRendering="crispEdges"
      />
      <text
        x={(area.x0 + area.x1) / 2}
        y={size.height - 12}
        textAnchor="middle"
        className="fill-ink text-[13px] font-semibold"
      >
        {titles.x} →
      </text>
      <text
        transform={`translate(14 ${(area.y0 + area.y1) / 2}) rotate(-90)`}
        textAnchor="middle"
        className="fill-ink text-[13px] font-semibold"
      >
        {titles.y} →
      </text>
    </g>
  );
}

/** The points: those that are hardly known below the others, then large ones below small ones. */
const Dots = memo(function Dots({ points, placed }: Pick<LayerProps, 'points' | 'placed'>) {
  const palette = paletteOf(
    useTheme(),
    useLook((state) => state.isColourBlindSafe),
  );
  const { nodes, pillars, hardly } = points.points;
  const order = [...nodes.keys()].sort((one, other) => hardly[other]! - hardly[one]! || one - other);
  return (
    <g className="forced-color-adjust-none">
      {order.map((nth) => {
        const colour = colourOfNth(palette, pillars[nth]! - 1);
        const isHardly = hardly[nth] === 1;
        return (
          <circle
            key={nodes[nth]}
            data-nth={nth}
            cx={placed.x[nth]}
            cy={placed.y[nth]}
            r={placed.radius[nth]}
            fill={colour}
            fillOpacity={isHardly ? 0.25 : 0.8}
            stroke={isHardly ? colour : palette.canvas}
            strokeWidth={isHardly ? 1.25 : 1}
            strokeDasharray={isHardly ? '3 3' : undefined}
            className="cursor-pointer"
          />
        );
      })}
    </g>
  );
});
