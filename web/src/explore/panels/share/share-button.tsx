import {
  ChevronDown,
  FileText,
  FolderDown,
  Link2,
  Presentation,
  Send,
  Share2,
  Star,
  UserRoundPlus,
} from 'lucide-react';
import { type RefObject, useContext, useEffect, useRef } from 'react';
import { buttonClass, iconButtonClass } from '../../../ui/button.tsx';
import { keyName } from '../../../ui/keys.ts';
import { LazyBoundary, lazyPart } from '../../../ui/lazy-boundary.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import type { Stage } from '../../charts/canvas/stage.ts';
import { ExplorerPartsContext, useBarPanel, useExplorer } from '../explorer-context.ts';
import { openSaved } from '../saved/save-view-button.tsx';
import { linkToView, useCopy } from './copy.ts';

const ExportDialog = lazyPart(async () => (await import('./export-dialog.tsx')).ExportDialog);

type Props = {
  /** Undefined for the table, and for the points of a level. */
  readonly stage: Stage | undefined;
  readonly isSmall: boolean;
  /** Lets a shortcut press the button. */
  readonly button: RefObject<HTMLButtonElement | null>;
};

/** The Share button, its menu, and the dialog of all files. */
export function ShareButton({ stage, isSmall, button }: Props) {
  const explorer = useExplorer();
  const [isOpen, setOpen] = useBarPanel('share');
  const [isExporting, setExporting] = useBarPanel('export');
  /** It is there until it has closed, and then for the next time. */
  const wasExporting = useRef(false);
  useEffect(() => {
    wasExporting.current ||= isExporting;
  }, [isExporting]);
  // Without downloads, a visitor of a link has nothing to share.
  if (!explorer.mayDownload) return null;
  return (
    <>
      <Menu
        open={isOpen}
        onOpenChange={setOpen}
        align="end"
        className="w-80 max-w-[calc(100vw-1rem)]"
        trigger={
          <button
            ref={button}
            type="button"
            aria-label={isSmall ? 'Share' : undefined}
            className={isSmall ? iconButtonClass('dense') : buttonClass('ghost', 'dense')}
          >
            <Share2 size={isSmall ? 18 : 16} />
            {!isSmall && (
              <>
                Share
                <ChevronDown size={14} />
              </>
            )}
          </button>
        }
      >
        <ShareItems onExport={() => setExporting(true)} />
      </Menu>
      <LazyBoundary>
        {(isExporting || wasExporting.current) && (
          <ExportDialog stage={stage} open={isExporting} onClose={() => setExporting(false)} />
        )}
      </LazyBoundary>
    </>
  );
}

/** What can be done with the view for others and for later, in at most seven items. Files have a dialog of their own. */
function ShareItems({ onExport }: { readonly onExport: () => void }) {
  const explorer = useExplorer();
  const { store } = explorer;
  const copy = useCopy();
  const { onShareWithPerson } = useContext(ExplorerPartsContext);
  return (
    <>
      {explorer.isKept && (
        <>
          <MenuItem
            icon={<Link2 size={18} />}
            keys={keyName('⌘⇧L')}
            onSelect={() => copy(linkToView(explorer), 'explore/link-copied')}
          >
            Copy link
          </MenuItem>
          <p className="m-0 px-3 pb-1.5 text-micro text-muted">
            It opens exactly this view, for whoever signs in and has access to this visualization.
          </p>
          {onShareWithPerson && (
            <MenuItem icon={<UserRoundPlus size={18} />} onSelect={onShareWithPerson}>
              Share with a person…
            </MenuItem>
          )}
          <MenuItem icon={<Star size={18} />} keys="⇧S" onSelect={openSaved}>
            Save this view
          </MenuItem>
          <MenuItem icon={<Presentation size={18} />} keys="P" onSelect={() => store.setState({ isPresenting: true })}>
            Present the saved views
          </MenuItem>
        </>
      )}
      {!explorer.isDraft && (
        <MenuItem icon={<Send size={18} />} onSelect={() => store.setState({ handoverOpen: true })}>
          Hand over…
        </MenuItem>
      )}
      <MenuItem icon={<FileText size={18} />} onSelect={() => store.setState({ reportOpen: true })}>
        Print report…
      </MenuItem>
      <MenuItem icon={<FolderDown size={18} />} onSelect={onExport}>
        Export…
      </MenuItem>
    </>
  );
}
