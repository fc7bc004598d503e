/** A run of numbers as a small line from their least to their greatest, the last one marked. Oldest first. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const points = sparklinePoints(values, width, height);
  const last = points.at(-1);
  return (
    <figure className="m-0 flex items-center gap-3">
      <svg role="img" aria-label={`${label}: ${values.join(', ')}`} width={width} height={height} className="shrink-0">
        <polyline
          points={points.map(([x, y]) => `${x},${y}`).join(' ')}
          fill="none"
          stroke="var(--brand)"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
        {last && <circle cx={last[0]} cy={last[1]} r="2.5" fill="var(--brand)" />}
      </svg>
      <figcaption className="text-micro text-muted">
        {Math.min(...values)} to {Math.max(...values)}
      </figcaption>
    </figure>
  );
}

const width = 120;
const height = 28;
const inset = 3;

/** Corner points in pixels, from the top left. A run without any change lies in the middle. */
export function sparklinePoints(values: readonly number[], w: number, h: number): [x: number, y: number][] {
  const least = Math.min(...values);
  const span = Math.max(...values) - least;
  const step = (w - 2 * inset) / Math.max(1, values.length - 1);
  return values.map((value, i) => [
    inset + i * step,
    span === 0 ? h / 2 : h - inset - ((value - least) / span) * (h - 2 * inset),
  ]);
}
