import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useMedia } from '../../../ui/environment.ts';
import { useExplorer } from '../explorer-context.ts';
import { canDive, type FirstStep, firstSteps, putAwayFirstSteps, stepDone } from './first-steps.ts';

type CoachProps = {
  /** The explorer element, which contains the controls that the steps point at. */
  readonly screen: RefObject<HTMLElement | null>;
};

/** The selectors for each step's control. The first match is used. */
const controls: Readonly<Record<FirstStep, readonly string[]>> = {
  dive: ['[role=application]', '[role=treegrid]', '[role=grid]'],
  climb: ['button[aria-label="Up one level"]', 'nav[aria-label="Path"]'],
  search: ['input[role=combobox]'],
  outline: ['[role=tree]', 'button[aria-label="Show the outline"]', '[aria-label="Details and outline"]'],
};

const words: Readonly<Record<FirstStep, { readonly title: string; readonly mouse: string; readonly touch: string }>> = {
  dive: {
    title: 'Look inside',
    mouse: 'Double-click a branch, or select one and press Enter.',
    touch: 'Double-tap a branch.',
  },
  climb: { title: 'Back up', mouse: 'Press Esc, or this button.', touch: 'Tap this button.' },
  search: { title: 'Find any keyword', mouse: 'Type here, or press / first.', touch: 'Type here.' },
  outline: {
    title: 'The same as a list',
    mouse: 'Open a branch here, or choose one. Arrow keys work, too.',
    touch: 'Pull this up, go to Outline and choose a branch.',
  },
};

/**
 * The introduction, with a card beside the control of each step. A step ends when the user has done it. Nothing is
 * blocked.
 */
export function Coach({ screen }: CoachProps) {
  const { tree, store } = useExplorer();
  const isTouch = useMedia('(pointer: coarse)');
  const [steps] = useState(() => firstSteps.filter((step) => canDive(tree) || (step !== 'dive' && step !== 'climb')));
  const [done, setDone] = useState<readonly FirstStep[]>([]);
  useEffect(
    () =>
      store.subscribe((now, before) => {
        const inOutline = document.activeElement?.closest('[role=tree]') !== null;
        const step = stepDone(tree, now, before, inOutline);
        if (step) setDone((all) => (all.includes(step) ? all : [...all, step]));
      }),
    [store, tree],
  );
  const step = steps.find((one) => !done.includes(one));
  useEffect(() => {
    if (!step) putAwayFirstSteps({ forever: localStorage, visit: sessionStorage }, 'forever');
  }, [step]);
  const close = (how?: 'forever' | 'visit') => {
    if (how) putAwayFirstSteps({ forever: localStorage, visit: sessionStorage }, how);
    store.setState({ coachOpen: false });
  };
  const card = useRef<HTMLElement>(null);
  const place = usePlace(screen, card, step);
  return (
    <section
      ref={card}
      aria-label="First steps"
      style={place ? { left: place.left, top: place.top } : { visibility: 'hidden' }}
      className="fixed z-40 w-[min(19rem,calc(100vw-1rem))] rounded-card border border-brand bg-surface p-4 text-ink shadow-2"
    >
      {place?.tip && (
        <span
          aria-hidden="true"
          style={{ left: place.tip.left }}
          className={`-translate-x-1/2 absolute size-3 rotate-45 border-brand bg-surface ${
            place.tip.at === 'top' ? '-top-[6.5px] border-t border-l' : '-bottom-[6.5px] border-r border-b'
          }`}
        />
      )}
      <div role="status">
        <p className="m-0 text-body font-semibold">{step ? words[step].title : 'That is all'}</p>
        <p className="mt-1 mb-0 text-small text-muted">
          {step
            ? words[step][isTouch ? 'touch' : 'mouse']
            : 'The question mark above shows every key, and these steps again.'}
        </p>
      </div>
      <div className="mt-3 flex items-center gap-2">
        <span className="flex-1 text-micro text-muted tabular-nums">
          {step && `${steps.indexOf(step) + 1} of ${steps.length}`}
        </span>
        {step ? (
          <>
            <Button size="dense" variant="ghost" onClick={() => close('forever')}>
              Don’t show again
            </Button>
            <Button size="dense" onClick={() => close('visit')}>
              Skip
            </Button>
          </>
        ) : (
          <Button size="dense" variant="primary" onClick={() => close()}>
            Done
          </Button>
        )}
      </div>
    </section>
  );
}

/** The current position of the card, which follows its control; undefined until it has been measured. */
function usePlace(
  screen: RefObject<HTMLElement | null>,
  card: RefObject<HTMLElement | null>,
  step: FirstStep | undefined,
): CardPlace | undefined {
  const [place, setPlace] = useState<CardPlace>();
  useLayoutEffect(() => {
    const measure = () => {
      const control = controls[step ?? 'dive'].map((one) => screen.current?.querySelector(one)).find(isShown);
      if (!card.current) return;
      const window = { width: innerWidth, height: innerHeight };
      const whole = { left: 0, top: 0, ...window };
      const { width, height } = card.current.getBoundingClientRect();
      setPlace(placeCard(control?.getBoundingClientRect() ?? whole, { width, height }, window));
    };
    measure();
    const watch = new ResizeObserver(measure);
    for (const element of [screen.current, card.current]) if (element) watch.observe(element);
    // The control moves when panels open and close, and when a sheet is dragged.
    addEventListener('resize', measure);
    addEventListener('transitionend', measure);
    addEventListener('click', measure);
    return () => {
      watch.disconnect();
      removeEventListener('resize', measure);
      removeEventListener('transitionend', measure);
      removeEventListener('click', measure);
    };
  }, [screen, card, step]);
  return place;
}

function isShown(element: Element | null | undefined): element is Element {
  return element != null && element.getBoundingClientRect().height > 0;
}

type Rect = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
type CardPlace = {
  readonly left: number;
  readonly top: number;
  /** The position of the tip from the card's left edge; undefined if the card is inside its target. */
  readonly tip: { readonly left: number; readonly at: 'top' | 'bottom' } | undefined;
};

const gap = 10;
const edge = 8;
/** The height from which a target contains the card, at its bottom. */
const insideFrom = 240;

/** Places a card for a target on the screen: below it, otherwise above it, always inside the window. */
export function placeCard(of: Rect, card: { width: number; height: number }, window: typeof card): CardPlace {
  const within = (at: number, length: number, all: number) => Math.max(edge, Math.min(at, all - length - edge));
  const middle = of.left + of.width / 2;
  const left = within(middle - card.width / 2, card.width, window.width);
  const bottom = of.top + of.height;
  if (of.height >= insideFrom) {
    return {
      left,
      top: within(Math.min(bottom, window.height) - card.height - 2 * gap, card.height, window.height),
      tip: undefined,
    };
  }
  const tipLeft = Math.max(16, Math.min(middle - left, card.width - 16));
  const isUnder = bottom + gap + card.height + edge <= window.height;
  const top = within(isUnder ? bottom + gap : of.top - gap - card.height, card.height, window.height);
  return { left, top, tip: { left: tipLeft, at: isUnder ? 'top' : 'bottom' } };
}
