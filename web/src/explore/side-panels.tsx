import { PanelLeft, PanelRight } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useContext, useState } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import type { Panel } from './model/url-state.ts';
import { ExplorerPartsContext, useExplorer, useLook } from './panels/explorer-context.ts';
import { Outline } from './panels/outline/outline.tsx';
import { PanelContent, PanelTabs, panelId, usePanelTabs, useShownPanel } from './panels/panel-tabs.tsx';

/** In CSS pixels. */
const outlineWidth = { usual: 280, min: 220, max: 520 };
/** What a screen adds to the rows needs room. */
const fullOutlineWidth = { ...outlineWidth, usual: 360 };
const contentNames: Readonly<Record<Panel, string>> = {
  details: 'All about the selection',
  plan: 'The plan',
  warnings: 'Warnings',
  changes: 'What changed',
};
const detailWidth = { usual: innerWidth < 1600 ? 340 : 400, min: 280, max: 560 };

export function OutlinePanel() {
  const { store } = useExplorer();
  const isOpen = useLook((state) => state.outlineOpen);
  const { outline: added } = useContext(ExplorerPartsContext);
  const [width, setWidth] = usePanelWidth(added ? 'full outline' : 'outline', added ? fullOutlineWidth : outlineWidth);
  if (!isOpen) {
    return (
      <Rail side="left">
        <IconButton size="dense" label="Show the outline" onClick={() => store.setState({ outlineOpen: true })}>
          <PanelLeft size={18} />
        </IconButton>
      </Rail>
    );
  }
  return (
    <>
      <aside aria-label="Outline" className="flex min-h-0 shrink-0 flex-col bg-surface" style={{ width }}>
        <PanelHead title="Outline">
          <IconButton size="dense" label="Hide the outline" onClick={() => store.setState({ outlineOpen: false })}>
            <PanelLeft size={18} />
          </IconButton>
        </PanelHead>
        <Outline />
      </aside>
      <Divider label="Outline" panel="left" width={width} onWidth={setWidth} {...outlineWidth} />
    </>
  );
}

/** @param isOver whether it overlays the chart instead of being beside it */
export function DetailPanel({ isOver }: { isOver: boolean }) {
  const { store } = useExplorer();
  const isOpen = useLook((state) => state.detailOpen);
  const tabs = usePanelTabs();
  const shown = useShownPanel();
  const [width, setWidth] = usePanelWidth('detail', detailWidth);
  const hide = (
    <IconButton size="dense" label="Hide the details" onClick={() => store.setState({ detailOpen: false })}>
      <PanelRight size={18} />
    </IconButton>
  );
  if (!isOpen) {
    return (
      <Rail side="right">
        <IconButton size="dense" label="Show the details" onClick={() => store.setState({ detailOpen: true })}>
          <PanelRight size={18} />
        </IconButton>
      </Rail>
    );
  }
  const panel = (
    <aside
      aria-label="Details"
      className={
        isOver
          ? 'absolute inset-y-0 right-0 z-20 flex w-80 flex-col border-l border-line bg-surface shadow-2'
          : 'flex min-h-0 shrink-0 flex-col bg-surface'
      }
      style={isOver ? undefined : { width }}
    >
      {tabs.length > 1 ? <PanelTabs tabs={tabs}>{hide}</PanelTabs> : <PanelHead title="Details">{hide}</PanelHead>}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard (WCAG 2.1.1)
        tabIndex={0}
        id={panelId}
        aria-label={contentNames[shown]}
        className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <PanelContent panel={shown} />
      </section>
    </aside>
  );
  if (isOver) return panel;
  return (
    <>
      <Divider label="Details" panel="right" width={width} onWidth={setWidth} {...detailWidth} />
      {panel}
    </>
  );
}

function PanelHead({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex h-10 shrink-0 items-center justify-between border-b border-line pr-1 pl-4">
      <h2 className="m-0 text-small font-semibold text-muted">{title}</h2>
      {children}
    </div>
  );
}

function Rail({ side, children }: { side: 'left' | 'right'; children: ReactNode }) {
  return (
    <div
      className={`flex w-10 shrink-0 justify-center border-line bg-surface pt-1 ${side === 'left' ? 'border-r' : 'border-l'}`}
    >
      {children}
    </div>
  );
}

type DividerProps = {
  /** The name of the panel that it resizes: "Outline". */
  readonly label: string;
  readonly width: number;
  readonly min: number;
  readonly max: number;
  readonly usual: number;
  /** The side of the divider on which its panel is. */
  readonly panel: 'left' | 'right';
  readonly onWidth: (width: number) => void;
};

const keyStep = 16;

/**
 * The resize handle of a panel: drag it, use the arrow keys (Home and End for the limits), or double-click to reset.
 */
function Divider({ label, width, min, max, usual, panel, onWidth }: DividerProps) {
  const set = (next: number) => onWidth(Math.round(Math.min(max, Math.max(min, next))));
  const sign = panel === 'left' ? 1 : -1;

  function drag(event: PointerEvent<HTMLElement>) {
    const handle = event.currentTarget;
    const from = event.clientX;
    handle.setPointerCapture(event.pointerId);
    const move = (e: globalThis.PointerEvent) => set(width + sign * (e.clientX - from));
    const stop = () => handle.removeEventListener('pointermove', move);
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', stop, { once: true });
  }

  function press(event: KeyboardEvent) {
    const to: Partial<Record<string, number>> = {
      ArrowLeft: width - sign * keyStep,
      ArrowRight: width + sign * keyStep,
      Home: min,
      End: max,
    };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(next);
  }

  return (
    <hr
      aria-label={`Width of the ${label}`}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={drag}
      onDoubleClick={() => set(usual)}
      onKeyDown={press}
      className="relative z-10 m-0 w-1 shrink-0 cursor-col-resize touch-none border-0 bg-line before:absolute before:inset-y-0 before:-left-1 before:w-3 hover:bg-brand focus-visible:bg-brand"
    />
  );
}

type Limits = { readonly usual: number; readonly min: number; readonly max: number };

/** A panel's width in pixels, stored on this device. */
function usePanelWidth(panel: string, { usual, min, max }: Limits): [number, (width: number) => void] {
  const key = `explorer.${panel}.width`;
  const [width, setWidth] = useState(() => {
    const kept = Number(localStorage.getItem(key) ?? usual);
    return Number.isFinite(kept) ? Math.min(max, Math.max(min, kept)) : usual;
  });
  return [
    width,
    (next) => {
      setWidth(next);
      localStorage.setItem(key, String(next));
    },
  ];
}
