import { type KeybindingsMap, tinykeys } from 'tinykeys';
import { describeFocused, keepsKey } from '../../../ui/keys.ts';
import { toggleCompared } from '../../model/compare.ts';
import type { Explorer } from '../../model/explorer.ts';
import { currentRow } from '../../model/explorer-state.ts';
import { tableLevels } from '../../model/list-query.ts';
import { views } from '../../model/url-state.ts';
import { hideBranch } from '../filter/use-filter.ts';
import { saveViewId } from '../saved/save-view-button.tsx';
import { scoreButtonId } from '../score/score-button.tsx';
import { isSingleKey, singleKeysOn } from './single-keys.ts';

type ScreenKeysDeps = {
  readonly screen: HTMLElement;
  readonly explorer: Explorer;
  readonly onSearch: () => void;
  readonly onShare: () => void;
  readonly onCopy: (what: 'link' | 'branch') => void;
  readonly onFilter: () => void;
  readonly onPlan: (what: 'toggle' | 'open' | 'edit' | 'undo' | 'redo') => void;
  readonly onWarning: (by: 1 | -1) => void;
};

/**
 * Handles the shortcuts that work anywhere in the explorer.
 *
 * It listens in the capture phase, before the focused widget, which ignores prevented events: after V the next digit
 * selects a view and does not zoom.
 *
 * @returns a function that removes the listeners
 */
export function listenForScreenKeys(deps: ScreenKeysDeps): () => void {
  const { screen, explorer, onSearch, onFilter, onShare, onCopy, onPlan, onWarning } = deps;
  const { store } = explorer;
  const doing = (act: () => void) => (event: KeyboardEvent) => {
    event.preventDefault();
    act();
  };
  /** A draft has keys of its own, so an event that is not handled here stays as it is. */
  const where = (condition: boolean, act: () => void) => (event: KeyboardEvent) => {
    if (condition) doing(act)(event);
  };
  const step = (event: KeyboardEvent, by: 1 | -1) => {
    if (!store.getState().searchResults) return;
    event.preventDefault();
    void explorer.stepHits(by);
  };
  const showView = (event: KeyboardEvent) => {
    event.preventDefault();
    // With ⌥ a digit key may produce another character, so use its physical position.
    explorer.setView(views[Number(event.code.slice(-1)) - 1]!);
  };
  const keys: KeybindingsMap = {
    '[Shift]+/': doing(onSearch),
    '[Shift]+?': doing(() => store.setState({ helpOpen: true })),
    [`Alt+(Digit[1-${views.length}])`]: showView,
    'Alt+ArrowLeft': doing(() => history.back()),
    'Alt+ArrowRight': doing(() => history.forward()),
    f: doing(onFilter),
    o: doing(() => document.getElementById(scoreButtonId)?.click()),
    u: doing(explorer.chooseUpload),
    'Shift+H': doing(() => hideBranch(explorer, store.getState().selected)),
    p: doing(() => explorer.isKept && store.setState({ isPresenting: true })),
    x: where(explorer.isKept, () => onPlan('toggle')),
    'Shift+X': where(explorer.isKept, () => onPlan('open')),
    e: where(explorer.isKept, () => onPlan('edit')),
    '$mod+z': where(explorer.isKept, () => onPlan('undo')),
    '$mod+Shift+z': where(explorer.isKept, () => onPlan('redo')),
    i: where(explorer.hasWarnings, () => onWarning(1)),
    'Shift+I': where(explorer.hasWarnings, () => onWarning(-1)),
    'Shift+S': doing(() => document.getElementById(saveViewId)?.click()),
    // Without a search these letters jump to a name.
    n: (event) => step(event, 1),
    'Shift+N': (event) => step(event, -1),
    '[': doing(() => store.setState((state) => ({ outlineOpen: !state.outlineOpen }))),
    ']': doing(() => store.setState((state) => ({ detailOpen: !state.detailOpen }))),
    '$mod+Shift+e': doing(onShare),
    '$mod+Shift+l': doing(() => explorer.isKept && onCopy('link')),
    // Let the browser copy selected text.
    '$mod+c': (event: KeyboardEvent) => {
      if (getSelection()?.isCollapsed !== false && isOnTree(event.target)) doing(() => onCopy('branch'))(event);
    },
    '$mod+Enter': (event: KeyboardEvent) => {
      if (isOnTree(event.target)) doing(() => toggleCompared(explorer, currentRow(store.getState())))(event);
    },
    ',': doing(() => explorer.changeDepth(-1)),
    '.': doing(() => explorer.changeDepth(1)),
    // One sequence for all: with several that share a prefix, those that do not match would swallow the next V.
    [`g ([1-${tableLevels.length}])`]: (event: KeyboardEvent) => {
      const { view } = store.getState();
      if (view !== 'table' && view !== 'opportunity') return;
      event.preventDefault();
      const level = tableLevels[Number(event.key) - 1]!;
      if (level === 'subtopics' && !store.getState().levels.includes(level)) return;
      if (level !== 'plan' || (view === 'table' && explorer.isKept)) store.setState({ level });
    },
    [`v ([1-${views.length}])`]: (event: KeyboardEvent) => {
      event.preventDefault();
      explorer.setView(views[Number(event.key) - 1]!);
    },
  };
  const ignore = (event: KeyboardEvent) => {
    const at = event.target;
    // In presentation mode, the targets of these keys are hidden.
    if (store.getState().isPresenting) return true;
    if (isSingleKey(event) && !singleKeysOn()) return true;
    return !(at instanceof HTMLElement) || !isInReach(screen, at) || keepsKey(describeFocused(at), event.key);
  };
  return tinykeys(window, keys, { ignore, capture: true });
}

/** Whether the focus is in the explorer, or on the page after a click on empty space. */
function isInReach(screen: HTMLElement, at: HTMLElement): boolean {
  return screen.contains(at) || (at.contains(screen) && !document.querySelector('[role=dialog]'));
}

/** Whether the chart, the outline or the table has the focus. */
const isOnTree = (at: EventTarget | null): boolean =>
  at instanceof Element && at.closest('[role=application], [role=tree], [role=treegrid], [role=grid]') !== null;
