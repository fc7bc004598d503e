import { useState } from 'react';
import { Field } from '../../../ui/field.tsx';
import { textsIn } from '../../model/change-filter.ts';

type Props = {
  readonly label: string;
  readonly texts: readonly string[];
  readonly onChange: (texts: readonly string[]) => void;
};

/** Texts with commas between them. What is typed stays as it is typed, until they are changed elsewhere. */
export function TextsField({ label, texts, onChange }: Props) {
  const [written, setWritten] = useState(texts.join(', '));
  const isSame = sameTexts(textsIn(written), texts);
  if (!isSame) setWritten(texts.join(', '));
  return (
    <Field
      label={label}
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      value={isSame ? written : texts.join(', ')}
      onChange={({ target }) => {
        setWritten(target.value);
        onChange(textsIn(target.value));
      }}
    />
  );
}

const sameTexts = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text) => other.includes(text));
