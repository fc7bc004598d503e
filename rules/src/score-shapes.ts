import { levels } from '@kc/pack/vocabulary/choices';
import * as z from 'zod/mini';
import { unstoredText } from './text-shapes.ts';

/** The rows that a score is checked on. */
export const scoreLevel = z.enum(levels);

/** A roll-up and a formula, as `pack/score` writes them: `branch.volume*(1-difficulty/100)`. */
export const scoreText = unstoredText({ max: 1000 });

/** Why a text is no formula: see `FormulaProblem` of `pack/formula`. `at` counts characters from 1. */
const scoreProblem = z.object({
  kind: z.string(),
  at: z.number(),
  length: z.number(),
  text: z.optional(z.string()),
  suggestion: z.optional(z.string()),
  least: z.optional(z.number()),
  most: z.optional(z.number()),
  given: z.optional(z.number()),
});

/** The distribution of a score, or what is wrong with its formula. The meaning of each number: `pack/check-score`. */
export const scoreCheck = z.discriminatedUnion('isValid', [
  z.object({ isValid: z.literal(false), problem: scoreProblem }),
  z.object({
    isValid: z.literal(true),
    /** The canonical text. */
    score: z.string(),
    known: z.number(),
    unknown: z.number(),
    missing: z.array(z.string()),
    bins: z.array(z.number()),
    edges: z.array(z.number()),
    isLog: z.boolean(),
    top: z.array(z.object({ node: z.number(), name: z.string(), score: z.number() })),
  }),
]);
export type ScoreCheck = z.infer<typeof scoreCheck>;
