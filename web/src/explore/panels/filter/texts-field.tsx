import type { Filter } from '@kc/pack/filter/filter';
import { type MatchMode, maxPatternLength } from '@kc/pack/find/text-query';
import { say } from '@kc/rules/messages';
import { useRef, useState } from 'react';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { modeOf, textsIn, textsOfMode, withTextsOfMode } from '../../model/change-filter.ts';
import { matchOptions } from '../match-names.ts';
import { compile } from '../name-patterns.ts';
import type { FilterProps } from './filter-section.tsx';

type Props = FilterProps & {
  readonly label: string;
  /** Whether names must match, or must not. */
  readonly isIn: boolean;
};

/** A regular expression that has been typed but not applied, and its error. */
type Draft = { readonly of: Filter; readonly error: string | undefined };

/** Debounce while typing, in milliseconds. */
const typingMs = 300;

/**
 * The texts that names must (or must not) contain, and the match mode. The field keeps the typed spelling until the
 * filter changes elsewhere. It compiles regular expressions before applying them, so that an incomplete one shows an
 * error at the field instead of a failed filter.
 */
export function TextsField({ label, isIn, filter, change }: Props) {
  const [chosen, setMode] = useState(() => modeOf(filter, isIn));
  const mode = textsOfMode(filter, isIn, chosen).length > 0 ? chosen : otherMode(filter, isIn, chosen);
  const texts = textsOfMode(filter, isIn, mode);
  const [written, setWritten] = useState(shownText(texts));
  const [given, setDraft] = useState<Draft>();
  // Discard typed text that belongs to a previous filter.
  const draft = given?.of === filter ? given : undefined;
  const typed = useRef(0);
  const shown = draft || sameTexts(textsIn(written, mode), texts) ? written : shownText(texts);

  async function apply(text: string, as: MatchMode): Promise<void> {
    const mine = ++typed.current;
    setWritten(text);
    const next = textsIn(text, as);
    if (as === 'regex' && next[0] !== undefined) {
      setDraft({ of: filter, error: draft?.error });
      // Without the engine, the server reports the error.
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
        <Select
          showLabel={false}
          size="dense"
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

/** The mode that the filter uses, if the chosen one shows none of its texts. */
function otherMode(filter: Filter, isIn: boolean, chosen: MatchMode): MatchMode {
  const used = modeOf(filter, isIn);
  return textsOfMode(filter, isIn, used).length > 0 ? used : chosen;
}

const shownText = (texts: readonly string[]) => texts.join(', ');
const sameTexts = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text) => other.includes(text));
