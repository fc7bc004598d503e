import type { KeyboardEvent } from 'react';
import type { Stage } from '../../charts/canvas/stage.ts';
import type { Explorer } from '../../model/explorer.ts';
import { currentRow } from '../../model/explorer-state.ts';
import { childrenInView, siblingsInView } from '../../model/navigation.ts';
import { none } from '../../tree-data/columns.ts';
import { beginsSequence, singleKeysOn } from '../keyboard/single-keys.ts';
import { Typing, typeAhead } from '../outline/type-ahead.ts';
import type { MenuPlace } from './node-menu.tsx';

type KeyDeps = {
  readonly explorer: Explorer;
  readonly stage: Stage;
  readonly onMenu: (place: MenuPlace) => void;
};

const panPx = 60;
const zoomStep = 1.3;
const typing = new Typing();

/** The keyboard handler of the canvas. `keyboard-map.ts` documents the keys for users. */
export function handleCanvasKey(event: KeyboardEvent, deps: KeyDeps): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const isLetter = event.key.length === 1 && /\p{L}/u.test(event.key);
  // While the user types a name, every letter extends it.
  const act = isLetter && typing.continuesAt(event.timeStamp) ? undefined : actOf(event);
  if (act) {
    act(deps);
    event.preventDefault();
    event.stopPropagation();
  } else if (isLetter && !beginsSequence(event.key)) jump(event.key, event.timeStamp, deps.explorer);
}

function actOf({ key, code, shiftKey }: KeyboardEvent): ((deps: KeyDeps) => void) | undefined {
  const letter = singleKeysOn() ? (shiftKey ? shiftedLetterKeys : letterKeys)[key.toLowerCase()] : undefined;
  if (letter) return letter;
  // Shifted digits produce different characters on different keyboards.
  return (shiftKey ? (panKeys[key] ?? plainKeys[shiftedDigits[code] ?? key]) : undefined) ?? plainKeys[key];
}

const shiftedDigits: Readonly<Record<string, string>> = { Digit0: '0', Digit1: '1', Digit2: '2' };

/** Space dives on key up: with Space held down, the chart can be dragged. */
export function handleCanvasKeyUp(event: KeyboardEvent, { explorer, stage }: KeyDeps): void {
  if (event.key === ' ') toggleOrDive(explorer, stage);
}

const panKeys: Readonly<Record<string, (deps: KeyDeps) => void>> = {
  ArrowLeft: ({ stage }) => stage.panBy(panPx, 0),
  ArrowRight: ({ stage }) => stage.panBy(-panPx, 0),
  ArrowUp: ({ stage }) => stage.panBy(0, panPx),
  ArrowDown: ({ stage }) => stage.panBy(0, -panPx),
  F10: ({ explorer, stage, onMenu }) => openMenu(explorer, stage, onMenu),
};

/** Users can switch single keys off. */
export const letterKeys: Readonly<Record<string, (deps: KeyDeps) => void>> = {
  w: ({ stage }) => stage.panBy(0, panPx),
  a: ({ stage }) => stage.panBy(panPx, 0),
  s: ({ stage }) => stage.panBy(0, -panPx),
  d: ({ stage }) => stage.panBy(-panPx, 0),
  c: () => openSelect('Colour by'),
  l: ({ explorer }) => explorer.store.setState(({ legendToggles }) => ({ legendToggles: legendToggles + 1 })),
  m: ({ explorer }) => explorer.store.setState(({ minimapOpen }) => ({ minimapOpen: !minimapOpen })),
  t: ({ explorer }) => explorer.toggleTable(),
};

const shiftedLetterKeys: typeof letterKeys = { c: () => openSelect('Size by') };

/** The list of this name, if the screen shows it. */
function openSelect(name: string): void {
  const select = document.querySelector<HTMLElement>(`[role=combobox][aria-label="${name}"]`);
  select?.focus();
  select?.click();
}

export const plainKeys: Readonly<Record<string, (deps: KeyDeps) => void>> = {
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
  '*': ({ explorer }) => explorer.expandSiblings(),
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

function openMenu(explorer: Explorer, stage: Stage, onMenu: KeyDeps['onMenu']): void {
  const row = currentRow(explorer.store.getState());
  onMenu({ row, at: stage.middleOf(row) });
}

/** Goes to the next sibling in display order whose name starts with the typed text. */
function jump(letter: string, at: number, { tree, store, select }: Explorer): void {
  const typed = typing.add(letter, at);
  const state = store.getState();
  const { selected, focus } = state;
  const from = selected === none || selected === focus ? (childrenInView(tree, focus, state)[0] ?? focus) : selected;
  const { rows, index: place } = siblingsInView(tree, from, state);
  const found = typeAhead(typed, rows.length, (i) => tree.name(rows[i]!), place);
  if (found >= 0) select(rows[found]!);
}
