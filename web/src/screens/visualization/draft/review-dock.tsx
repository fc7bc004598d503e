import { ListChecks } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { exact } from '../../../explore/format/figure-text.ts';
import { useExplorer } from '../../../explore/panels/explorer-context.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { useIsSmall } from '../../../ui/environment.ts';
import { LazyBoundary, lazyPart } from '../../../ui/lazy-boundary.tsx';
import { useDraftEditor, useEditing, useMarks } from './draft-context.ts';
import { openText, reviewTabs } from './review-words.ts';

const ReviewPanel = lazyPart(async () => (await import('./review-panel.tsx')).ReviewPanel);
const ReviewSheet = lazyPart(async () => (await import('./review-panel.tsx')).ReviewSheet);

/** From this width on, the chart has room beside both the review and the outline. */
const bothFromPx = 1600;

/** In the draft of an update: the lists to look through, beside the outline. */
export function ReviewDock() {
  const editor = useDraftEditor();
  const { review } = useMarks();
  const isSmall = useIsSmall();
  const isRequested = useEditing((state) => state.isReviewing);
  const isUpdate = review !== undefined;
  const isSomethingLeft = review !== undefined && openText(review) !== '';
  // It opens by itself if it does not cover the chart, and stays open when nothing is left.
  useEffect(() => {
    if (isUpdate && isRequested === undefined) editor.review(isSomethingLeft && !isSmall);
  }, [editor, isUpdate, isRequested, isSomethingLeft, isSmall]);
  const isOpen = isUpdate && isRequested === true;
  useMakeRoom(isOpen);
  const close = () => editor.review(false);
  return (
    <LazyBoundary>
      {isOpen && !isSmall && <ReviewPanel onClose={close} />}
      {isOpen && isSmall && <ReviewSheet onClose={close} />}
    </LazyBoundary>
  );
}

/** In the bar: opens and closes the lists, and shows how much is left. Absent if there is nothing to review. */
export function ReviewButton() {
  const isSmall = useIsSmall();
  const editor = useDraftEditor();
  const { review } = useMarks();
  const isOpen = useEditing((state) => state.isReviewing === true);
  const textId = useId();
  if (!review) return null;
  const left = reviewTabs.reduce((sum, tab) => sum + review[tab], 0);
  return (
    <>
      <Button
        size="dense"
        aria-label="Review"
        aria-expanded={isOpen}
        aria-describedby={textId}
        title={left === 0 ? 'Everything is reviewed.' : openText(review)}
        className={`aria-expanded:bg-brand-soft aria-expanded:text-brand-ink ${isSmall ? 'px-2' : 'px-2.5'}`}
        icon={<ListChecks size={16} />}
        onClick={() => editor.review(!isOpen)}
      >
        {!isSmall && 'Review'}
        {left > 0 && <Badge tone="brand">{left > 999 ? '999+' : exact(left)}</Badge>}
      </Button>
      <span id={textId} className="sr-only">
        {left === 0 ? 'Everything is reviewed.' : openText(review)}
      </span>
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
