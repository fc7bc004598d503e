import { type Filter, intents, noFilter, planMarks, questionLanguages } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import * as z from 'zod';
import { ToolRefusal } from './map-api.ts';

/** A text to look for. */
export const text = z.string().min(1).max(200);

const range = z
  .strictObject({ from: z.number().optional(), to: z.number().optional() })
  .optional()
  .describe('Both ends are included. Keywords whose value is unknown are left out.');
/** Conditions on keywords. All of them must hold. */
export const conditions = z
  .strictObject({
    contains: z.array(text).max(10).optional().describe('The keyword contains each of these texts.'),
    excludes: z.array(text).max(10).optional().describe('The keyword contains none of these.'),
    intents: z.array(z.enum(intents)).optional().describe('It has one of these intents.'),
    volume: range,
    difficulty: range,
    cpc: range,
    position: range,
    words: range,
    questions: z.array(z.enum(questionLanguages)).optional().describe('It is a question in one of these languages.'),
    planned: z
      .array(z.enum(planMarks))
      .optional()
      .describe('The page for it has one of these statuses in the plan; `none`: it is not planned.'),
    more: z
      .string()
      .max(2_000)
      .optional()
      .describe('More conditions as the explorer writes them after `f=` in its address, joined by `*`.'),
  })
  .optional()
  .describe('Which keywords count. All figures are then of those alone.');
type Conditions = z.infer<typeof conditions>;

/** @throws ToolRefusal */
export function filterText(conditions: Conditions): string {
  if (!conditions) return '';
  const more = readFilter(conditions.more ?? '');
  if (!more) throw new ToolRefusal('`more` is no filter. Copy what follows `f=` in the address of the explorer.');
  for (const figure of ['volume', 'difficulty', 'cpc', 'position', 'words'] as const) {
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = conditions[figure] ?? {};
    if (from > to)
      throw new ToolRefusal(`\`${figure}.from\` is larger than \`${figure}.to\`: nothing lies between them.`);
  }
  const whole = (of: 'volume' | 'difficulty' | 'cpc' | 'position') =>
    conditions[of] && hasEnd(conditions[of]) ? [{ of, from: conditions[of].from, to: conditions[of].to }] : [];
  const filter: Filter = {
    ...noFilter,
    contains: conditions.contains ?? [],
    excludes: conditions.excludes ?? [],
    intents: conditions.intents ?? [],
    ranges: [...whole('volume'), ...whole('difficulty'), ...whole('cpc'), ...whole('position')],
    words:
      conditions.words && hasEnd(conditions.words)
        ? { from: conditions.words.from, to: conditions.words.to }
        : undefined,
    questions: conditions.questions ?? [],
    plan: conditions.planned ?? [],
  };
  const joined = [writeFilter(filter), writeFilter(more)].filter((part) => part !== '').join('*');
  if (!readFilter(joined)) throw new ToolRefusal('A condition is there twice: once by itself and once in `more`.');
  return joined;
}
const hasEnd = ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
  from !== undefined || to !== undefined;
