import { useEffect, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useMedia } from '../../../ui/environment.ts';
import { useExplorer } from '../explorer-context.ts';
import { canDive, dismissFirstSteps, type FirstStep, firstSteps, stepDone } from './first-steps.ts';

const words: Readonly<Record<FirstStep, { readonly title: string; readonly mouse: string; readonly touch: string }>> = {
  dive: {
    title: 'Look inside',
    mouse: 'Double-click a branch, or select one and press Enter.',
    touch: 'Double-tap a branch.',
  },
  climb: {
    title: 'Back up',
    mouse: 'Press Esc, or the button “Up one level”.',
    touch: 'Tap the button “Up one level”.',
  },
  search: { title: 'Find any keyword', mouse: 'Press / and type.', touch: 'Type in the search field.' },
  outline: {
    title: 'The same as a list',
    mouse: 'Open a branch in the outline, or choose one. Arrow keys work, too.',
    touch: 'Pull up the sheet below, go to Outline and choose a branch.',
  },
};

/**
 * The introduction: a line above the chart or table, so that it covers nothing. A step ends when the user has done it, and
 * nothing is blocked.
 */
export function Coach() {
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
    if (!step) dismissFirstSteps({ forever: localStorage, visit: sessionStorage }, 'forever');
  }, [step]);
  const close = (how?: 'forever' | 'visit') => {
    if (how) dismissFirstSteps({ forever: localStorage, visit: sessionStorage }, how);
    store.setState({ coachOpen: false });
  };
  return (
    <section
      aria-label="First steps"
      className="flex shrink-0 flex-wrap items-center justify-end gap-x-3 gap-y-1 border-b border-brand bg-surface px-3 py-1 text-small text-ink"
    >
      <p role="status" className="m-0 min-w-40 flex-1">
        <span className="font-semibold">{step ? words[step].title : 'That is all'}</span>
        <span className="ml-2 text-muted">
          {step ? words[step][isTouch ? 'touch' : 'mouse'] : 'The help shows every key, and these steps again.'}
        </span>
      </p>
      <span className="flex items-center gap-2">
        <span className="text-micro text-muted tabular-nums">
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
      </span>
    </section>
  );
}
