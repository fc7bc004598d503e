import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A column. Its cells are written by the rows. */
export type GridColumn = TrackColumn & {
  readonly title: string;
  /** Instead of the width: a track of a CSS grid. */
  readonly track?: string;
  /** Instead of the title, such as a box that selects all rows. */
  readonly head?: ReactNode;
  /** Whether the cell cursor passes over it. */
  readonly isControl?: boolean;
  readonly isEditable?: boolean;
  /** Absent for a column that has no order. */
  readonly sort?: {
    /** Undefined if the list is not sorted by it. */
    readonly direction: 'ascending' | 'descending' | undefined;
    /** Its place among the keys, from 1, and how many they are, in a grid that can have several. */
    readonly place?: number | undefined;
    readonly of?: number;
    /** @param isAdded whether it is sorted by other columns first */
    readonly onSort: (isAdded: boolean) => void;
  };
};

/** What the width of a column follows from. */
export type TrackColumn = {
  readonly id: string;
  /** Texts begin at the start of the cell, figures end at its end. */
  readonly isText: boolean;
  /** In CSS pixels: as it is by default, and as it is now. */
  readonly width: number;
  readonly shownWidth: number;
};

/** A name is at most this wide unless the user widens it: with figures further away, a row is hard to read. */
const maxNamePx = 480;
/** Other columns of text grow by this factor at most. */
const maxGrowth = 2;

/**
 * The widths of columns in a list, as tracks of a CSS grid in a container (`cqw` is a hundredth of its width). What is
 * left beside the columns is given to the name first, then to the other texts, and then stays empty. A width that
 * the user chose is kept.
 */
export function columnTracks(columns: readonly TrackColumn[]): readonly string[] {
  const isFree = ({ width, shownWidth }: TrackColumn) => width === shownWidth;
  const others = columns.reduce((sum, { id, shownWidth }) => sum + (id === 'name' ? 0 : shownWidth), 0);
  const name = columns.find(({ id }) => id === 'name');
  const maxName = name && !isFree(name) ? name.shownWidth : maxNamePx;
  const texts = columns.filter((column) => column.id !== 'name' && column.isText && isFree(column)).length;
  return columns.map((column) => {
    const { id, isText, shownWidth } = column;
    if (!isFree(column)) return id === 'name' ? `min(${shownWidth}px, 50vw)` : `${shownWidth}px`;
    if (id === 'name') return `clamp(min(${shownWidth}px, 50vw), 100cqw - ${others}px, ${maxNamePx}px)`;
    if (!isText) return `${shownWidth}px`;
    const share = `${shownWidth}px + (100cqw - ${maxName + others}px) / ${texts}`;
    return `clamp(${shownWidth}px, ${share}, ${maxGrowth * shownWidth}px)`;
  });
}

/** The columns as those of a CSS grid, and the minimum width of a row. On a phone the name takes at most half of it. */
export function tracksOf(columns: readonly GridColumn[]): { readonly template: string; readonly minWidth: string } {
  const minWidths = columns.map(({ id, track, shownWidth }) =>
    track !== undefined ? '0px' : id === 'name' ? `min(${shownWidth}px, 50vw)` : `${shownWidth}px`,
  );
  const tracks = columnTracks(columns).map((track, at) => columns[at]!.track ?? track);
  return { template: tracks.join(' '), minWidth: columns.length === 0 ? '0' : `calc(${minWidths.join(' + ')})` };
}

/** The class of a column that stays while others are scrolled below it: the name, and what is before it. */
export function pinned(columns: readonly GridColumn[], index: number): { className: string; left?: number } {
  const name = columns.findIndex(({ id }) => id === 'name');
  if (index > name) return { className: '' };
  const left = columns.slice(0, index).reduce((sum, { shownWidth }) => sum + shownWidth, 0);
  return { className: classNames('sticky', index === name && 'border-r border-line'), left };
}
