import {
  type DefaultDepth,
  type RefreshInterval,
  refreshIntervalMs,
  refreshIntervals,
  type Settings,
} from '@kc/rules/settings';
import { type ReactNode, useEffect, useState } from 'react';
import { clockText } from '../../../ui/number-text.ts';
import { SegmentedControl } from '../../../ui/radio-group.tsx';
import { Select } from '../../../ui/select.tsx';
import { SettingRow, SettingsCard, SwitchSetting } from './settings-card.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

const depthNames: Readonly<Record<DefaultDepth, string>> = { 1: '1', 2: '2', 3: '3', all: 'All' };
const depthOptions = (['1', '2', '3', 'all'] as const).map((value) => ({ value, label: depthNames[value] }));

const intervalText = (value: RefreshInterval): string => (value === 'none' ? 'Never' : `${value} minutes`);
const intervalOptions = refreshIntervals.map((value) => ({ value, label: intervalText(value) }));

export function VisualizationCard({ draft }: { readonly draft: SettingsDraft }) {
  const { base, settings } = draft;
  const now = useMinute();
  const themeIsOpen = !base.themeChosen && !draft.changed.includes('darkMode');
  return (
    <SettingsCard title="Visualization Settings">
      <div className="grid items-start gap-x-8 gap-y-2 sm:grid-cols-[minmax(0,1fr)_13.5rem]">
        <div className="mt-2 sm:sticky sm:top-20 sm:order-last sm:mt-4">
          <SettingsPreview settings={settings} theme={themeIsOpen ? undefined : settings.darkMode ? 'dark' : 'light'} />
        </div>
        <div className="min-w-0">
          <SettingRow
            label="Default depth"
            help="Levels that the explorer opens at first. A depth in the link takes precedence."
            was={draft.was('defaultDepth', (depth) => depthNames[depth])}
          >
            {() => (
              <SegmentedControl
                label="Default depth"
                value={settings.defaultDepth}
                options={depthOptions}
                onChange={(defaultDepth) => draft.change({ defaultDepth })}
              />
            )}
          </SettingRow>
          <SwitchSetting
            draft={draft}
            name="autoExpand"
            label="Auto-expand"
            help={
              settings.autoExpand
                ? 'A branch that somebody opens shows as many levels as the default depth. Zooming into a branch opens it.'
                : 'A tree begins with its first level, and a branch that somebody opens shows one level. Zooming opens nothing.'
            }
          />
          <SwitchSetting
            draft={draft}
            name="darkMode"
            label="Dark mode"
            help={
              themeIsOpen
                ? 'Not decided yet: each person’s system chooses between light and dark.'
                : 'For everybody who has not chosen a theme by the button in the header.'
            }
          />
          <SettingRow
            label="Data refresh interval"
            help={refreshWords(settings.dataRefreshInterval, now)}
            was={draft.was('dataRefreshInterval', intervalText)}
          >
            {(helpId) => (
              <Select
                label="Data refresh interval"
                showLabel={false}
                describedBy={helpId}
                className="w-40"
                value={settings.dataRefreshInterval}
                options={intervalOptions}
                onChange={(dataRefreshInterval) => draft.change({ dataRefreshInterval })}
              />
            )}
          </SettingRow>
        </div>
      </div>
    </SettingsCard>
  );
}

const minuteMs = 60_000;

/** The current time in ms since 1970, updated every minute on the minute. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), minuteMs - (now % minuteMs));
    return () => clearTimeout(timer);
  }, [now]);
  return now;
}

/**
 * What an open page does about newer data, and the time of its next check.
 *
 * @param now ms since 1970
 */
export function refreshWords(interval: RefreshInterval, now: number): string {
  const every = refreshIntervalMs(interval);
  if (every === false) return 'An open page shows newer data only when its reader presses Refresh or opens it again.';
  return `An open page looks for newer data every ${interval} minutes and offers what it finds. A page opened now looks again at ${clockText(now + every)}.`;
}

const width = 216;
const height = 132;
const margin = 16;
const levelPx = (width - 2 * margin) / 4;

type Props = {
  readonly settings: Settings;
  /** The theme of the preview. Without one, it follows the system. */
  readonly theme: 'light' | 'dark' | undefined;
};

/** A small tree as the explorer shows it at first, and after the user opened a topic. */
function SettingsPreview({ settings, theme }: Props) {
  const first = previewOf(settings);
  const later = previewOf(settings, 0);
  return (
    <figure
      data-theme={theme}
      className="m-0 overflow-hidden rounded-card border border-line-strong bg-canvas text-ink"
    >
      <Caption>
        At first · {first.shown.length} of {first.nodes} nodes
      </Caption>
      <Tree
        preview={first}
        label={`Preview: a tree of ${first.nodes} nodes opens with ${first.shown.length} of them${theme ? `, ${theme}` : ''}`}
      />
      <Caption>
        A topic is opened · {later.shown.length} of {later.nodes} nodes
      </Caption>
      <Tree
        preview={later}
        label={`Preview: after a topic is opened, ${later.shown.length} of ${later.nodes} nodes are shown`}
      />
      <figcaption className="border-line border-t bg-surface px-3 py-1.5 text-center text-micro text-muted">
        {settings.autoExpand ? 'Zooming in opens branches, too.' : 'Zooming in opens no branches.'}
      </figcaption>
    </figure>
  );
}

const Caption = ({ children }: { readonly children: ReactNode }) => (
  <p className="border-line border-y bg-surface px-3 py-1.5 text-center text-micro text-muted tabular-nums first:border-t-0">
    {children}
  </p>
);

function Tree({ preview: { shown }, label }: { readonly preview: Preview; readonly label: string }) {
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      className="mx-auto block h-auto w-full max-w-66"
    >
      {shown.map((node) => node.parent && <Link key={keyOf(node)} from={node.parent} to={node} />)}
      {shown.map((node) => (
        <Dot key={keyOf(node)} node={node} />
      ))}
    </svg>
  );
}

const x = ({ level }: PreviewNode): number => margin + level * levelPx;
const y = (node: PreviewNode): number => margin / 2 + node.y * (height - margin);
const keyOf = (node: PreviewNode): string => `${node.level} ${node.y}`;
const colourOf = ({ topic }: PreviewNode): string =>
  topic === undefined ? 'var(--ink)' : `var(--pillar-${topic + 1})`;

function Link({ from, to }: { readonly from: PreviewNode; readonly to: PreviewNode }) {
  const middle = (x(from) + x(to)) / 2;
  return (
    <path
      d={`M${x(from)} ${y(from)}C${middle} ${y(from)} ${middle} ${y(to)} ${x(to)} ${y(to)}`}
      fill="none"
      stroke="var(--line-strong)"
      strokeWidth={1.25}
    />
  );
}

/** A node as a disc: with a plus while its branch is collapsed, with a ring if the user opened it. */
function Dot({ node }: { readonly node: PreviewNode }) {
  const [left, top] = [x(node), y(node)];
  return (
    <>
      <circle cx={left} cy={top} r={node.isClosed ? 7 : 5} fill={colourOf(node)} />
      {node.isOpened && <circle cx={left} cy={top} r={9} fill="none" stroke="var(--ink)" strokeWidth={1.75} />}
      {node.isClosed && (
        <path d={`M${left - 3.5} ${top}h7M${left} ${top - 3.5}v7`} stroke="var(--canvas)" strokeWidth={1.75} />
      )}
    </>
  );
}

/** A branch of the example tree: an array of its children, empty for a keyword. */
type Branch = readonly Branch[];

/** Twelve nodes: three topics, with keywords on up to four levels. */
const exampleTree: Branch = [[[[[]], []], []], [[[]]], [[]]];
const nodes = 12;

type PreviewNode = {
  /** Levels below the root. */
  readonly level: number;
  /** Vertical position, from the top (0) to the bottom (1). */
  readonly y: number;
  /** Index of the topic it belongs to, from 0; `undefined` for the root. */
  readonly topic: number | undefined;
  /** Whether it has children that are not shown. */
  readonly isClosed: boolean;
  /** Whether it is the topic that the user opened. */
  readonly isOpened: boolean;
  readonly parent: PreviewNode | undefined;
};

type Preview = { readonly shown: readonly PreviewNode[]; readonly nodes: number; readonly levels: number };

/**
 * The nodes of the example tree that the explorer shows under these settings, parents first.
 *
 * With auto-expand, the default depth applies to the root and to each branch that the user opens. Without it, only the
 * next level opens.
 *
 * @param opened index of the topic that the user opened, from 0; absent for the initial state
 */
export function previewOf(
  { defaultDepth, autoExpand }: Pick<Settings, 'defaultDepth' | 'autoExpand'>,
  opened?: number,
): Preview {
  const depth = defaultDepth === 'all' ? Number.POSITIVE_INFINITY : Number(defaultDepth);
  const levels = autoExpand ? depth : 1;
  /** Whether the children of a node are shown. */
  const isOpen = (level: number, topic: number | undefined): boolean =>
    level < levels || (topic !== undefined && topic === opened && level < levels + 1);
  /** The number of rows that a branch occupies: its visible leaves. */
  const endsOf = (branch: Branch, level: number, topic: number | undefined): number => {
    if (branch.length === 0 || !isOpen(level, topic)) return 1;
    return branch.reduce((sum, child, index) => sum + endsOf(child, level + 1, topic ?? index), 0);
  };
  const ends = endsOf(exampleTree, 0, undefined);
  const shown: PreviewNode[] = [];
  const add = (branch: Branch, level: number, first: number, at: Pick<PreviewNode, 'topic' | 'parent'>): void => {
    const isClosed = branch.length > 0 && !isOpen(level, at.topic);
    const own = endsOf(branch, level, at.topic);
    const isOpened = level === 1 && at.topic === opened;
    const node = { level, y: (first + own / 2) / ends, isClosed, isOpened, ...at };
    shown.push(node);
    if (isClosed) return;
    let below = first;
    branch.forEach((child, index) => {
      const topic = at.topic ?? index;
      add(child, level + 1, below, { topic, parent: node });
      below += endsOf(child, level + 1, topic);
    });
  };
  add(exampleTree, 0, 0, { topic: undefined, parent: undefined });
  return { shown, nodes, levels: Math.max(...shown.map(({ level }) => level)) };
}
