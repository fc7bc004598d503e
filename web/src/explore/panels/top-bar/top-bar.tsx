import { limits } from '@kc/rules/limits';
import { type ReactNode, type RefObject, useContext } from 'react';
import { useMedia } from '../../../ui/environment.ts';
import type { Stage } from '../../charts/canvas/stage.ts';
import { ExplorerPartsContext, useLook } from '../explorer-context.ts';
import { FilterButton, type FilterToggle } from '../filter/filter-button.tsx';
import { SaveViewButton } from '../saved/save-view-button.tsx';
import { ScoreButton } from '../score/score-button.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { ShareButton } from '../share/share-button.tsx';
import { StatusLine } from '../status-line.tsx';
import { Breadcrumb } from './breadcrumb.tsx';
import { AxisSelects, ColourSelect, DepthSwitch, Help, SizeSelect, ViewSelect, ViewSwitch } from './controls.tsx';
import { LevelSelect, TableControls } from './level-select.tsx';
import { Looks } from './looks.tsx';

export type TopBarProps = {
  /** The page title, which selects the visualization. */
  readonly picker: ReactNode;
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly shareButton: RefObject<HTMLButtonElement | null>;
  /** The current chart; undefined for the table. */
  readonly stage: Stage | undefined;
  readonly filterButton: RefObject<HTMLButtonElement | null>;
  readonly filterPanel: FilterToggle;
  /** Moves the focus to the chart. */
  readonly onGone: () => void;
};

/** The path and the search, with the chart settings below; or the one bar of a screen. */
export function TopBar(props: TopBarProps) {
  const { Bar } = useContext(ExplorerPartsContext);
  if (!Bar) return <TwoRows {...props} />;
  const { picker, searchField, filterButton, filterPanel, shareButton, stage, onGone } = props;
  return (
    <>
      {picker}
      <Bar
        controls={{
          path: <Breadcrumb isShort />,
          views: (
            <>
              <ViewSelect />
              <Looks hasLevel />
            </>
          ),
          filter: <FilterButton button={filterButton} panel={filterPanel} />,
          search: <SearchBox field={searchField} stage={stage} onGone={onGone} isNarrow />,
          score: <ScoreButton isShort />,
          share: <ShareButton button={shareButton} stage={stage} isSmall />,
          help: <Help isNamed />,
        }}
      />
    </>
  );
}

function TwoRows({ picker, searchField, filterButton, filterPanel, shareButton, stage, onGone }: TopBarProps) {
  const view = useLook((state) => state.view);
  // In a low and narrow window a second row of settings would take space from the chart.
  const isLow = useMedia(`(height < 600px) and (width < ${limits.panelsFromPx}px)`);
  return (
    <>
      <div className="flex min-h-12 shrink-0 items-center gap-3 bg-surface px-3 short:min-h-10 touch:py-0.5">
        {picker}
        <Breadcrumb />
        <FilterButton button={filterButton} panel={filterPanel} />
        <SearchBox field={searchField} stage={stage} onGone={onGone} />
        <SaveViewButton />
        <ShareButton button={shareButton} stage={stage} isSmall={false} />
        <Help />
      </div>
      <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-5 gap-y-1 border-b border-line bg-surface px-3 pb-1.5 short:pb-0 short:max-lg:gap-x-2">
        <ViewSwitch />
        {view === 'opportunity' && <LevelSelect />}
        {view !== 'table' && isLow && <Looks />}
        {view !== 'table' && !isLow && (
          <>
            {view === 'opportunity' ? <AxisSelects /> : <DepthSwitch />}
            {/* Points have the colours of their pillars. */}
            {view !== 'opportunity' && <ColourSelect />}
            <SizeSelect />
          </>
        )}
        {view === 'table' && <TableControls />}
        <ScoreButton isShort={isLow} />
        {view === 'table' && (
          <div className="ml-auto max-lg:hidden">
            <StatusLine />
          </div>
        )}
      </div>
    </>
  );
}
