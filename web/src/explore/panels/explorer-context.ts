import { seasonOfField } from '@kc/pack/season/season-name';
import type { WarningLine } from '@kc/rules/warning-shapes';
import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useContext,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { KeyGroup } from '../../ui/key-map.tsx';
import type { Explorer } from '../model/explorer.ts';
import type { BarPanel, ExplorerState } from '../model/explorer-state.ts';
import { none } from '../tree-data/columns.ts';
import type { Content } from '../tree-data/loaded-tree.ts';
import type { OutlineRow } from './outline/outline-rows.ts';

export const ExplorerContext = createContext<Explorer | undefined>(undefined);

/** The explorer of the surrounding screen. @throws Error outside of one */
export function useExplorer(): Explorer {
  const explorer = useContext(ExplorerContext);
  if (!explorer) throw new Error('No explorer around this view');
  return explorer;
}

/** Selects a value from the explorer state. The component re-renders when it changes. */
export function useLook<T>(pick: (state: ExplorerState) => T): T {
  const { store, look } = useExplorer();
  return useSyncExternalStore(look.subscribe, () => pick(store.getState()));
}

/** Some fields of the explorer state. The component re-renders when one of them changes. */
export function useLooks<F extends keyof ExplorerState>(...fields: readonly F[]): Pick<ExplorerState, F> {
  const { store, look } = useExplorer();
  const seen = useRef(store.getState());
  return useSyncExternalStore(look.subscribe, () => {
    const now = store.getState();
    if (fields.some((field) => now[field] !== seen.current[field])) seen.current = now;
    return seen.current;
  });
}

/** Whether something of the bar is open, and a function that opens or closes it. */
export function useBarPanel(panel: BarPanel): readonly [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const { store } = useExplorer();
  const isOpen = useLook((state) => state.barPanel === panel);
  const setOpen = useCallback(
    (next: boolean) => {
      // What closes because another one opens leaves that open.
      if (!next && store.getState().barPanel !== panel) return;
      store.setState({ barPanel: next ? panel : undefined, scoreDraft: undefined });
    },
    [store, panel],
  );
  return [isOpen, setOpen];
}

/** State that belongs to a row; undefined after the tree is replaced, because the row then refers to another node. */
export function useForOneContent<T>() {
  const { tree } = useExplorer();
  const content = useLook(() => tree.content);
  const [state, setState] = useState<{ readonly what: T | undefined; readonly content: Content }>();
  const set = useCallback((what: T | undefined) => setState({ what, content: tree.content }), [tree]);
  return [state?.content === content ? state.what : undefined, set] as const;
}

/** The row whose path is highlighted everywhere: the hovered row, otherwise the previewed search hit. */
export const litRow = ({ hovered, previewed }: ExplorerState): number => (hovered === none ? previewed : hovered);

/**
 * The newest of the twelve months of the trends: `2026-04`. Undefined if neither the file nor a person names it.
 *
 * @param ofFile as the file names it. What a person said is known once the fields are loaded
 */
export function useNewestMonth(ofFile: string | undefined): string | undefined {
  const said = useLook(({ fields }) => fields?.flatMap(({ name }) => seasonOfField(name)?.newest ?? [])[0]);
  return ofFile ?? said;
}

/** A row of the outline, and all rows of the list. */
export type ListedRow = { readonly row: number; readonly lines: readonly OutlineRow[] };

/** Which month is the newest of the twelve in a file that only numbers them. Months are as in `2026-04`. */
export type NewestMonth = {
  /** What somebody has said. */
  readonly known: string | undefined;
  /** What a month can be suggested from; the time in milliseconds since 1970. */
  readonly fileName: string;
  readonly uploadedAt: number;
  readonly save: (month: string) => Promise<unknown>;
};

/** The controls of the explorer, for a screen that has one bar for them and its own. */
export type BarControls = {
  /** The focus, with a menu of what is around it. */
  readonly path: ReactNode;
  /** The view, and what its chart or list shows. */
  readonly views: ReactNode;
  readonly filter: ReactNode;
  readonly search: ReactNode;
  readonly score: ReactNode;
  readonly share: ReactNode;
  readonly help: ReactNode;
};

/** What a screen adds to the panels of the explorer. A visualization adds little, a draft what edits it. */
export type ExplorerParts = {
  /** The only bar above the chart. On a small screen it has no controls, which are in rows of their own below it. */
  readonly Bar?: ComponentType<{ controls: BarControls | undefined }>;
  /** Left of the outline. */
  readonly Side?: ComponentType;
  readonly outline?: {
    /** What the rows show in addition, for the line above the list. */
    readonly caption: string;
    /** Before the name of a row. */
    readonly Head: ComponentType<{ row: number }>;
    /** After the name of a row, before its figure. */
    readonly Tail: ComponentType<{ row: number }>;
    /** Below the list. */
    readonly Foot: ComponentType;
    /** Handles a key. @returns whether it did; if not, the outline does */
    readonly press: (event: KeyboardEvent, at: ListedRow) => boolean;
    /** Handles a click on a row. @returns whether it did; if not, the outline does */
    readonly pick: (event: MouseEvent, at: ListedRow) => boolean;
  };
  /** A hook: what the element of a row of the outline has in addition. */
  readonly useOutlineRow: (row: number) => ComponentProps<'div'>;
  /** A hook: the hits of the search as they can be ticked. */
  readonly useHitTicks?: () => HitTicks;
  /** What is done most with a node: a button in its details. */
  readonly DetailAction?: ComponentType<{ row: number }>;
  /** What settles a warning, first among what can be done about it. */
  readonly WarningActions?: ComponentType<{ line: WarningLine }>;
  /** Below the name in the details of a node. */
  readonly DetailLine?: ComponentType<{ row: number }>;
  /** At the end of the context menu of a node. */
  readonly MenuItems?: ComponentType<{ row: number }>;
  /** Gives somebody a link to the visualization; absent for those who may not. */
  readonly onShareWithPerson?: () => void;
  /** Absent for those who may not say it. */
  readonly newestMonth?: NewestMonth;
  /** Called when the name in the details of a node is double-clicked. */
  readonly onRename?: (row: number) => void;
  /** Shortcuts that the list of keys has in addition. */
  readonly keys?: KeyGroup;
};

const nothing: ComponentProps<'div'> = {};

/** By pack row. */
export type HitTicks = {
  /** Undefined for a hit that cannot be ticked. */
  readonly isTicked: (node: number) => boolean | undefined;
  readonly toggle: (node: number) => void;
};

/** Nothing by default. */
export const ExplorerPartsContext = createContext<ExplorerParts>({ useOutlineRow: () => nothing });
