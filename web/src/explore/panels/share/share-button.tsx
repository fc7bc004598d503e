import { ChevronDown, Share2 } from 'lucide-react';
import { lazy, type RefObject, useState } from 'react';
import { buttonClass, iconButtonClass } from '../../../ui/button.tsx';
import type { Stage } from '../../charts/canvas/stage.ts';
import { useExplorer } from '../explorer-context.ts';
import { LazyBoundary } from '../lazy-boundary.tsx';

const loadMenu = () => import('./share-menu.tsx');
const ShareMenu = lazy(async () => ({ default: (await loadMenu()).ShareMenu }));
const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }));

type Props = {
  /** Undefined for the table, and for the points of a level. */
  readonly stage: Stage | undefined;
  readonly isSmall: boolean;
  /** Lets a shortcut press the button. */
  readonly button: RefObject<HTMLButtonElement | null>;
};

/** The Share button. The menu and its actions load when it is opened. */
export function ShareButton({ stage, isSmall, button }: Props) {
  const explorer = useExplorer();
  /** Undefined until it is first opened. */
  const [exporting, setExporting] = useState<boolean>();
  /** Whether it is open, and whether by a key: then the first item has the focus. */
  const [open, setOpen] = useState<'by-key' | 'by-pointer'>();
  // Without downloads, a visitor of a link has nothing to share.
  if (!explorer.mayDownload) return null;
  const begin = () => {
    loadMenu().catch(() => {
      // A prefetch. Opening the menu reports the failure.
    });
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={isSmall ? 'Share' : undefined}
        aria-haspopup="menu"
        aria-expanded={open !== undefined}
        className={isSmall ? iconButtonClass('dense') : buttonClass('ghost', 'dense')}
        onPointerEnter={begin}
        onFocus={begin}
        onClick={(event) => setOpen(open ? undefined : event.detail === 0 ? 'by-key' : 'by-pointer')}
      >
        <Share2 size={isSmall ? 18 : 16} />
        {!isSmall && (
          <>
            Share
            <ChevronDown size={14} />
          </>
        )}
      </button>
      {open && (
        <LazyBoundary>
          <ShareMenu
            button={button}
            byKey={open === 'by-key'}
            onExport={() => setExporting(true)}
            onClose={() => setOpen(undefined)}
          />
        </LazyBoundary>
      )}
      {exporting !== undefined && (
        <LazyBoundary>
          <ExportDialog stage={stage} open={exporting} onClose={() => setExporting(false)} />
        </LazyBoundary>
      )}
    </>
  );
}
