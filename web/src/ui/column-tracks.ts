/** What the width of a column follows from. */
export type TrackColumn = {
  readonly id: string;
  readonly isText: boolean;
  /** In CSS pixels: as it is by default, and as it is now. */
  readonly width: number;
  readonly shownWidth: number;
};

/** A name is at most this wide unless somebody widens it: further away, its figures are hard to read with it. */
const maxNamePx = 480;
/** Other columns of text grow by this factor at most. */
const maxGrowth = 2;

/**
 * The widths of columns in a list, as tracks of a CSS grid in a container (`cqw` is a hundredth of its width). What is
 * left beside the columns goes to the name first, then to the other texts, and after that to nothing. A width that
 * somebody chose is kept.
 */
export function columnTracks(columns: readonly TrackColumn[]): readonly string[] {
  const isFree = ({ width, shownWidth }: TrackColumn) => width === shownWidth;
  const others = columns.reduce((sum, { id, shownWidth }) => sum + (id === 'name' ? 0 : shownWidth), 0);
  const name = columns.find(({ id }) => id === 'name');
  const nameMost = name && !isFree(name) ? name.shownWidth : maxNamePx;
  const texts = columns.filter((column) => column.id !== 'name' && column.isText && isFree(column)).length;
  return columns.map((column) => {
    const { id, isText, shownWidth } = column;
    if (!isFree(column)) return id === 'name' ? `min(${shownWidth}px, 50vw)` : `${shownWidth}px`;
    if (id === 'name') return `clamp(min(${shownWidth}px, 50vw), 100cqw - ${others}px, ${maxNamePx}px)`;
    if (!isText) return `${shownWidth}px`;
    const share = `${shownWidth}px + (100cqw - ${nameMost + others}px) / ${texts}`;
    return `clamp(${shownWidth}px, ${share}, ${maxGrowth * shownWidth}px)`;
  });
}
