import { Tabs } from '@base-ui/react/tabs';
import { ChevronLeft, ChevronRight, ChevronUp } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { keywordsOf } from './format/figure-text.ts';
import { currentRow } from './model/explorer-state.ts';
import type { Panel } from './model/url-state.ts';
import { useExplorer, useLook } from './panels/explorer-context.ts';
import { Outline } from './panels/outline/outline.tsx';
import { PanelContent, usePanelTabs, useShownPanel } from './panels/panel-tabs.tsx';

const stops = ['peek', 'half', 'full'] as const;
type Stop = (typeof stops)[number];
const heights: Readonly<Record<Stop, string>> = {
  peek: 'h-[72px] short:h-14',
  half: 'h-1/2',
  full: 'h-[calc(100%-0.5rem)]',
};
type Tab = Panel | 'outline';
/** In its tab, the short name has room. */
const detailTab = { id: 'details', label: 'Detail' } as const;
const outlineTab = { id: 'outline', label: 'Outline' } as const;
const dragPx = 40;

/** The panels of a small screen: a sheet with three stops, dragged by its head or moved with its buttons. */
export function BottomSheet() {
  const explorer = useExplorer();
  const { tree } = explorer;
  const row = useLook(currentRow);
  useLook((state) => state.treeVersion);
  const [stop, setStop] = useState<Stop>('peek');
  const panels = usePanelTabs();
  const panel = useShownPanel();
  const [isOutline, setOutline] = useState(false);
  // What opens another panel than the details, such as a link or a menu, must let it be seen; the editor of the plan needs the room.
  const edits = useLook((state) => state.planEditRequests);
  const isEditing = panel === 'plan' && edits > 0;
  useEffect(() => {
    if (panel === 'details') return;
    setOutline(false);
    setStop((now) => (isEditing ? 'full' : now === 'peek' ? 'half' : now));
  }, [panel, isEditing]);
  const tab: Tab = isOutline ? 'outline' : panel;
  const tabs = [detailTab, outlineTab, ...panels.slice(1)];
  const setTab = (next: Tab) => {
    setOutline(next === 'outline');
    if (next !== 'outline') explorer.store.setState({ panel: next });
  };
  const pulledFrom = useRef<number | undefined>(undefined);
  const move = (by: number) => setStop(stops[Math.min(2, Math.max(0, stops.indexOf(stop) + by))]!);

  function drop(event: PointerEvent): void {
    const from = pulledFrom.current;
    pulledFrom.current = undefined;
    if (from === undefined || Math.abs(event.clientY - from) < dragPx) return;
    move(event.clientY < from ? 1 : -1);
  }

  if (tree.size === 0) return null;
  return (
    <section
      ref={keepFocusShown}
      aria-label="Details and outline"
      className={classNames(
        'motion absolute inset-x-0 bottom-0 z-20 flex flex-col rounded-t-dialog border-t border-line bg-surface shadow-3 transition-[height] duration-200',
        heights[stop],
      )}
    >
      <div
        className="flex h-[72px] shrink-0 touch-none items-center gap-1 px-2 short:h-14"
        onPointerDown={(event) => {
          pulledFrom.current = event.clientY;
        }}
        onPointerUp={drop}
      >
        <IconButton label="Previous sibling" onClick={() => explorer.step('previous')}>
          <ChevronLeft size={18} strokeWidth={2} />
        </IconButton>
        <div className="min-w-0 flex-1 text-center">
          <span aria-hidden="true" className="mx-auto mb-1 block h-1 w-9 rounded-full bg-line-strong" />
          <p
            dir="auto"
            className={classNames('m-0 font-semibold', stop === 'peek' ? 'truncate' : 'line-clamp-2 leading-tight')}
          >
            {tree.name(row)}
          </p>
          <p className="m-0 text-micro text-muted">{keywordsOf(tree, row)}</p>
        </div>
        <IconButton label="Next sibling" onClick={() => explorer.step('next')}>
          <ChevronRight size={18} strokeWidth={2} />
        </IconButton>
        <IconButton
          label={stop === 'full' ? 'Close the sheet' : 'Open the sheet further'}
          onClick={() => (stop === 'full' ? setStop('peek') : move(1))}
        >
          <ChevronUp size={18} strokeWidth={2} className={stop === 'full' ? 'rotate-180' : ''} />
        </IconButton>
      </div>
      {stop !== 'peek' && (
        <Tabs.Root value={tab} onValueChange={setTab} className="flex min-h-0 flex-1 flex-col">
          <Tabs.List
            aria-label="Panels"
            activateOnFocus
            className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-3 pt-1 pb-2 [scrollbar-width:none]"
          >
            {tabs.map(({ id, label }) => (
              <Tabs.Tab
                key={id}
                value={id}
                className={classNames(
                  'h-9 shrink-0 rounded-full text-small font-medium text-muted aria-selected:bg-brand-soft aria-selected:text-brand-ink touch:h-11',
                  // Five tabs fit a phone only if they are close together.
                  tabs.length > 4 ? 'px-2' : 'px-4',
                )}
              >
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel
            value={tab}
            className="flex min-h-0 flex-1 flex-col overflow-y-auto focus-visible:-outline-offset-2"
          >
            {tab === 'outline' ? <Outline /> : <PanelContent panel={tab} />}
          </Tabs.Panel>
        </Tabs.Root>
      )}
    </section>
  );
}

/** What has the keyboard moves with the sheet: on a low screen, out of the window. */
function keepFocusShown(sheet: HTMLElement) {
  const watch = new ResizeObserver(() => {
    const focused = document.activeElement;
    if (sheet.contains(focused)) focused!.scrollIntoView({ block: 'nearest' });
  });
  watch.observe(sheet);
  return () => watch.disconnect();
}
