import type { WarningLine } from '@kc/rules/warning-shapes';
import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import type { KeyGroup } from '../../ui/key-map.tsx';
import type { OutlineRow } from './outline/outline-rows.ts';

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

/** Nothing by default. */
export const ExplorerPartsContext = createContext<ExplorerParts>({ useOutlineRow: () => nothing });
