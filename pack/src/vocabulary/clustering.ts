/** How finely keywords are grouped: one page answers a cluster, or a cluster is a topic, or something between. */
export const presets = ['page', 'balanced', 'broad'] as const;
export type Preset = (typeof presets)[number];
export const isPreset = (value: unknown): value is Preset => presets.some((name) => name === value);

/**
 * When keywords belong together by the results that they share.
 * `soft`: each shares enough URLs with the main keyword. `moderate`: each shares enough with at least one other. `hard`:
 * every two share enough. `smart`: they share many URLs among each other, with no chain effect.
 */
export const sharings = ['smart', 'soft', 'moderate', 'hard'] as const;
export type Sharing = (typeof sharings)[number];
