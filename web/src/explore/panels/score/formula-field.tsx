import type { FormulaProblem } from '@kc/pack/formula/formula-problem';
import type { FileFigures } from '@kc/pack/formula/parse-formula';
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { unitsBefore } from './problem-text.ts';
import { type Suggestion, suggestionsFor, wordBefore } from './suggestions.ts';

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
