import { type ComponentProps, type FormEvent, useState } from 'react';
import { Button } from './button.tsx';
import { Field } from './field.tsx';

type Props = Omit<ComponentProps<typeof Field>, 'value' | 'onChange' | 'error'> & {
  /** The initial value. */
  readonly initial: string;
  readonly isSaving: boolean;
  readonly error: string | undefined;
  readonly onSave: (typed: string) => void;
  readonly onCancel: () => void;
};

/** The content of a dialog that edits one line of text. */
export function OneFieldForm({ initial, isSaving, error, onSave, onCancel, ...field }: Props) {
  const [typed, setTyped] = useState(initial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSaving) onSave(typed);
  };
  return (
    <form noValidate onSubmit={submit}>
      <Field {...field} value={typed} error={error} onChange={(event) => setTyped(event.target.value)} />
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" type="submit">
          {isSaving ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
