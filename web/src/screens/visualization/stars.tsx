import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { type Box, type Sky, starsOf, starsOutside } from './star-places.ts';

type Props = {
  readonly count: number;
  /** The text in front of the sky. No star is drawn behind it. */
  readonly text: RefObject<HTMLElement | null>;
};

/** Margin around the text, in pixels. */
const clearPx = 12;

/** A still sky with a few twinkling stars: a decoration for screens without data. */
export function Stars({ count, text }: Props) {
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
