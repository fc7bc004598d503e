import { limits } from '@kc/rules/limits';
import { ListChecks } from 'lucide-react';
import { lazy, type ReactNode, useEffect, useRef, useState } from 'react';
import { useExplorer } from '../../../explore/panels/explorer-context.ts';
import { LazyBoundary } from '../../../explore/panels/lazy-boundary.tsx';
import { Button } from '../../../ui/button.tsx';
import { useMedia } from '../../../ui/use-media.ts';
import { useMarks } from './draft-context.ts';
import { openText } from './review-words.ts';

const ReviewPanel = lazy(async () => ({ default: (await import('./review-panel.tsx')).ReviewPanel }));
const ReviewSheet = lazy(async () => ({ default: (await import('./review-panel.tsx')).ReviewSheet }));

/** From this width on, the chart has room beside both the review and the outline. */
const bothFromPx = 1600;

/** In the draft of an update: what is left to review above the explorer, and the review list beside it. */
export function WithReview({ children }: { readonly children: ReactNode }) {
  const { review } = useMarks();
  const isSmall = !useMedia(`(min-width: ${limits.mobileBelowPx}px)`);
  const [isWanted, setWanted] = useState<boolean>();
  const isUpdate = review !== undefined;
  const left = review ? openText(review) : '';
  // It opens by itself where it does not cover the chart, and stays when nothing is left.
  if (isUpdate && isWanted === undefined) setWanted(left !== '' && !isSmall);
  const isOpen = isUpdate && isWanted === true;
  useMakeRoom(isOpen);
  const close = () => setWanted(false);
  return (
    <>
      {isUpdate && (
        <div className="flex shrink-0 items-center gap-3 border-b border-line bg-surface px-3 py-1">
          <p className="m-0 min-w-0 flex-1 text-small">
            <span className="font-semibold">Update</span>{' '}
            <span className="text-muted">{left === '' ? 'Everything is reviewed.' : left}</span>
          </p>
          <Button
            size="dense"
            aria-expanded={isOpen}
            icon={<ListChecks size={16} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => setWanted(!isOpen)}
          >
            Review
          </Button>
        </div>
      )}
      <div className="flex min-h-0 flex-1">
        <LazyBoundary>{isOpen && !isSmall && <ReviewPanel onClose={close} />}</LazyBoundary>
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
      </div>
      <LazyBoundary>{isOpen && isSmall && <ReviewSheet onClose={close} />}</LazyBoundary>
    </>
  );
}

/** Closes the outline when the review opens, where there is no room for both. Who opens it again keeps it. */
function useMakeRoom(isOpen: boolean): void {
  const { store } = useExplorer();
  const latest = useRef(store);
  latest.current = store;
  useEffect(() => {
    if (isOpen && innerWidth < bothFromPx) latest.current.setState({ outlineOpen: false });
  }, [isOpen]);
}
