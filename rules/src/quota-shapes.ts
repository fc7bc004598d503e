/** Shapes of the calls about what a user may store. */
import * as z from 'zod/mini';
import { limits } from './limits.ts';

/** A limit of one user; null: that of the settings. */
const ownLimit = (max: number) => z.nullable(z.number().check(z.int(), z.gte(0), z.lte(max)));

export const ownLimits = z.strictObject({
  /** Visualizations that the user may have to import another list. */
  visualizations: ownLimit(limits.maxOwnVisualizations),
  /** MB (2^20 bytes) that lists, drafts and their maps may take. */
  storageMb: ownLimit(limits.maxOwnStorageMb),
});
export type OwnLimits = z.infer<typeof ownLimits>;

const use = z.object({ used: z.number(), byDefault: z.number() });

/** What a user has, what the settings allow, and the limits that an administrator has set for this user. */
export const userQuota = z.object({
  visualizations: use,
  storageMb: use,
  own: ownLimits,
});
export type UserQuota = z.infer<typeof userQuota>;
