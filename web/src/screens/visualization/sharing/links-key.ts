/** The cached list of the links of a visualization. */
export const linksKey = (id: string) => ['links', id] as const;
