import { type FormulaFigure, type FunctionName, formulaFigures, functionNames } from '@kc/pack/formula/expression';
import type { FormulaProblem } from '@kc/pack/formula/formula-problem';
import type { FileFigures } from '@kc/pack/formula/parse-formula';
import { fieldOf } from '@kc/pack/upload/fields';
import { textsOf } from '@kc/rules/catalogue';
import { scoreMessages } from '@kc/rules/score-messages';
import type { Field } from '@kc/rules/shapes';
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { fieldKey, isKnownAnywhere, isScoreKey } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';

type Props = {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly file: FileFigures;
  /** Shown in the text; undefined while it is right or being typed. */
  readonly problem: FormulaProblem | undefined;
  /** The element that says what is wrong. */
  readonly problemId: string;
  readonly onChange: (text: string) => void;
};

/** What the field and the two lines over and below it have in common, so that characters stand below each other. */
const line = 'font-mono text-small leading-6 whitespace-pre';

/** A formula, with its error underlined and names to complete. */
export function FormulaField({ field, text, file, problem, problemId, onChange }: Props) {
  const list = useId();
  const [shown, setShown] = useState<readonly Suggestion[]>([]);
  const [active, setActive] = useState(-1);
  const [scrolled, setScrolled] = useState(0);
  const caretAfter = useRef<number>(undefined);
  const isOpen = shown.length > 0;

  // A change of the value by script moves the caret to the end.
  useLayoutEffect(() => {
    if (caretAfter.current === undefined) return;
    field.current?.setSelectionRange(caretAfter.current, caretAfter.current);
    caretAfter.current = undefined;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer or shorter text scrolls
  useEffect(() => {
    setScrolled(field.current?.scrollLeft ?? 0);
  }, [field, text]);

  const close = () => {
    setShown([]);
    setActive(-1);
  };
  const suggest = (typed: string, caret: number | null) => {
    const word = wordBefore(typed, caret ?? typed.length);
    setShown(word === undefined ? [] : suggestionsFor(word, file));
    setActive(-1);
  };
  const take = ({ inserts }: Suggestion) => {
    const caret = field.current?.selectionStart ?? text.length;
    const start = caret - (wordBefore(text, caret)?.length ?? 0);
    caretAfter.current = start + inserts.length;
    onChange(text.slice(0, start) + inserts + text.slice(caret));
    close();
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive((active + step + shown.length + (active < 0 && step < 0 ? 1 : 0)) % shown.length);
    } else if (event.key === 'Escape') {
      // The first Escape closes the list, the next one the editor.
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if ((event.key === 'Enter' || event.key === 'Tab') && active >= 0) {
      event.preventDefault();
      take(shown[active]!);
    }
  };

  return (
    <div className="relative">
      <div className="relative rounded-control border border-line-strong bg-surface has-aria-invalid:border-bad has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-1">
        <Underline text={text} problem={problem} scrolled={scrolled} />
        <input
          ref={field}
          role="combobox"
          aria-label="Formula"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={list}
          aria-activedescendant={active >= 0 ? `${list}-${active}` : undefined}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          placeholder="volume * (1 - difficulty / 100)"
          maxLength={1000}
          value={text}
          onChange={({ target }) => {
            onChange(target.value);
            suggest(target.value, target.selectionStart);
          }}
          onKeyDown={onKeyDown}
          onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollLeft)}
          onBlur={close}
          className={`${line} relative h-9 w-full bg-transparent px-2.5 text-ink outline-none placeholder:text-muted touch:h-11 touch:text-touch`}
        />
      </div>
      {problem && problem.length > 0 && (
        <div
          aria-hidden="true"
          className={`${line} overflow-hidden px-[calc(0.625rem+1px)] -mb-2 h-4 leading-4 text-bad touch:text-touch`}
        >
          <span className="inline-block" style={{ transform: `translateX(${-scrolled}px)` }}>
            {' '.repeat(problem.at - 1)}
            {'^'.repeat(problem.length)}
          </span>
        </div>
      )}
      <div
        id={list}
        role="listbox"
        aria-label="Names"
        hidden={!isOpen}
        className="absolute inset-x-0 top-full z-10 mt-1 max-h-60 overflow-y-auto rounded-control border border-line bg-surface p-1 shadow-2"
      >
        {shown.map((one, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
          <div
            key={one.inserts}
            id={`${list}-${at}`}
            role="option"
            aria-selected={at === active}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(one)}
            className="flex min-h-8 cursor-pointer flex-col justify-center rounded-chip px-2 py-1 text-small aria-selected:bg-brand-soft hover:bg-sunken touch:min-h-11"
          >
            <bdi className="font-mono text-ink">{one.name}</bdi>
            <span className="text-micro text-muted">{one.help}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

type UnderlineProps = Pick<Props, 'text' | 'problem'> & { readonly scrolled: number };

/** The text once more behind the field, invisible except for a wavy line below what is wrong. */
function Underline({ text, problem, scrolled }: UnderlineProps) {
  if (!problem || problem.length === 0) return null;
  const start = unitsBefore(text, problem.at);
  const end = unitsBefore(text, problem.at + problem.length);
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 overflow-hidden px-2.5">
      <span
        className={`${line} inline-block leading-9 text-transparent touch:leading-11 touch:text-touch`}
        style={{ transform: `translateX(${-scrolled}px)` }}
      >
        {text.slice(0, start)}
        <span className="underline decoration-bad decoration-wavy underline-offset-4 forced-colors:decoration-[CanvasText]">
          {text.slice(start, end)}
        </span>
        {text.slice(end)}
      </span>
    </div>
  );
}

/** A name that can be completed: what it inserts, and what it means in one line. */
type Suggestion = { readonly name: string; readonly inserts: string; readonly help: string };

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

const maxShown = 8;

/** The part of a name before the caret; undefined where no name is being typed. */
function wordBefore(text: string, caret: number): string | undefined {
  const signs = /(?<![\p{L}\p{M}\p{N}_])[\p{L}\p{M}\p{N}_]+$/u.exec(text.slice(0, caret))?.[0] ?? '';
  const word = /[\p{L}_].*/u.exec(signs)?.[0];
  const isInText = (text.slice(0, caret).match(/"/g)?.length ?? 0) % 2 === 1;
  return isInText ? undefined : word;
}

/** Names that begin with a word, then those that contain it or are called like that by keyword tools. */
function suggestionsFor(word: string, file: FileFigures): Suggestion[] {
  const typed = word.toLowerCase();
  const all: Suggestion[] = [
    ...availableFigures(file).map((name) => ({
      name,
      inserts: name,
      help: figureHelp[name as keyof typeof figureHelp],
    })),
    ...functionNames.map((name) => ({ name, inserts: `${name}(`, help: functionHelp[name] })),
    ...file.fields.map((name) => ({
      name,
      inserts: `field("${name.replaceAll('"', '""')}")`,
      help: 'a number of this file',
    })),
  ];
  const preferred = fieldOf(word)?.name;
  const rank = ({ name }: Suggestion): number => {
    if (name.toLowerCase() === typed) return 3;
    if (name.toLowerCase().startsWith(typed)) return 0;
    if (name === preferred) return 1;
    return name.toLowerCase().includes(typed) ? 2 : 4;
  };
  const found = all.filter((one) => rank(one) < 3);
  return found.sort((one, other) => rank(one) - rank(other)).slice(0, maxShown);
}

export const { say: sayScore, sayRefusal: sayScoreRefusal } = textsOf(scoreMessages);

/** What is wrong with a formula, in one sentence. */
export function problemText({ kind, length, ...params }: FormulaProblem): string {
  return sayScoreRefusal({ code: `score/${kind}`, params: { ...params } });
}

/** Places in a text are characters; those of the browser are UTF-16 units. @param at from 1 */
export const unitsBefore = (text: string, at: number): number =>
  Array.from(text)
    .slice(0, at - 1)
    .join('').length;

const intents: readonly FormulaFigure[] = ['informational', 'navigational', 'commercial', 'transactional'];

/**
 * What formulas can use of the visualization: the same as `figuresOfFile` of `pack/score`, from what the browser knows.
 *
 * @param fields of the file and the score, as in the state
 */
export function figuresHere(tree: LoadedTree, fields: readonly Field[]): FileFigures {
  const numbers = fields
    .filter(({ name, kind }) => kind === 'number' && !isScoreKey(fieldKey(name)))
    .map(({ name }) => name);
  const own = numbers.filter((name) => name !== 'competition' && name !== 'position');
  return {
    has(figure) {
      if (figure === 'keywords' || figure === 'level' || figure === 'words') return true;
      // Only the server knows whether there are trends. Its check refuses what is missing.
      if (figure === 'growth') return true;
      if (figure === 'volume' || figure === 'difficulty' || figure === 'cpc') return isKnownAnywhere(tree, figure);
      if (intents.includes(figure)) return isKnownAnywhere(tree, 'intent');
      if (figure === 'competition' || figure === 'position') return numbers.includes(figure);
      if (figure.startsWith('field:')) return own.some((name) => `field:${name}` === figure);
      return own.some((name) => fieldOf(name)?.name === figure);
    },
    fields: own,
    standardName: (name) => fieldOf(name)?.name,
  };
}

const availableFigures = (file: FileFigures): FormulaFigure[] => formulaFigures.filter((figure) => file.has(figure));
