import { Menu } from '@base-ui/react/menu';
import { sayError } from '@kc/rules/messages';
import type { Visualization } from '@kc/rules/shapes';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, Layers, Split } from 'lucide-react';
import { type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { ExplorerScreen } from '../../explore/explorer.tsx';
import { createExplorer, type Explorer } from '../../explore/model/explorer.ts';
import { wantsFirstSteps } from '../../explore/panels/coach/first-steps.ts';
import {
  type ExplorerParts,
  ExplorerPartsContext,
  type NewestMonth,
  useExplorer,
} from '../../explore/panels/explorer-context.ts';
import { restoreColourAids } from '../../explore/panels/legend/colour-aids.ts';
import { rememberPanels, roomNow } from '../../explore/panels/remember-panels.ts';
import { useMe, useScreenSettings } from '../../session/session.ts';
import { LazyBoundary, lazyPart } from '../../ui/lazy-boundary.tsx';
import { Popover } from '../../ui/popover.tsx';
import { popupItemClass } from '../../ui/popup.tsx';
import { useAdjust } from '../adjust.ts';
import { mayAdjust } from '../may-adjust.ts';
import { isOwn, linkId } from './choice.ts';
import { sourceOf } from './explorer-source.ts';
import { retryWhileRebuilt } from './retry-while-rebuilt.ts';
import { useRouterBar } from './router-bar.ts';

const ShareDialog = lazyPart(async () => (await import('./sharing/share-dialog.tsx')).ShareDialog);

type Props = {
  readonly visualization: Visualization;
  readonly all: readonly Visualization[];
  /** Whether the page shows it when the address names none. */
  readonly isDefault: boolean;
  /** Whether it is the first one, for which the user has waited. */
  readonly isArrival: boolean;
  /** Overlays above the chart. */
  readonly pills: ReactNode;
  readonly freshness: ReactNode;
};

/** Use the visualization's ID as `key`: each visualization has its own explorer state. */
export function OpenVisualization({ visualization, all, isDefault, isArrival, pills, freshness }: Props) {
  const addressBar = useRouterBar();
  const queries = useQueryClient();
  const [explorer, setExplorer] = useState<Explorer>();
  const { id, fileName, nodes } = visualization;
  // The sample belongs to nobody.
  const comparedOwner = visualization.isSample ? undefined : visualization.userId;
  const linked = linkId(visualization);
  const latestIsDefault = useRef(isDefault);
  latestIsDefault.current = isDefault;
  const arriving = useRef(isArrival);
  useEffect(() => {
    const created = createExplorer({
      visualization: { id, fileName, nodes },
      linkId: linked,
      isDefault: () => latestIsDefault.current,
      source: sourceOf(id, queries, comparedOwner),
      addressBar,
      room: roomNow(),
      explain: sayError,
    });
    restoreColourAids(created);
    rememberPanels(created);
    if (wantsFirstSteps({ forever: localStorage, visit: sessionStorage })) created.store.setState({ coachOpen: true });
    if (arriving.current) created.store.setState({ isArriving: true });
    setExplorer(created);
    created.onStop(retryWhileRebuilt(created));
    void created.start();
    return () => created.stop();
  }, [id, fileName, nodes, linked, addressBar, queries, comparedOwner]);
  const { defaultDepth, autoExpand, userImports = false } = useScreenSettings() ?? {};
  const [isSharing, setSharing] = useState(false);
  const wasSharing = useRef(false);
  wasSharing.current ||= isSharing;
  const newestMonth = useNewestMonthOf(visualization, explorer);
  const parts = useParts(
    mayAdjust(useMe(), userImports, visualization),
    visualization.isSample ? undefined : setSharing,
    newestMonth,
  );
  useEffect(() => {
    if (defaultDepth && autoExpand !== undefined) explorer?.store.setState({ defaultDepth, autoExpand });
  }, [explorer, defaultDepth, autoExpand]);
  if (!explorer) return null;
  return (
    <div className="flex h-[calc(100dvh-var(--header))] min-h-80 flex-col">
      {!isOwn(visualization, all) && <ViewedAsAdmin email={visualization.userEmail} />}
      {visualization.isSample && <SampleData />}
      <ExplorerPartsContext value={parts}>
        <ExplorerScreen
          explorer={explorer}
          picker={
            <Picker
              current={visualization}
              all={all}
              freshness={freshness}
              onCompare={explorer.canCompareUploads ? explorer.compareWith : undefined}
            />
          }
          pills={pills}
          freshness={freshness}
        />
      </ExplorerPartsContext>
      <LazyBoundary>
        {wasSharing.current && <ShareDialog id={id} open={isSharing} onClose={() => setSharing(false)} />}
      </LazyBoundary>
    </div>
  );
}

/** What the panels of a visualization have in addition: if its clusters may be adjusted, and if it may be shared. */
function useParts(
  isAdjustable: boolean,
  share: ((open: true) => void) | undefined,
  newestMonth: NewestMonth | undefined,
): ExplorerParts {
  const usual = useContext(ExplorerPartsContext);
  return useMemo(
    () => ({
      ...usual,
      ...(share && { onShareWithPerson: () => share(true) }),
      ...(newestMonth && { newestMonth }),
      ...(isAdjustable && { MenuItems: SplitBranchItem }),
    }),
    [isAdjustable, share, newestMonth, usual],
  );
}

/** In the menu of a node: opens a draft in which the keywords of the branch are clustered again. */
export function SplitBranchItem({ row }: { row: number }) {
  const { id, tree } = useExplorer();
  const { mutate } = useAdjust();
  if (row === 0 || tree.childCount[row] === 0) return null;
  return (
    <Menu.Item className={popupItemClass} onClick={() => mutate({ id, branch: tree.addressOf(row) })}>
      <Split size={18} />
      Split this branch
    </Menu.Item>
  );
}

/**
 * Lets those who may change a visualization set which month its trends end with. Whoever sets it, here or elsewhere,
 * the fields are requested again, because the peak month is named after it.
 */
function useNewestMonthOf(
  { id, isSample, fileName, uploadDate, newestMonth }: Visualization,
  explorer: Explorer | undefined,
): NewestMonth | undefined {
  const queries = useQueryClient();
  const shown = useRef(newestMonth);
  useEffect(() => {
    if (shown.current === newestMonth) return;
    shown.current = newestMonth;
    explorer?.reloadFields();
  }, [newestMonth, explorer]);
  return useMemo(() => {
    if (isSample) return undefined;
    const save = async (month: string): Promise<void> => {
      await client.visualizations.nameNewestMonth({ id, month });
      await queries.invalidateQueries({ queryKey: ['visualizations'] });
    };
    return { known: newestMonth, fileName, uploadedAt: uploadDate, save };
  }, [id, isSample, fileName, uploadDate, newestMonth, queries]);
}

/** Names the owner while an administrator looks at somebody else's visualization. */
function ViewedAsAdmin({ email }: { email: string }) {
  return (
    <p className="m-0 shrink-0 presenting:hidden bg-warn-soft px-3 py-1 text-center text-small text-warn">
      View as admin: <span className="font-semibold break-all">{email}</span>
    </p>
  );
}

/** Marks the sample, which belongs to nobody. */
function SampleData() {
  return (
    <p className="m-0 shrink-0 presenting:hidden bg-info-soft px-3 py-0.5 text-center text-micro text-info">
      <span className="font-semibold">Sample data:</span> a fictional garden shop
    </p>
  );
}

const EditDescription = lazyPart(async () => (await import('../edit-description.tsx')).EditDescription);
const PickerBody = lazyPart(async () => (await import('./picker-body.tsx')).PickerBody);

type PickerProps = {
  readonly current: Visualization;
  readonly all: readonly Visualization[];
  readonly freshness: ReactNode;
  /** Compares the current one with another upload; undefined if it cannot be compared. */
  readonly onCompare?: ((id: string) => void) | undefined;
};

/** The title of the page, and the button that opens the list of everything there is to explore. */
function Picker({ current, all, freshness, onCompare }: PickerProps) {
  const [described, setDescribed] = useState<Visualization>();
  const [describing, setDescribing] = useState(false);
  return (
    <h1 tabIndex={-1} className="m-0 shrink-0 text-body font-semibold">
      <Popover
        label="Visualizations"
        className="w-[min(34rem,calc(100vw-1rem))] p-1.5"
        trigger={
          <button
            type="button"
            className="flex h-9 items-center justify-center gap-1.5 rounded-control px-2 hover:bg-sunken touch:h-11 touch:min-w-11"
          >
            <span className="max-md:sr-only">My Visualizations</span>
            {/* On a small screen the place beside it has the room. */}
            <Layers size={18} className="text-muted md:hidden" />
            <ChevronDown size={16} strokeWidth={2} className="text-muted max-md:hidden" />
          </button>
        }
      >
        {(close) => (
          <LazyBoundary fallback={<div className="h-16" />} onFailed={close}>
            <PickerBody
              current={current}
              all={all}
              freshness={freshness}
              onChosen={close}
              onCompare={onCompare}
              onDescribe={(one) => {
                close();
                setDescribed(one);
                setDescribing(true);
              }}
            />
          </LazyBoundary>
        )}
      </Popover>
      <LazyBoundary onFailed={() => setDescribed(undefined)}>
        {described && <EditDescription one={described} open={describing} onClose={() => setDescribing(false)} />}
      </LazyBoundary>
    </h1>
  );
}
