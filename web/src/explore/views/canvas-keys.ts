import type { KeyboardEvent } from 'react';
import type { Explorer } from '../state/explorer.ts';
import { none } from '../state/explorer-state.ts';
import { siblingsOf } from '../state/tree-walk.ts';
import type { MenuPlace } from './node-menu.tsx';
import type { Stage } from './stage.ts';
import { typeAhead } from './type-ahead.ts';

type KeyParts = {
  readonly explorer: Explorer;
  readonly stage: Stage;
  readonly onMenu: (place: MenuPlace) => void;
};

const panPx = 60;
const zoomStep = 1.3;
const typingMs = 700;

/** Source: experience.md §5.4; `keyboard-map.ts` tells people. */
export function handleCanvasKey(event: KeyboardEvent, parts: KeyParts): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const act = event.shiftKey ? (panKeys[event.key] ?? plainKeys[event.key]) : plainKeys[event.key];
  if (act) {
    act(parts);
    event.preventDefault();
    event.stopPropagation();
  } else if (event.key.length === 1 && /\p{L}/u.test(event.key) && !shortcuts.has(event.key.toLowerCase())) {
    jump(event.key, event.timeStamp, parts.explorer);
  }
}

/** Space dives when it is let go of: with it held the picture can be dragged. */
export function handleCanvasKeyUp(event: KeyboardEvent, { explorer, stage }: KeyParts): void {
  if (event.key === ' ') toggleOrDive(explorer, stage);
}

/** Letters that the screen around the canvas listens to. */
const shortcuts: ReadonlySet<string> = new Set(['v', 'm']);

const panKeys: Readonly<Record<string, (parts: KeyParts) => void>> = {
  ArrowLeft: ({ stage }) => stage.panBy(panPx, 0),
  ArrowRight: ({ stage }) => stage.panBy(-panPx, 0),
  ArrowUp: ({ stage }) => stage.panBy(0, panPx),
  ArrowDown: ({ stage }) => stage.panBy(0, -panPx),
  F10: ({ explorer, stage, onMenu }) => openMenu(explorer, stage, onMenu),
};

const plainKeys: Readonly<Record<string, (parts: KeyParts) => void>> = {
  ArrowLeft: ({ explorer }) => explorer.step('previous'),
  ArrowRight: ({ explorer }) => explorer.step('next'),
  ArrowUp: ({ explorer }) => explorer.step('parent'),
  ArrowDown: ({ explorer }) => explorer.step('child'),
  Home: ({ explorer }) => explorer.step('first'),
  End: ({ explorer }) => explorer.step('last'),
  Enter: ({ explorer }) => dive(explorer),
  ' ': () => undefined,
  Escape: ({ explorer }) => explorer.climb(),
  Backspace: ({ explorer }) => explorer.climb(),
  '+': ({ stage }) => zoom(stage, zoomStep),
  '=': ({ stage }) => zoom(stage, zoomStep),
  '-': ({ stage }) => zoom(stage, 1 / zoomStep),
  '0': ({ stage }) => stage.fit(),
  '1': ({ stage }) => stage.zoomTo(1),
  '2': ({ explorer, stage }) => stage.fitRow(explorer.store.getState().selected),
  m: ({ explorer }) => explorer.store.setState(({ minimapOpen }) => ({ minimapOpen: !minimapOpen })),
  ContextMenu: ({ explorer, stage, onMenu }) => openMenu(explorer, stage, onMenu),
};

const zoom = (stage: Stage, by: number) => stage.zoomBy(by, undefined, undefined, true);

function dive(explorer: Explorer): void {
  const { selected } = explorer.store.getState();
  if (selected !== none) explorer.focusOn(selected);
}

function toggleOrDive(explorer: Explorer, stage: Stage): void {
  const { selected, view } = explorer.store.getState();
  const isBranch = selected !== none && explorer.tree.childCount[selected]! > 0;
  if (view === 'tree' && isBranch) explorer.toggleBranch(selected, stage.isOpen(selected));
  else dive(explorer);
}

function openMenu(explorer: Explorer, stage: Stage, onMenu: KeyParts['onMenu']): void {
  const { selected, focus } = explorer.store.getState();
  const row = selected === none ? focus : selected;
  onMenu({ row, at: stage.middleOf(row) });
}

let typed = '';
let typedAt = 0;

function jump(letter: string, at: number, explorer: Explorer): void {
  typed = at - typedAt < typingMs ? typed + letter : letter;
  typedAt = at;
  const { selected, focus } = explorer.store.getState();
  const from = selected === none || selected === focus ? (explorer.tree.children(focus)[0] ?? focus) : selected;
  const { rows, at: place } = siblingsOf(explorer.tree, from);
  const found = typeAhead(typed, rows.length, (i) => explorer.tree.name(rows[i]!), place);
  if (found >= 0) explorer.select(rows[found]!);
}
