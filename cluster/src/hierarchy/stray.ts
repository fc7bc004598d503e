/** A row that belongs to no group. */
export const stray = -1;
