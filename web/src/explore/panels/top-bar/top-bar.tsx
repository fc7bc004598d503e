import { ChevronLeft, CircleQuestionMark, SlidersHorizontal } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { IconButton, iconButtonClass } from '../../../ui/icon-button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import type { Stage } from '../../charts/canvas/stage.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { FilterButton } from '../filter/filter-button.tsx';
import { LazyBoundary } from '../lazy-boundary.tsx';
import { LegendBody } from '../legend/legend.tsx';
import { SaveViewButton } from '../saved-views/save-view-button.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { ShareButton } from '../share/share-button.tsx';
import { StatusLine } from '../status-line.tsx';
import { useMedia } from '../use-media.ts';
import { Breadcrumb } from './breadcrumb.tsx';
import { AxisSelects, ColourSelect, DepthSwitch, SizeSelect, ViewSwitch } from './controls.tsx';

type TopBarProps = {
  /** The title of the page, which chooses the visualization. */
  readonly picker: ReactNode;
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly shareButton: RefObject<HTMLButtonElement | null>;
  /** The picture that is shown; the table is none. */
  readonly stage: Stage | undefined;
  readonly filterButton: RefObject<HTMLButtonElement | null>;
  /** Brings the keyboard to the picture. */
  readonly onGone: () => void;
};

/** Where one is and the search, and under it how the picture is drawn. */
export function TopBar({ picker, searchField, filterButton, shareButton, stage, onGone }: TopBarProps) {
  const view = useLook((state) => state.view);
  // In a window that is low and not wide a second line of choices would be taken from the picture.
  const isLow = useMedia('(height < 600px) and (width < 1200px)');
  return (
    <>
      <div className="flex min-h-12 shrink-0 items-center gap-3 bg-surface px-3 short:min-h-10 touch:py-0.5">
        {picker}
        <Breadcrumb />
        <FilterButton button={filterButton} isSmall={false} />
        <SearchBox field={searchField} stage={stage} onGone={onGone} />
        <SaveViewButton isSmall={false} />
        <ShareButton button={shareButton} stage={stage} isSmall={false} />
        <Help />
      </div>
      <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-5 gap-y-1 border-b border-line bg-surface px-3 pb-1.5 short:pb-0">
        <ViewSwitch />
        {view !== 'table' && isLow && <Looks />}
        {view !== 'table' && !isLow && (
          <>
            {view === 'opportunity' ? <AxisSelects /> : <DepthSwitch />}
            <ColourSelect />
            <SizeSelect />
          </>
        )}
        {view === 'table' && (
          <div className="ml-auto max-lg:hidden">
            <StatusLine />
          </div>
        )}
      </div>
    </>
  );
}

/** The top of a small screen: where one is, and the search. Views and depth have a row of their own. */
export function SmallTopBar({ picker, searchField, filterButton, shareButton, stage, onGone }: TopBarProps) {
  const explorer = useExplorer();
  const focus = useLook((state) => state.focus);
  const view = useLook((state) => state.view);
  const row = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view in question is the one that is checked
  useEffect(() => {
    const chosen = row.current?.querySelector('input:checked')?.parentElement;
    chosen?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [view]);
  return (
    <>
      <div className="flex min-h-12 shrink-0 items-center gap-1 border-b border-line bg-surface px-2 short:min-h-10">
        <IconButton label="Up one level" disabled={focus === 0} onClick={explorer.climb}>
          <ChevronLeft size={18} aria-hidden="true" />
        </IconButton>
        <div className="min-w-0 shrink-0">{picker}</div>
        <SearchBox field={searchField} stage={stage} onGone={onGone} />
      </div>
      <div className="flex shrink-0 items-center gap-2 border-b border-line bg-surface pl-3">
        {/* It stays while the views beside it are scrolled, and covers none of them. */}
        <FilterButton button={filterButton} isSmall />
        <div
          ref={row}
          className="cut-softly flex min-w-0 flex-1 items-center gap-3 overflow-x-auto py-1 pr-3 pl-1 [scrollbar-width:none]"
        >
          <ViewSwitch />
          {view !== 'table' && (
            <>
              {view !== 'opportunity' && <DepthSwitch />}
              <Looks />
            </>
          )}
          <SaveViewButton isSmall />
          <ShareButton button={shareButton} stage={stage} isSmall />
          <Help />
        </div>
      </div>
    </>
  );
}

function Looks() {
  const view = useLook((state) => state.view);
  const label = `Colour, size and ${view === 'opportunity' ? 'axes' : 'depth'}`;
  return (
    <Popover
      label={label}
      align="end"
      trigger={
        <button type="button" aria-label={label} className={iconButtonClass('dense')}>
          <SlidersHorizontal size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
    >
      {() => (
        <div className="flex flex-col items-end gap-3">
          {view === 'opportunity' ? <AxisSelects /> : <DepthSwitch />}
          <ColourSelect />
          <SizeSelect />
          <LazyBoundary>
            <section aria-label="Legend" className="w-full rounded-card border border-line pt-1.5 text-small">
              <LegendBody />
            </section>
          </LazyBoundary>
        </div>
      )}
    </Popover>
  );
}

function Help() {
  const { store } = useExplorer();
  return (
    <IconButton size="dense" label="Keyboard shortcuts" onClick={() => store.setState({ helpOpen: true })}>
      <CircleQuestionMark size={18} strokeWidth={1.75} aria-hidden="true" />
    </IconButton>
  );
}
