/** A flat list of what lies within a focus. The hierarchy itself is no such list. */
export const levels = ['pillars', 'clusters', 'subtopics', 'keywords'] as const;
export type Level = (typeof levels)[number];

/** What a plot shows: a level, or the children of the focus, which may be of several. */
export const pointLevels = [...levels, 'children'] as const;
export type PointLevel = (typeof pointLevels)[number];
