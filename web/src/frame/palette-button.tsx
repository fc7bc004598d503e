import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useEffectEvent } from 'react';
import { isMac, keyName } from '../ui/key-names.ts';
import type { PaletteProps } from './palette.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

/** `open` is undefined until it was opened once. */
type Props = Omit<PaletteProps, 'open'> & { readonly open: boolean | undefined };

/** ⌘K or Ctrl K anywhere, or the button: everything that can be done here, by its name. */
export function PaletteButton({ open, ...props }: Props) {
  const { onOpenChange } = props;
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isAsked = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'k';
    if (!isAsked) return;
    // The browser has a use of its own for it, which nobody means here.
    event.preventDefault();
    if (open) onOpenChange(false);
    else if (!isInDialog()) onOpenChange(true);
  });
  useEffect(() => {
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onClick={() => onOpenChange(true)}
        className="hidden h-8 items-center gap-2 rounded-control border border-line-strong bg-surface px-2.5 text-muted text-small hover:bg-sunken hover:text-ink md:flex touch:h-11"
      >
        <Search size={16} strokeWidth={1.75} aria-hidden />
        <span className="sr-only">Commands</span>
        <span aria-hidden="true" className="font-mono text-micro">
          {keyName('⌘K')}
        </span>
      </button>
      <Suspense>{open !== undefined && <Palette {...props} open={open} />}</Suspense>
    </>
  );
}

/** What asks for an answer is not covered by something else. */
const isInDialog = () =>
  [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].some((dialog) => dialog.checkVisibility());
