const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const exact = new Intl.NumberFormat('en');

/** "18.6K" */
export const compactCount = (count: number): string => compact.format(count);

/** "1,204" */
export const exactCount = (count: number): string => exact.format(count);

const fine = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** "18.6K", "4.1", "0.25": a figure that need not be whole, as short as says enough. */
export const compactFigure = (value: number): string =>
  Math.abs(value) >= 1 || value === 0 ? compact.format(value) : fine.format(value);
