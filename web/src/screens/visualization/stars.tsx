/** A still sky with a few stars that twinkle. Decoration: it stands only where no data is shown. */
export function Stars({ count }: { count: number }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1000 600"
      preserveAspectRatio="xMidYMid slice"
      className="pointer-events-none absolute inset-0 size-full"
    >
      {starsOf(count).map((star) => (
        <circle
          key={star.at}
          cx={star.x}
          cy={star.y}
          r={star.radius}
          fill={star.color}
          className={star.twinkles ? 'motion animate-[twinkle_4s_ease-in-out_infinite]' : ''}
          style={star.twinkles ? { animationDelay: `${star.delayS}s` } : undefined}
        />
      ))}
    </svg>
  );
}

const colors = [
  'var(--star-white)',
  'var(--star-white)',
  'var(--star-white)',
  'var(--star-violet)',
  'var(--star-gold)',
];

/**
 * The same stars every time: the fractional parts of multiples of irrational numbers spread evenly and never line up.
 * Source: Weyl, "Über die Gleichverteilung von Zahlen mod. Eins", Mathematische Annalen 77, 1916.
 */
function starsOf(count: number) {
  const part = (n: number) => n - Math.floor(n);
  return Array.from({ length: count }, (_, at) => ({
    at,
    x: 1000 * part((at + 1) * Math.SQRT2),
    y: 600 * part((at + 1) * Math.E),
    radius: 0.4 + 1.1 * part((at + 1) * Math.PI) ** 3,
    color: colors[at % colors.length],
    twinkles: at % 9 === 0,
    delayS: -4 * part((at + 1) * Math.LN2),
  }));
}
