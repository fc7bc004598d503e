import type { Filter } from '@kc/pack/filter/filter';
import { type MatchMode, maxPatternLength } from '@kc/pack/find/text-query';
import { say } from '@kc/rules/messages';
import { useRef, useState } from 'react';
import { Field } from '../../../ui/field.tsx';
import { LazySelect } from '../../../ui/lazy-select.tsx';
import { modeOf, textsIn, textsOfMode, withTextsOfMode } from '../../model/change-filter.ts';
import { matchOptions } from '../match-names.ts';
import { compile } from '../name-patterns.ts';
import type { FilterProps } from './filter-group.tsx';

type Props = FilterProps & {
  readonly label: string;
  /** Whether names have to match, or must not. */
  readonly isIn: boolean;
};

/** A regular expression that is typed and not in the filter yet, and what is wrong with it. */
type Draft = { readonly of: Filter; readonly error: string | undefined };

/** While something is typed, in milliseconds. */
const typingMs = 300;

/**
 * What names have to contain, and how. What is typed stays as it is typed, until the filter is changed elsewhere. A
 * regular expression is compiled here first, so that half of one is an error beside the field and not a failed filter.
 */
export function TextsField({ label, isIn, filter, change }: Props) {
  const [chosen, setMode] = useState(() => modeOf(filter, isIn));
  const mode = textsOfMode(filter, isIn, chosen).length > 0 ? chosen : otherMode(filter, isIn, chosen);
  const texts = textsOfMode(filter, isIn, mode);
  const [written, setWritten] = useState(shownText(texts));
  const [given, setDraft] = useState<Draft>();
  // Where the filter is another one by now, what was typed for the one before is over.
  const draft = given?.of === filter ? given : undefined;
  const typed = useRef(0);
  const shown = draft || sameTexts(textsIn(written, mode), texts) ? written : shownText(texts);

  async function apply(text: string, as: MatchMode): Promise<void> {
    const mine = ++typed.current;
    setWritten(text);
    const next = textsIn(text, as);
    if (as === 'regex' && next[0] !== undefined) {
      setDraft({ of: filter, error: draft?.error });
      // Without the engine the server says what is wrong.
      const made = await compile(next[0]).catch(() => undefined);
      if (mine !== typed.current) return;
      if (made && 'reason' in made) return setDraft({ of: filter, error: say('visualization/pattern-invalid', made) });
    }
    setDraft(undefined);
    const cleared = as === mode ? filter : withTextsOfMode(filter, isIn, mode, []);
    change(withTextsOfMode(cleared, isIn, as, next), typingMs);
  }

  return (
    <Field
      label={label}
      action={
        <LazySelect
          label={`${label}: how to match`}
          value={mode}
          options={matchOptions}
          onChange={(next) => {
            setMode(next);
            void apply(shown, next);
          }}
        />
      }
      error={draft?.error}
      autoComplete="off"
      spellCheck={false}
      maxLength={maxPatternLength}
      value={shown}
      onChange={({ target }) => void apply(target.value, mode)}
    />
  );
}

/** The mode of what the filter has, where the chosen one shows none of it. */
function otherMode(filter: Filter, isIn: boolean, chosen: MatchMode): MatchMode {
  const used = modeOf(filter, isIn);
  return textsOfMode(filter, isIn, used).length > 0 ? used : chosen;
}

const shownText = (texts: readonly string[]) => texts.join(', ');
const sameTexts = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text) => other.includes(text));
