import { paths } from '@kc/rules/paths';
import { sampleId } from '@kc/rules/upload';
import { Link, useRouter } from '@tanstack/react-router';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Button, buttonClass } from '../../ui/button.tsx';
import { useNow } from '../../ui/timers.ts';

type EmptyScreenProps = {
  readonly isAdmin: boolean;
  readonly canImport: boolean;
  /** When the server was last queried, in milliseconds since 1970. */
  readonly checkedAt: number;
  readonly hasSample: boolean;
};

/** The home page of a user who has nothing to explore yet: where the data will come from, and what to do until then. */
export function EmptyScreen({ isAdmin, canImport, checkedAt, hasSample }: EmptyScreenProps) {
  const { history } = useRouter();
  const openSample = () => history.push(`${paths.visualization}?v=${sampleId}`);
  const text = useRef<HTMLDivElement>(null);
  return (
    <div className="flex min-h-[calc(100dvh-var(--header))] flex-1 flex-col">
      <h1 tabIndex={-1} className="sr-only">
        My Visualizations
      </h1>
      <section className="space relative flex flex-1 items-center justify-center overflow-hidden p-6">
        <Stars count={220} text={text} />
        <div ref={text} className="relative max-w-md text-center">
          <h2 className="m-0 text-display text-space-ink">Your sky is ready</h2>
          <p className="mt-3 text-body text-space-muted">
            {isAdmin
              ? 'Upload a keyword file for yourself or for somebody else. It appears here as soon as it is read.'
              : canImport
                ? 'Import a list of keywords, or wait until an administrator uploads your data.'
                : 'An administrator uploads your keyword data. You will see it here as soon as it arrives.'}
          </p>
          <div className="mt-6 flex flex-wrap justify-center gap-3">
            {isAdmin && (
              <Link to={paths.admin} search={{ tab: 'upload' }} className={buttonClass('primary', 'large')}>
                Upload File
              </Link>
            )}
            {canImport && (
              <Link to={paths.import} className={buttonClass(isAdmin ? 'secondary' : 'primary', 'large')}>
                Import a list
              </Link>
            )}
            {isAdmin && (
              <a href="/sample-keywords.json" download className={buttonClass('secondary', 'large')}>
                Download a sample file
              </a>
            )}
            {hasSample && (
              <Button variant={isAdmin || canImport ? 'secondary' : 'primary'} size="large" onClick={openSample}>
                Explore a sample
              </Button>
            )}
          </div>
          <p className="mt-6 text-small text-space-muted">
            Waiting for data · <CheckedAgo at={checkedAt} />
          </p>
        </div>
      </section>
    </div>
  );
}

/** The seconds since then, ticking. It is not a live region, because a screen reader would announce every tick. */
function CheckedAgo({ at }: { at: number }) {
  const seconds = Math.max(0, Math.round((useNow(1_000) - at) / 1_000));
  return <>{seconds === 0 ? 'checked just now' : `checked ${seconds} s ago`}</>;
}

type Props = {
  readonly count: number;
  /** The text in front of the sky. No star is drawn behind it. */
  readonly text: RefObject<HTMLElement | null>;
};

/** Margin around the text, in pixels. */
const clearPx = 12;

/** A still sky with a few twinkling stars: a decoration for screens without data. */
function Stars({ count, text }: Props) {
  const place = useRef<SVGSVGElement>(null);
  const measured = useMeasured(place, text);
  return (
    <svg ref={place} aria-hidden="true" className="pointer-events-none absolute inset-0 size-full">
      {measured &&
        starsOutside(starsOf(count), measured.sky, measured.text, clearPx).map((star) => (
          <circle
            key={star.at}
            cx={star.x * measured.sky.width}
            cy={star.y * measured.sky.height}
            r={star.radius}
            fill={colors[star.at % colors.length]}
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

/** The size of the sky and the position of the text in it; undefined before the first layout. */
function useMeasured(place: RefObject<Element | null>, text: RefObject<Element | null>) {
  const [measured, setMeasured] = useState<{ readonly sky: Sky; readonly text: Box }>();
  useLayoutEffect(() => {
    if (!place.current || !text.current) return;
    const [sky, words] = [place.current, text.current];
    const measure = () => {
      const [outer, inner] = [sky.getBoundingClientRect(), words.getBoundingClientRect()];
      const { width, height } = inner;
      setMeasured({
        sky: { width: outer.width, height: outer.height },
        text: { x: inner.x - outer.x, y: inner.y - outer.y, width, height },
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(sky);
    observer.observe(words);
    return () => observer.disconnect();
  }, [place, text]);
  return measured;
}

/** In CSS pixels. */
type Sky = { readonly width: number; readonly height: number };
type Box = Sky & { readonly x: number; readonly y: number };

/**
 * One star: its place from 0 to below 1 of the sky, its radius in CSS pixels, and whether it twinkles and since when.
 */
type PlacedStar = {
  readonly at: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly twinkles: boolean;
  readonly delayS: number;
};

/**
 * The same stars every time: the fractional parts of multiples of irrational numbers spread evenly and never line up.
 * Source: Weyl, "Über die Gleichverteilung von Zahlen mod. Eins", Mathematische Annalen 77, 1916.
 */
export function starsOf(count: number): PlacedStar[] {
  const part = (n: number) => n - Math.floor(n);
  return Array.from({ length: count }, (_, at) => ({
    at,
    x: part((at + 1) * Math.SQRT2),
    y: part((at + 1) * Math.E),
    radius: 0.5 + 1.4 * part((at + 1) * Math.PI) ** 3,
    twinkles: at % 9 === 0,
    delayS: -4 * part((at + 1) * Math.LN2),
  }));
}

/** The stars that do not touch a box. @param room around the box, in CSS pixels */
export function starsOutside(
  stars: readonly PlacedStar[],
  sky: Sky,
  { x, y, width, height }: Box,
  room: number,
): PlacedStar[] {
  return stars.filter((star) => {
    const reach = star.radius + room;
    const [across, down] = [star.x * sky.width, star.y * sky.height];
    const isBeside = across < x - reach || across > x + width + reach;
    return isBeside || down < y - reach || down > y + height + reach;
  });
}
