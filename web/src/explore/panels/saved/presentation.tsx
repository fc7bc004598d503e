import { say } from '@kc/rules/explorer-messages';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { iconButtonClass } from '../../../ui/button.tsx';
import { isOverlayOpen } from '../../../ui/keys.ts';
import { MessagePlace } from '../../../ui/toast.tsx';
import { useWindowEvent } from '../../../ui/use-window-event.ts';
import type { SavedText } from '../../model/source.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { Legend } from '../legend/legend.tsx';
import { currentView, savedQuery, useSaved } from './saved.ts';

type Props = {
  /** Moves the focus to the chart. */
  readonly onExit: () => void;
};

/**
 * Presentation mode: the chart alone, with a line below it that names the saved view and has buttons to step through
 * the views. Keys work as well. It starts with the current view if that is a saved one.
 */
export function Presentation({ onExit }: Props) {
  const explorer = useExplorer();
  const queries = useQueryClient();
  const { texts: views, error } = useSaved('views');
  const [shown, setShown] = useState<SavedText>();
  /** The view state before presentation mode changed the layout. */
  const [before] = useState(() => currentView(explorer));
  const line = useRef<HTMLElement>(null);
  const hasStepped = useRef(false);
  const isDrawn = useLook((state) => state.view !== 'table' && !state.outlineOnly);
  const at = views?.findIndex(({ id }) => id === shown?.id) ?? -1;

  const show = useCallback(
    (view: SavedText | undefined) => {
      if (!view) return;
      setShown(view);
      // Use one history entry for all steps, so that Back leaves presentation mode at once.
      void explorer.address.open(view.text, hasStepped.current ? 'replace' : 'push');
      hasStepped.current = true;
    },
    [explorer],
  );
  const leave = useCallback(() => explorer.store.setState({ isPresenting: false }), [explorer]);

  useLayoutEffect(() => {
    document.documentElement.dataset.presenting = '';
    line.current?.focus();
    const stopFilling = fillScreen(leave);
    return () => {
      delete document.documentElement.dataset.presenting;
      stopFilling();
      onExit();
    };
  }, [leave, onExit]);

  useEffect(() => {
    queries.fetchQuery(savedQuery(explorer, 'views')).then(
      (all) => {
        const here = all.find(({ text }) => text === before);
        if (here) setShown(here);
        else show(all[0]);
      },
      () => {
        // The line reports the failure.
      },
    );
  }, [explorer, queries, show, before]);

  const press = (event: KeyboardEvent) => {
    if (isOverlayOpen()) return;
    const does = presentationKey(event, event.target instanceof HTMLButtonElement);
    if (does === 'page') return;
    event.stopPropagation();
    if (does === 'nothing') return;
    event.preventDefault();
    if (does === 'leave') leave();
    else if (does === 'first') show(views?.[0]);
    else if (does === 'last') show(views?.at(-1));
    else show(views?.[at + (does === 'next' ? 1 : -1)]);
  };
  useWindowEvent('keydown', press, { capture: true });

  return (
    <section
      ref={line}
      tabIndex={-1}
      aria-label="Presentation. Arrow keys walk through the saved views, Escape leaves."
      className="flex min-h-11 shrink-0 flex-wrap items-center gap-1 border-t border-line bg-surface px-2 outline-none"
    >
      {isDrawn && (
        // Presentation mode also shows the legend.
        <Legend className="max-md:hidden" />
      )}
      {views && views.length > 1 && (
        <>
          <Step label="Previous view" isEnd={at <= 0} onStep={() => show(views[at - 1])}>
            <ChevronLeft size={18} className="rtl:rotate-180" />
          </Step>
          <Step label="Next view" isEnd={at === views.length - 1} onStep={() => show(views[at + 1])}>
            <ChevronRight size={18} className="rtl:rotate-180" />
          </Step>
        </>
      )}
      <MessagePlace className="order-first basis-full" />
      <p role="status" className="m-0 line-clamp-2 min-w-0 flex-1 px-2 text-small text-muted">
        {error && explorer.explain(error)}
        {views?.length === 0 && say('explore/present-none')}
        {views && shown && at >= 0 && (
          <>
            <span className="tabular-nums">
              {at + 1} of {views.length}
            </span>
            <span aria-hidden="true"> · </span>
            <span dir="auto">{shown.name}</span>
            {views.length === 1 && <span className="max-sm:sr-only">. {say('explore/present-one')}</span>}
          </>
        )}
      </p>
      <button
        type="button"
        onClick={leave}
        className={`${iconButtonClass('dense')} w-auto gap-1.5 px-2 text-small touch:w-auto`}
      >
        <X size={16} />
        Leave
        <span aria-hidden="true" className="font-mono text-micro touch:hidden">
          Esc
        </span>
      </button>
    </section>
  );
}

type StepProps = {
  readonly label: string;
  /** Whether there is no further view. The button keeps the focus if it has it. */
  readonly isEnd: boolean;
  readonly onStep: () => void;
  readonly children: React.ReactNode;
};

function Step({ label, isEnd, onStep, children }: StepProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={isEnd}
      onClick={onStep}
      className={`${iconButtonClass('dense')} aria-disabled:cursor-not-allowed aria-disabled:opacity-50`}
    >
      {children}
    </button>
  );
}

/**
 * Shows the page in full screen, if the browser allows it.
 *
 * @param onLeft called when full screen ends, for example with the browser's Escape
 * @returns a function that leaves full screen
 */
function fillScreen(onExit: () => void): () => void {
  let isFilled = false;
  const changed = () => {
    if (document.fullscreenElement) isFilled = true;
    else if (isFilled) onExit();
  };
  document.addEventListener('fullscreenchange', changed);
  // Without full screen everything still works in the window. The types assume that every browser supports it.
  const filling = document.fullscreenElement
    ? undefined
    : (document.documentElement.requestFullscreen as (() => Promise<void>) | undefined)?.call(document.documentElement);
  filling?.catch(() => undefined);
  return () => {
    document.removeEventListener('fullscreenchange', changed);
    if (isFilled && document.fullscreenElement) void document.exitFullscreen();
  };
}

type PresentationAct = 'next' | 'previous' | 'first' | 'last' | 'leave';

/** Keys without modifiers. Presentation remotes send Page Up and Page Down. */
const acts: Readonly<Record<string, PresentationAct>> = {
  ArrowRight: 'next',
  PageDown: 'next',
  ' ': 'next',
  ArrowLeft: 'previous',
  PageUp: 'previous',
  Home: 'first',
  End: 'last',
  Escape: 'leave',
  p: 'leave',
  P: 'leave',
};
/** Chart keys for a closer look stay available. Tab and Enter are for the buttons. */
const left: ReadonlySet<string> = new Set(['Tab', 'Enter', 'Shift', '+', '=', '-', '0', '1', '2']);

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * The action of a key in presentation mode: `page` leaves the key to the page, `nothing` blocks keys whose targets are
 * hidden.
 *
 * @param isOnButton whether a button has the focus, which Space presses
 */
export function presentationKey(pressed: Pressed, isOnButton: boolean): PresentationAct | 'page' | 'nothing' {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = pressed;
  if (ctrlKey || metaKey || altKey || left.has(key) || (key === ' ' && isOnButton)) return 'page';
  if (key === ' ' && shiftKey) return 'previous';
  return acts[key] ?? 'nothing';
}
