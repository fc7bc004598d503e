const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const exact = new Intl.NumberFormat('en');

/** "18.6K" */
export const compactCount = (count: number): string => compact.format(count);

/** "1,204" */
export const exactCount = (count: number): string => exact.format(count);
