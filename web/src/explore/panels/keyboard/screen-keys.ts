import { type KeybindingsMap, tinykeys } from 'tinykeys';
import { describeFocused, keepsKey } from '../../../ui/kept-keys.ts';
import { compare } from '../../model/compare-selection.ts';
import type { Explorer } from '../../model/explorer.ts';
import { views } from '../../model/url-state.ts';
import { none } from '../../tree-data/no-row.ts';
import { saveViewId } from '../saved-views/save-view-button.tsx';
import { isSingleKey, singleKeysOn } from './single-keys.ts';

type ScreenKeysDeps = {
  readonly screen: HTMLElement;
  readonly explorer: Explorer;
  readonly onSearch: () => void;
  readonly onShare: () => void;
  readonly onCopy: (what: 'link' | 'branch') => void;
  readonly onFilter: () => void;
};

/**
 * Listens to the keys that work anywhere in the explorer. Source: experience.md §5.4.
 *
 * They are heard before the widget with the focus hears them, which leaves alone what was prevented: after V the next
 * digit is a view, and zooms nothing.
 *
 * @returns how to stop
 */
export function listenForScreenKeys({
  screen,
  explorer,
  onSearch,
  onFilter,
  onShare,
  onCopy,
}: ScreenKeysDeps): () => void {
  const { store } = explorer;
  const doing = (act: () => void) => (event: KeyboardEvent) => {
    event.preventDefault();
    act();
  };
  const step = (event: KeyboardEvent, by: 1 | -1) => {
    if (!store.getState().found) return;
    event.preventDefault();
    void explorer.stepHits(by);
  };
  const showView = (event: KeyboardEvent) => {
    event.preventDefault();
    // With ⌥ a digit may be another sign: it goes by its place.
    explorer.setView(views[Number(event.code.slice(-1)) - 1]!);
  };
  const keys: KeybindingsMap = {
    '[Shift]+/': doing(onSearch),
    '[Shift]+?': doing(() => store.setState({ helpOpen: true })),
    [`Alt+(Digit[1-${views.length}])`]: showView,
    'Alt+ArrowLeft': doing(() => history.back()),
    'Alt+ArrowRight': doing(() => history.forward()),
    f: doing(onFilter),
    'Shift+H': doing(async () =>
      (await import('../filter/hide-branch.ts')).hideBranch(explorer, store.getState().selected),
    ),
    p: doing(() => store.setState({ presenting: true })),
    'Shift+S': doing(() => document.getElementById(saveViewId)?.click()),
    // Without a search these letters jump to a name.
    n: (event) => step(event, 1),
    'Shift+N': (event) => step(event, -1),
    '[': doing(() => store.setState((state) => ({ outlineOpen: !state.outlineOpen }))),
    ']': doing(() => store.setState((state) => ({ detailOpen: !state.detailOpen }))),
    '$mod+Shift+e': doing(onShare),
    '$mod+Shift+l': doing(() => onCopy('link')),
    // Text that somebody marked is what they want to copy.
    '$mod+c': (event: KeyboardEvent) => {
      if (getSelection()?.isCollapsed !== false && isOnTree(event.target)) doing(() => onCopy('branch'))(event);
    },
    '$mod+Enter': (event: KeyboardEvent) => {
      const { selected, focus } = store.getState();
      if (isOnTree(event.target)) doing(() => void compare(explorer, selected === none ? focus : selected))(event);
    },
    ',': doing(() => explorer.changeDepth(-1)),
    '.': doing(() => explorer.changeDepth(1)),
    // One sequence for all: of several that begin alike, those not taken would swallow the next V.
    [`v ([1-${views.length}])`]: (event: KeyboardEvent) => {
      event.preventDefault();
      explorer.setView(views[Number(event.key) - 1]!);
    },
  };
  const ignore = (event: KeyboardEvent) => {
    const at = event.target;
    // Saved views are walked through: what these keys act on is out of sight.
    if (store.getState().presenting) return true;
    if (isSingleKey(event) && !singleKeysOn()) return true;
    return !(at instanceof HTMLElement) || !isInReach(screen, at) || keepsKey(describeFocused(at), event.key);
  };
  return tinykeys(window, keys, { ignore, capture: true });
}

/** In the explorer, or around it: a click beside every control leaves the focus on the page. */
function isInReach(screen: HTMLElement, at: HTMLElement): boolean {
  return screen.contains(at) || (at.contains(screen) && !document.querySelector('[role=dialog]'));
}

/** Whether the keyboard is on the picture, the outline or the table. */
const isOnTree = (at: EventTarget | null): boolean =>
  at instanceof Element && at.closest('[role=application], [role=tree], [role=treegrid]') !== null;
