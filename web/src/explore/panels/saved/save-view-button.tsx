import { Star } from 'lucide-react';
import { useRef } from 'react';
import { iconButtonClass } from '../../../ui/button.tsx';
import { isOverlayOpen } from '../../../ui/keys.ts';
import { LazyBoundary, lazyPart } from '../../../ui/lazy-boundary.tsx';
import { useBarPanel, useExplorer, useLook } from '../explorer-context.ts';

const SavedViewsPanel = lazyPart(async () => (await import('./views-panel.tsx')).SavedViewsPanel);

/** Lets shortcuts and commands press the button. */
export const saveViewId = 'save-view';

/** Opens the panel that saves a view and lists the saved ones. */
export function SaveViewButton() {
  const { isKept } = useExplorer();
  const ready = useLook((state) => state.ready);
  const [isOpen, setOpen] = useBarPanel('views');
  const button = useRef<HTMLButtonElement>(null);
  if (!isKept) return null;
  return (
    <>
      <button
        ref={button}
        id={saveViewId}
        type="button"
        aria-label="Save view"
        title="Save view"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        disabled={!ready}
        className={iconButtonClass('dense')}
        onClick={() => setOpen(!isOpen)}
      >
        <Star size={18} />
      </button>
      <LazyBoundary>{isOpen && <SavedViewsPanel button={button} onClose={() => setOpen(false)} />}</LazyBoundary>
    </>
  );
}

/** Opens the saved views from the command palette once that has closed, because closing restores the previous focus. */
export function openSaved(): void {
  if (isOverlayOpen()) requestAnimationFrame(openSaved);
  else requestAnimationFrame(() => document.getElementById(saveViewId)?.click());
}
