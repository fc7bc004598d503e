/** How far the page for an entry of a plan has come, in this order. */
export const planStatuses = ['idea', 'planned', 'written', 'live'] as const;
export type PlanStatus = (typeof planStatuses)[number];
