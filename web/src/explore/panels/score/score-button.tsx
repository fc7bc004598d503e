import { useRef } from 'react';
import { LazyBoundary, lazyPart } from '../../../ui/lazy-boundary.tsx';
import { useBarPanel, useLooks } from '../explorer-context.ts';
import { useScoreName } from './use-score-check.ts';

const ScoreOverlay = lazyPart(async () => (await import('./score-editor.tsx')).ScoreOverlay);

/** Lets shortcuts and commands press the button. */
export const scoreButtonId = 'edit-score';

type Props = {
  /** Whether only its sign is shown in a narrow window. */
  readonly isShort?: boolean;
};

/** Names the score that is set, and opens its editor. */
export function ScoreButton({ isShort = false }: Props) {
  const { ready, score } = useLooks('ready', 'score');
  const [isOpen, setOpen] = useBarPanel('score');
  const button = useRef<HTMLButtonElement>(null);
  const nameOf = useScoreName(score !== undefined);
  const name = score === undefined ? 'Score' : nameOf(score);
  return (
    <>
      <button
        ref={button}
        id={scoreButtonId}
        type="button"
        title="Score"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        disabled={!ready}
        onClick={() => setOpen(!isOpen)}
        className="relative inline-flex h-8 max-w-52 shrink-0 items-center gap-1.5 rounded-control border border-line-strong bg-surface px-2.5 text-small font-medium text-ink hover:bg-sunken aria-expanded:bg-brand-soft aria-expanded:text-brand-ink disabled:opacity-50 touch:h-11"
      >
        <span aria-hidden="true" className="font-mono text-muted">
          ƒ
        </span>
        <span className={isShort ? 'truncate max-lg:sr-only' : 'truncate'}>{name}</span>
        {score !== undefined && (
          <>
            <span
              aria-hidden="true"
              className="size-1.5 shrink-0 rounded-full bg-brand forced-colors:bg-[CanvasText]"
            />
            <span className="sr-only">, set</span>
          </>
        )}
      </button>
      <LazyBoundary>{isOpen && <ScoreOverlay button={button} onClose={() => setOpen(false)} />}</LazyBoundary>
    </>
  );
}
