/** How finely keywords are grouped: `page`: one page answers a cluster; `broad`: a cluster is a topic; `balanced`: in between. */
export const presets = ['page', 'balanced', 'broad'] as const;
export type Preset = (typeof presets)[number];
export const isPreset = (value: unknown): value is Preset => presets.some((name) => name === value);

/**
 * The rule by which keywords belong together because of the search results that they share.
 * `soft`: each shares enough URLs with the main keyword. `moderate`: each shares enough with at least one other. `hard`:
 * every two share enough. `smart`: they share many URLs among each other, with no chain effect.
 */
export const sharings = ['smart', 'soft', 'moderate', 'hard'] as const;
export type Sharing = (typeof sharings)[number];

/** The flat lists of what is below a focus. */
export const levels = ['pillars', 'clusters', 'subtopics', 'keywords'] as const;
export type Level = (typeof levels)[number];

/** What a plot can show: a level, or the children of the focus, which may be of several levels. */
export const pointLevels = [...levels, 'children'] as const;
export type PointLevel = (typeof pointLevels)[number];

/**
 * How a text is matched with a name, after both are folded (see `foldForSearch`).
 *
 * - `all`: the name contains each word of the text, in any order; `any`: it contains at least one of them. Words are
 *   separated by white space, and each may be a part of a longer word.
 * - `phrase`: the name contains the text as it stands.
 * - `regex`: the text is an RE2 regular expression that matches a part of the name. Case is ignored.
 */
export const matchModes = ['all', 'any', 'phrase', 'regex'] as const;
export type MatchMode = (typeof matchModes)[number];

/** How far the page for an entry of a plan has come, in this order. */
export const planStatuses = ['idea', 'planned', 'written', 'live'] as const;
export type PlanStatus = (typeof planStatuses)[number];
