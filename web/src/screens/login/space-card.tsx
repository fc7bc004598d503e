import { sayError } from '@kc/rules/entry-messages';
import { limits } from '@kc/rules/limits';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { createWorker } from '../../trusted-worker.ts';
import { Banner } from '../../ui/banner.tsx';
import { classNames } from '../../ui/class-names.ts';
import { allowsMotion } from '../../ui/environment.ts';
import { Constellation } from '../../ui/space.tsx';
import type { SkyMessage } from './starfield.worker.ts';
import workerUrl from './starfield.worker.ts?worker&url';

type Props = {
  readonly subtitle: string;
  readonly children: ReactNode;
  /** Which stars of the constellation behind the card are lit. */
  readonly lit: { readonly parent: boolean; readonly children: boolean };
  /** Whether the sign-in has succeeded: the stars then speed up until the next page. */
  readonly landing?: boolean;
};

/** See {@link SkyProps.speed}. */
const landingSpeed = 60;

/** A starry page with one card: for sign-in, and for the pages that links in mails open. */
export function SpaceCard({ subtitle, children, lit, landing = false }: Props) {
  return (
    <div className="space flex min-h-dvh flex-col items-center">
      <Sky speed={landing ? landingSpeed : 1} />
      <GuideStars parentLit={lit.parent} childrenLit={lit.children} />
      <main className="space-card relative mt-[12vh] mb-6 w-[calc(100%-2rem)] max-w-105 rounded-dialog border border-space-border/40 bg-space-card p-6 shadow-3 md:mt-[max(1.5rem,calc(50dvh-23.5rem))] md:p-8 short:mt-4 short:p-5">
        <Constellation className="mx-auto size-10 text-star-violet [--mark-parent:var(--star-gold)] short:hidden" />
        <h1 className="mt-3 text-center text-[1.75rem] leading-9 font-semibold tracking-[-0.02em] md:text-display short:mt-0 short:text-h1">
          Keyword Clustering
        </h1>
        <p className="mt-1 mb-5 text-center text-body text-space-muted short:mb-3">{subtitle}</p>
        {children}
      </main>
    </div>
  );
}

/** The part of a mutation that describes its failure. */
type Failing = { readonly error: Error | null; readonly submittedAt: number; readonly reset: () => void };

/** A temporary error banner on a Space surface; nothing while there is no error. */
export function RefusedBanner({ of: { error, submittedAt, reset } }: { readonly of: Failing }) {
  if (!error) return null;
  return (
    <Banner key={submittedAt} tone="error" surface="space" lifeMs={limits.bannerMs} onDismiss={reset}>
      {sayError(error)}
    </Banner>
  );
}

type SkyProps = {
  /** Speed of the stars, as a multiple of their slow drift on a quiet page. */
  readonly speed: number;
};

/** Events that show that somebody is using the page. */
const useEvents = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;
/** The longest that something may move by itself beside what people read (WCAG 2.2.2). */
const restAfterMs = 5_000;

/**
 * The starry sky, drawn in a worker at 10 frames a second, or 20 while it speeds up; static with reduced motion. It rests while
 * the page is hidden, and when there was no input for a while.
 */
function Sky({ speed }: SkyProps) {
  const place = useRef<HTMLDivElement>(null);
  const worker = useRef<Worker>(undefined);

  useEffect(() => {
    const element = place.current;
    if (!element || !('transferControlToOffscreen' in HTMLCanvasElement.prototype)) return;
    const canvas = document.createElement('canvas');
    canvas.className = 'size-full';
    element.append(canvas);
    const sky = createWorker(workerUrl, 'sky');
    worker.current = sky;

    const offscreen = canvas.transferControlToOffscreen();
    sky.postMessage({ kind: 'start', canvas: offscreen, still: !allowsMotion() } satisfies SkyMessage, [offscreen]);
    const sendSize = () => sky.postMessage(sizeOf(element));
    sendSize();
    let watched = true;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const watch = (now: boolean) => {
      clearTimeout(rest);
      if (now) rest = setTimeout(watch, restAfterMs, false);
      if (now !== watched) sky.postMessage({ kind: 'watched', watched: now } satisfies SkyMessage);
      watched = now;
    };
    const onVisibility = () => watch(!document.hidden);
    const onUse = () => watch(true);
    watch(!document.hidden);
    for (const event of useEvents) addEventListener(event, onUse, { passive: true });

    let debounce: ReturnType<typeof setTimeout>;
    const onResize = () => {
      clearTimeout(debounce);
      debounce = setTimeout(sendSize, limits.resizeDebounceMs);
    };
    addEventListener('resize', onResize);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(debounce);
      clearTimeout(rest);
      removeEventListener('resize', onResize);
      for (const event of useEvents) removeEventListener(event, onUse);
      document.removeEventListener('visibilitychange', onVisibility);
      sky.terminate();
      canvas.remove();
    };
  }, []);

  useEffect(() => {
    worker.current?.postMessage({ kind: 'speed', speed } satisfies SkyMessage);
  }, [speed]);

  return <div ref={place} aria-hidden className="pointer-events-none fixed inset-0" />;
}

function sizeOf(element: HTMLElement): SkyMessage {
  const { width, height } = element.getBoundingClientRect();
  const count = width < limits.mobileBelowPx ? limits.starsMobile : limits.starsDesktop;
  return { kind: 'size', width, height, ratio: Math.min(2, devicePixelRatio), count };
}

type GuideStarsProps = { readonly parentLit: boolean; readonly childrenLit: boolean };

/** The constellation of the logo, behind the card. Its stars light up as the fields of the sign-in become valid. */
function GuideStars({ parentLit, childrenLit }: GuideStarsProps) {
  return (
    <svg
      viewBox="0 0 560 560"
      aria-hidden="true"
      className="pointer-events-none fixed top-1/2 left-1/2 hidden w-[860px] max-w-none -translate-x-1/2 -translate-y-1/2 md:block"
    >
      <path d="M470 56 50 440M470 56l56 356" fill="none" className="stroke-star-violet/20" strokeWidth="1" />
      <GuideStar x={470} y={56} size={5} lit={parentLit} className="text-star-gold" />
      <GuideStar x={50} y={440} size={4} lit={childrenLit} className="text-star-violet" />
      <GuideStar x={526} y={412} size={4} lit={childrenLit} className="text-star-violet" />
    </svg>
  );
}

type StarProps = {
  /** The centre, in units of the drawing. */
  readonly x: number;
  readonly y: number;
  /** The radius, in units of the drawing. */
  readonly size: number;
  readonly lit: boolean;
  readonly className: string;
};

function GuideStar({ x, y, size, lit, className }: StarProps) {
  const glow = useId();
  return (
    <g className={classNames(className, 'motion transition-opacity duration-300', lit ? 'opacity-100' : 'opacity-50')}>
      <radialGradient id={glow}>
        <stop offset="0.2" stopColor="currentColor" stopOpacity={lit ? 0.5 : 0.2} />
        <stop offset="1" stopColor="currentColor" stopOpacity="0" />
      </radialGradient>
      <circle cx={x} cy={y} r={size * 6} fill={`url(#${glow})`} />
      <circle cx={x} cy={y} r={size} fill="currentColor" />
    </g>
  );
}
