/** No row. */
export const none = -1;
