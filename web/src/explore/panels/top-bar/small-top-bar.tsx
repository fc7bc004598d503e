import { ChevronDown, ChevronLeft } from 'lucide-react';
import { useCallback, useContext, useEffect, useRef } from 'react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { compactKeywordsOf } from '../../format/figure-text.ts';
import { pathTo } from '../../model/tree-walk.ts';
import { ExplorerPartsContext, useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { FilterButton } from '../filter/filter-button.tsx';
import { SaveViewButton } from '../saved/save-view-button.tsx';
import { ScoreButton } from '../score/score-button.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { ShareButton } from '../share/share-button.tsx';
import { DepthSwitch, Help, ViewSwitch } from './controls.tsx';
import { LevelSelect, TableControls } from './level-select.tsx';
import { Looks } from './looks.tsx';
import type { TopBarProps } from './top-bar.tsx';

/**
 * The top bar of a small screen: focus and search, then scrollable views beside buttons that stay within reach. The
 * current view is in sight.
 */
export function SmallTopBar(props: TopBarProps) {
  const { picker, searchField, filterButton, filterPanel, shareButton, stage, onGone } = props;
  const explorer = useExplorer();
  const { Bar } = useContext(ExplorerPartsContext);
  const { focus, view } = useLooks('focus', 'view');
  const row = useRef<HTMLDivElement>(null);
  const hasLevel = view === 'table' || view === 'opportunity';
  const showChosen = useCallback(() => {
    const chosen = row.current?.querySelector('input:checked')?.parentElement;
    // With as much as possible of the level, which follows.
    chosen?.scrollIntoView({ block: 'nearest', inline: hasLevel ? 'start' : 'center' });
  }, [hasLevel]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever the view changes
  useEffect(showChosen, [view, showChosen]);
  return (
    <>
      {Bar && <Bar controls={undefined} />}
      <div className="flex min-h-12 shrink-0 items-center gap-0.5 border-b border-line bg-surface pr-2 pl-1 short:min-h-10">
        <IconButton size="dense" label="Up one level" disabled={focus === 0} onClick={explorer.climb}>
          <ChevronLeft size={18} strokeWidth={2} />
        </IconButton>
        {picker}
        <Place />
        <div className="w-32 shrink-0 sm:w-56">
          <SearchBox field={searchField} stage={stage} onGone={onGone} />
        </div>
      </div>
      <div className="flex min-h-12 shrink-0 items-center border-b border-line bg-surface pr-1 short:min-h-10">
        <div
          ref={row}
          className="cut-softly flex min-w-0 flex-1 items-center gap-3 overflow-x-auto scroll-px-3 py-0.5 pr-3 pl-2 [scrollbar-width:none]"
        >
          <ViewSwitch />
          {view === 'table' && <TableControls />}
          {view === 'opportunity' && <LevelSelect />}
          {view !== 'table' && view !== 'opportunity' && <DepthSwitch />}
          <ScoreButton />
          <Help />
        </div>
        <FilterButton button={filterButton} panel={filterPanel} />
        {view !== 'table' && <Looks />}
        <SaveViewButton />
        <ShareButton button={shareButton} stage={stage} isSmall />
      </div>
    </>
  );
}

/** The focus and a menu with its ancestors. */
function Place() {
  const explorer = useExplorer();
  const { tree } = explorer;
  const focus = useLook((state) => state.focus);
  useLook((state) => state.treeVersion);
  if (tree.size === 0) return <div className="flex-1" />;
  const around = pathTo(tree, focus).slice(0, -1);
  const name = (
    <span dir="auto" className="min-w-0 truncate font-semibold">
      {tree.name(focus)}
    </span>
  );
  return (
    <nav aria-label="Path" className="flex min-w-0 flex-1 text-small">
      {around.length === 0 ? (
        <span aria-current="location" className="flex min-w-0 items-center px-1">
          {name}
        </span>
      ) : (
        <Menu
          trigger={
            <button
              type="button"
              aria-current="location"
              className="flex h-8 min-w-0 items-center gap-1 rounded-chip px-1 hover:bg-sunken touch:h-11"
            >
              {name}
              <ChevronDown size={14} strokeWidth={2} className="shrink-0 text-muted" />
            </button>
          }
        >
          {around.map((row) => (
            <MenuItem key={row} onSelect={() => explorer.focusOn(row)}>
              <bdi>{tree.name(row)}</bdi>
              <span className="text-muted"> {compactKeywordsOf(tree, row)}</span>
            </MenuItem>
          ))}
        </Menu>
      )}
    </nav>
  );
}
