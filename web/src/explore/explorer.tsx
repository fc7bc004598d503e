import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { Banner } from '../ui/banner.tsx';
import { offerCommands } from '../ui/commands.ts';
import { currentTheme, useIsSmall, useMedia, watchTheme } from '../ui/environment.ts';
import { LazyBoundary, lazyPart } from '../ui/lazy-boundary.tsx';
import { useToast } from '../ui/toast.tsx';
import { useWindowEvent } from '../ui/use-window-event.ts';
import type { Stage } from './charts/canvas/stage.ts';
import { keywordsOf } from './format/figure-text.ts';
import type { Explorer } from './model/explorer.ts';
import { levelOf } from './model/levels.ts';
import { isRankedLevel } from './model/list-query.ts';
import { Canvas } from './panels/canvas/canvas.tsx';
import { LoadingPicture } from './panels/canvas/loading-picture.tsx';
import { MinimapCorner, ZoomControls } from './panels/canvas/zoom-controls.tsx';
import { ExplorerContext, ExplorerPartsContext, useExplorer, useLook, useLooks } from './panels/explorer-context.ts';
import { Failure, MainFailed } from './panels/failure.tsx';
import { useFilterPanel } from './panels/filter/filter-button.tsx';
import { FilterChips, NothingKept } from './panels/filter/filter-chips.tsx';
import { keepFocus } from './panels/keep-focus.ts';
import { listenForScreenKeys } from './panels/keyboard/screen-keys.ts';
import { Legend } from './panels/legend/legend.tsx';
import { OutlineOnly } from './panels/outline/outline.tsx';
import { planByKey } from './panels/plan/plan-actions.ts';
import { PlanUpdates } from './panels/plan/plan-elsewhere.tsx';
import { HitBar } from './panels/search/search-box.tsx';
import { copyByKey } from './panels/share/copy.ts';
import { StatusLine } from './panels/status-line.tsx';
import { TopBar } from './panels/top-bar/top-bar.tsx';
import { stepByKey } from './panels/warnings/step-warnings.ts';
import { WarningUpdates } from './panels/warnings/use-warnings.tsx';
import { DetailPanel, OutlinePanel } from './side-panels.tsx';

/** Used only on small screens. */
const BottomSheet = lazyPart(async () => (await import('./bottom-sheet.tsx')).BottomSheet);
/** Most visits never open it, and nothing else here needs a dialog. */
const KeyboardHelp = lazyPart(async () => (await import('./panels/keyboard/keyboard-help.tsx')).KeyboardHelp);
/** Shown until its steps are done or it is dismissed. */
const Coach = lazyPart(async () => (await import('./panels/coach/coach.tsx')).Coach);
const UnplacedDialog = lazyPart(async () => (await import('./panels/detail/unplaced-dialog.tsx')).UnplacedDialog);
const ChooseUpload = lazyPart(async () => (await import('./panels/changes/choose-upload.tsx')).ChooseUpload);
const HandoverDialog = lazyPart(async () => (await import('./panels/handover/handover-dialog.tsx')).HandoverDialog);
const Report = lazyPart(async () => (await import('./panels/report/report.tsx')).Report);
const Presentation = lazyPart(async () => (await import('./panels/saved/presentation.tsx')).Presentation);
const Opportunity = lazyPart(async () => (await import('./panels/opportunity/opportunity.tsx')).Opportunity);
const Table = lazyPart(async () => (await import('./panels/table/table.tsx')).Table);
const PlanTable = lazyPart(async () => (await import('./panels/plan/plan-table.tsx')).PlanTable);
const ListTable = lazyPart(async () => (await import('./panels/table/list-table.tsx')).ListTable);

/** Replaces the top bar and the side panels around the chart on a small screen. */
const SmallTopBar = lazyPart(async () => (await import('./panels/top-bar/small-top-bar.tsx')).SmallTopBar);

type ExplorerProps = {
  readonly explorer: Explorer;
  /** The title of the page, which selects the visualization. */
  readonly picker: ReactNode;
  /** Notices above the chart. */
  readonly pills: ReactNode;
  /** The date of the data, for the status line. */
  readonly freshness: ReactNode;
};

/** One visualization: the chart or the table, and the panels around it; fills a flex column. */
export function ExplorerScreen({ explorer, ...around }: ExplorerProps) {
  return (
    <ExplorerContext value={explorer}>
      <Screen {...around} />
    </ExplorerContext>
  );
}

function Screen({ picker, pills, freshness }: Omit<ExplorerProps, 'explorer'>) {
  const explorer = useExplorer();
  const { Side } = useContext(ExplorerPartsContext);
  const screen = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const filterButton = useRef<HTMLButtonElement>(null);
  const isSmall = useIsSmall();
  const isWide = useMedia(`(min-width: ${limits.panelsFromPx}px)`);
  const outlineOnly = useLook((state) => state.outlineOnly);
  const [stage, setStage] = useState<Stage | undefined>();
  const shareButton = useRef<HTMLButtonElement>(null);
  const toast = useToast();
  const queries = useQueryClient();
  const isEmpty = useLook((state) => state.ready && state.filter !== '' && explorer.tree.keywords[0] === 0);
  const hasChips = useLook((state) => state.filter !== '' || Boolean(state.filtering) || state.vs !== undefined);
  const isChoosingUpload = useLook((state) => state.uploadsOpen);

  const { ready, coachOpen, isPresenting } = useLooks('ready', 'coachOpen', 'isPresenting');
  const isUnplacedOpen = useLook((state) => state.unplacedQuery !== undefined);
  const isHandingOver = useLook((state) => state.handoverOpen);
  const isReporting = useLook((state) => state.reportOpen);
  const helpOpen = useLook((state) => state.helpOpen);
  const helpWasOpen = useRef(false);
  useEffect(() => {
    helpWasOpen.current ||= helpOpen;
  }, [helpOpen]);

  useEffect(() => {
    if (!screen.current) return;
    return listenForScreenKeys({
      screen: screen.current,
      explorer,
      onSearch: () => searchField.current?.focus(),
      onFilter: () => filterButton.current?.click(),
      onShare: () => shareButton.current?.click(),
      onCopy: (what) => void copyByKey(what, explorer, toast),
      onPlan: (what) => planByKey(explorer, what, toast),
      onWarning: (by) => stepByKey(explorer, queries, by),
    });
  }, [explorer, queries, toast]);

  // If the address contains the theme, it follows changes of the theme.
  useEffect(
    () =>
      watchTheme(() => {
        if (explorer.store.getState().theme !== undefined) explorer.store.setState({ theme: currentTheme() });
      }),
    [explorer],
  );

  const toPicture = useCallback(() => {
    const find = (roles: string) => screen.current?.querySelector<HTMLElement>(roles);
    const { outlineOnly: hasNoPicture } = explorer.store.getState();
    find(hasNoPicture ? '[role=tree]' : '[role=application], [role=treegrid], [role=grid]')?.focus();
  }, [explorer]);
  useEffect(() => (screen.current ? keepFocus(screen.current, toPicture) : undefined), [toPicture]);
  useFocusAcrossViews(isSmall, toPicture);
  const filterPanel = useFilterPanel();
  const isFilterDocked = filterPanel.isOpen && !isSmall;
  // On narrower screens the chart would be too small between both: the filter replaces the details.
  const isVeryWide = useMedia('(min-width: 1600px)');
  const closeFilter = () => {
    filterButton.current?.focus();
    filterPanel.close();
  };
  const bar = { picker, searchField, filterButton, filterPanel, shareButton, stage, onGone: toPicture };
  return (
    <div
      ref={screen}
      className="flex min-h-0 flex-1 flex-col presenting:fixed presenting:inset-0 presenting:z-40 presenting:bg-bg"
      // Applies deferred updates first, so that a key in a list acts on the current list.
      onKeyDownCapture={({ target }) => isPicture(target) || explorer.look.flush()}
    >
      <div className="contents presenting:hidden">
        {!isSmall && <TopBar {...bar} />}
        <LazyBoundary fallback={<div className="h-24 shrink-0 bg-surface short:h-20" />}>
          {isSmall && <SmallTopBar {...bar} />}
        </LazyBoundary>
        {hasChips && <FilterChips />}
      </div>
      <Notice />
      <LazyBoundary>{coachOpen && ready && !outlineOnly && !isPresenting && <Coach />}</LazyBoundary>
      <div className="shrink-0 bg-surface px-3 presenting:hidden">{pills}</div>
      <div className={`relative flex min-h-0 flex-1 ${isSmall ? 'pb-[72px] short:pb-14 presenting:pb-0' : ''}`}>
        <div className="contents presenting:hidden">
          {Side && <Side />}
          {!isSmall && !outlineOnly && <OutlinePanel />}
        </div>
        <div className="relative flex min-w-0 flex-1">
          <Middle
            isCovered={!isSmall && !isWide && !isFilterDocked}
            freshness={freshness}
            stage={stage}
            onStage={setStage}
          />
          {isEmpty && <NothingKept />}
          {explorer.isDraft && (
            <div
              aria-hidden="true"
              className="pointer-events-none absolute inset-0 z-10 border-2 border-warn border-dashed"
            />
          )}
        </div>
        <div className="contents presenting:hidden">
          {filterPanel.places && isFilterDocked && <filterPanel.places.FilterDock onClose={closeFilter} />}
          {!isSmall && (isVeryWide || !isFilterDocked) && <DetailPanel isOver={!isWide} />}
          <LazyBoundary>{isSmall && <BottomSheet />}</LazyBoundary>
        </div>
      </div>
      {filterPanel.places && isSmall && (
        <filterPanel.places.FilterSheet open={filterPanel.isOpen} onOpenChange={filterPanel.close} />
      )}
      <LazyBoundary>{isPresenting && ready && <Presentation onExit={toPicture} />}</LazyBoundary>
      <Spoken />
      <LiveTitle />
      {ready && explorer.isKept && <PlanUpdates />}
      {ready && explorer.hasWarnings && <WarningUpdates />}
      <LazyBoundary>{isUnplacedOpen && <UnplacedDialog />}</LazyBoundary>
      <LazyBoundary>{isHandingOver && <HandoverDialog />}</LazyBoundary>
      <LazyBoundary>{isReporting && <Report stage={stage} />}</LazyBoundary>
      <LazyBoundary>{isChoosingUpload && <ChooseUpload />}</LazyBoundary>
      <LazyBoundary>{(helpOpen || helpWasOpen.current) && <KeyboardHelp />}</LazyBoundary>
    </div>
  );
}

const isPicture = (at: EventTarget) => at instanceof Element && at.matches('[role=application]');

/**
 * Focuses the chart when another view has removed the one that had the focus, or another width of the window the bar that had
 * it, or what was open from it.
 */
function useFocusAcrossViews(isSmall: boolean, toPicture: () => void): void {
  const view = useLook((state) => `${isSmall} ${state.outlineOnly ? 'outline' : state.view}`);
  const shown = useRef(view);
  /** What had the focus before the window changed: where nothing had it, nothing gets it. */
  const before = useRef<Element | null>(null);
  useWindowEvent('resize', () => {
    before.current = document.activeElement;
  });
  useEffect(() => {
    if (shown.current === view) return;
    const isOtherWidth = shown.current.split(' ')[0] !== String(isSmall);
    shown.current = view;
    if (document.activeElement !== document.body) return;
    if (!isOtherWidth || before.current !== document.body) toPicture();
  }, [view, isSmall, toPicture]);
}

type MiddleProps = {
  readonly isCovered: boolean;
  readonly freshness: ReactNode;
  readonly stage: Stage | undefined;
  readonly onStage: (stage: Stage | undefined) => void;
};

function Middle({ isCovered, freshness, stage, onStage }: MiddleProps) {
  const isSmall = useIsSmall();
  const view = useLook((state) => state.view);
  const level = useLook(levelOf);
  const { ready, failure, outlineOnly } = useLooks('ready', 'failure', 'outlineOnly');
  /** Hits replace the content of the status line; where they do not fit beside the controls they have a line of their own. */
  const isSearched = useLook((state) => (state.searchResults?.total ?? 0) > 0);
  const explorer = useExplorer();
  const isOverlaid = useLook((state) => state.detailOpen) && isCovered;
  const toast = useToast();
  const queries = useQueryClient();
  useEffect(
    () =>
      offerCommands(async () =>
        (await import('./panels/search/explorer-commands.ts')).offerOf(explorer, stage, toast, queries),
      ),
    [explorer, stage, toast, queries],
  );
  /** In a low window one button opens legend and minimap. */
  const [isMapOpen, setMapOpen] = useState(false);
  const inLow = isMapOpen ? '' : 'short:hidden';
  if (!ready) {
    return (
      <div className="relative min-w-0 flex-1 bg-canvas">
        {failure === undefined ? (
          <LoadingPicture isFirst />
        ) : (
          <Failure title={say('explore/load-failed')} failure={failure} onRetry={() => void explorer.start()} />
        )}
      </div>
    );
  }
  if (outlineOnly) return <OutlineOnly />;
  if (view === 'table' || view === 'opportunity') {
    return (
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="relative min-h-0 flex-1">
          <LazyBoundary failed={MainFailed} fallback={<LoadingPicture />}>
            {view === 'opportunity' ? (
              <Opportunity />
            ) : level === 'plan' && explorer.isKept ? (
              <PlanTable />
            ) : isRankedLevel(level) ? (
              <ListTable />
            ) : (
              <Table />
            )}
          </LazyBoundary>
        </div>
        <div className="flex shrink-0 justify-center border-t border-line bg-surface px-2 py-0.5 empty:hidden presenting:hidden">
          {isSearched && <HitBar />}
        </div>
      </div>
    );
  }
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <div className="relative min-h-0 flex-1 overflow-hidden">
        <Canvas view={view} onStage={onStage} />
        {!isSmall && (
          <div
            className={`absolute bottom-3 z-10 presenting:hidden ${inLow} ${isOverlaid ? 'right-[21rem]' : 'right-3'}`}
          >
            <MinimapCorner stage={stage} />
          </div>
        )}
      </div>
      {/* Below the chart, because an overlay would hide data. */}
      <div
        className={`flex shrink-0 flex-wrap items-center justify-between gap-x-2 border-t border-line bg-surface px-2 py-0.5 presenting:hidden short:py-0 ${isOverlaid ? 'pr-[21rem]' : ''}`}
      >
        {isSmall ? <span /> : <Legend className={inLow} />}
        <div
          // Takes what is left of the row and is cut there, so that the controls stay in it. An open legend has a row above.
          className={`flex min-w-0 items-center gap-4 lg:pl-8 ${isSearched ? 'max-md:order-first' : 'lg:flex-1 lg:justify-end'}`}
        >
          {isSearched && <HitBar />}
          <div className="flex min-w-0 items-center gap-1 max-lg:hidden">
            {!isSearched && <StatusLine />}
            {!isSearched && freshness && (
              <span aria-hidden="true" className="text-micro text-muted">
                ·
              </span>
            )}
            {freshness}
          </div>
        </div>
        <ZoomControls stage={stage} hasMinimap={!isSmall} isMapOpen={isMapOpen} onMap={setMapOpen} />
      </div>
    </div>
  );
}

function Notice() {
  const { store } = useExplorer();
  const notice = useLook((state) => state.notice);
  if (notice === undefined) return null;
  return (
    <div className="px-3 py-2">
      <Banner tone="info" lifeMs={limits.bannerMs * 2} onDismiss={() => store.setState({ notice: undefined })}>
        {notice}
      </Banner>
    </div>
  );
}

/** Announces the current selection to screen readers. */
function Spoken() {
  const spoken = useLook((state) => state.spoken);
  return (
    <p role="status" className="sr-only">
      {spoken}
    </p>
  );
}

const product = 'Keyword Clustering';

/**
 * Sets the document title to the focus: "trail shoes – 789 keywords · Keyword Clustering". A draft is named as such. A component of its
 * own, so that not everything is rendered again when the focus changes.
 */
function LiveTitle() {
  const { tree, isDraft } = useExplorer();
  const ready = useLook((state) => state.ready);
  const title = useLook(({ focus }) =>
    tree.size === 0 ? '' : `${isDraft ? 'Draft: ' : ''}${tree.name(focus)} – ${keywordsOf(tree, focus)} · ${product}`,
  );
  useEffect(() => {
    if (ready) document.title = title;
  }, [ready, title]);
  return null;
}
