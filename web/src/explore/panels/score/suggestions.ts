import { type FormulaFigure, type FunctionName, functionNames } from '@kc/pack/formula/expression';
import type { FileFigures } from '@kc/pack/formula/parse-formula';
import { fieldOf } from '@kc/pack/upload/fields';
import { namedHere } from './file-figures.ts';

/** A name that can be completed: what it inserts, and what it means in one line. */
export type Suggestion = { readonly name: string; readonly inserts: string; readonly help: string };

const figureHelp: Readonly<Record<Exclude<FormulaFigure, `field:${string}`>, string>> = {
  volume: 'searches a month; on branches their sum',
  difficulty: '0 to 100; on branches the mean of what is known',
  cpc: 'cost per click; on branches the mean',
  competition: '0 to 1; on branches the mean',
  position: 'place in the results; on branches the mean',
  traffic: 'visits a month; on branches their sum',
  trafficPotential: 'visits of the best page; on branches the mean',
  clicks: 'clicks; on branches their sum',
  impressions: 'impressions; on branches their sum',
  keywords: '1; on branches the number of keywords',
  informational: '1 or 0; on branches the share of keywords',
  navigational: '1 or 0; on branches the share of keywords',
  commercial: '1 or 0; on branches the share of keywords',
  transactional: '1 or 0; on branches the share of keywords',
  growth: 'the newest 3 months against the 9 before, 0.2 for 20 %; on branches the mean',
  words: 'words in the keyword; on branches the mean',
  level: 'levels below the root',
};

const functionHelp: Readonly<Record<FunctionName, string>> = {
  min: 'min(a, b, …): the smallest',
  max: 'max(a, b, …): the greatest',
  abs: 'abs(x): without its sign',
  round: 'round(x, digits)',
  floor: 'floor(x): down to a whole number',
  ceil: 'ceil(x): up to a whole number',
  sqrt: 'sqrt(x): square root',
  ln: 'ln(x): natural logarithm',
  log: 'log(x): logarithm to base 10',
  clamp: 'clamp(x, low, high): kept between two numbers',
  if: 'if(test, then, else)',
  ifUnknown: 'ifUnknown(x, fallback): x, or the fallback where x is unknown',
  isKnown: 'isKnown(x): 1 if x is known, otherwise 0',
  knownShare: 'knownShare(field): how much of it is known, 0 to 1',
  ctrAt: 'ctrAt(position): share of clicks, assumed: 28 % at 1, 11 % at 3, 2 % at 10',
  intentWeight: 'intentWeight(i, n, c, t): mean weight of the intents',
  field: 'field("Name"): a number of the file',
};

const mostShown = 8;

/** The part of a name before the caret; undefined where no name is being typed. */
export function wordBefore(text: string, caret: number): string | undefined {
  const signs = /(?<![\p{L}\p{M}\p{N}_])[\p{L}\p{M}\p{N}_]+$/u.exec(text.slice(0, caret))?.[0] ?? '';
  const word = /[\p{L}_].*/u.exec(signs)?.[0];
  const isInText = (text.slice(0, caret).match(/"/g)?.length ?? 0) % 2 === 1;
  return isInText ? undefined : word;
}

/** Names that begin with a word, then those that contain it or are called like that by keyword tools. */
export function suggestionsFor(word: string, file: FileFigures): Suggestion[] {
  const typed = word.toLowerCase();
  const all: Suggestion[] = [
    ...namedHere(file).map((name) => ({ name, inserts: name, help: figureHelp[name as keyof typeof figureHelp] })),
    ...functionNames.map((name) => ({ name, inserts: `${name}(`, help: functionHelp[name] })),
    ...file.fields.map((name) => ({
      name,
      inserts: `field("${name.replaceAll('"', '""')}")`,
      help: 'a number of this file',
    })),
  ];
  const usual = fieldOf(word)?.name;
  const rank = ({ name }: Suggestion): number => {
    if (name.toLowerCase() === typed) return 3;
    if (name.toLowerCase().startsWith(typed)) return 0;
    if (name === usual) return 1;
    return name.toLowerCase().includes(typed) ? 2 : 4;
  };
  const found = all.filter((one) => rank(one) < 3);
  return found.sort((one, other) => rank(one) - rank(other)).slice(0, mostShown);
}
