import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

type Props = Omit<ComponentProps<'input'>, 'id' | 'children'> & {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The error message, or `undefined`. */
  readonly error?: string | undefined;
  /** Shown at the end of the label's line. */
  readonly action?: ReactNode;
  /** Whether the hint changes by itself and is announced then. */
  readonly live?: boolean;
  /** Shown inside the field at its end, for example a show button. */
  readonly trailing?: ReactNode;
  /** `space` for the dark cards of signed-out screens. */
  readonly surface?: 'ground' | 'space';
};

const surfaces = {
  ground: {
    label: 'text-ink',
    input: 'border-line-strong bg-surface text-ink placeholder:text-muted aria-invalid:border-bad',
    hint: 'text-muted',
    error: 'text-bad',
  },
  space: {
    label: 'text-space-ink',
    input: 'border-space-border bg-space-0 text-space-ink placeholder:text-space-muted aria-invalid:border-space-bad',
    hint: 'text-space-muted',
    error: 'text-space-bad',
  },
} as const;

/** A text field with a label above and a hint or error below. */
export function Field({ label, hint, error, action, live, trailing, surface = 'ground', className, ...input }: Props) {
  const id = useId();
  const look = surfaces[surface];
  const note = error ?? hint;
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
      <div className={action ? 'flex items-end justify-between gap-3' : 'contents'}>
        <label htmlFor={id} className={classNames('text-small font-medium', look.label)}>
          {label}
        </label>
        {action}
      </div>
      <div className="relative">
        <input
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          className={classNames(
            'h-11 w-full rounded-control border px-3 text-body read-only:opacity-80 touch:text-touch',
            trailing ? 'pr-12' : undefined,
            look.input,
          )}
          {...input}
        />
        {trailing && <div className="absolute inset-y-0 right-1 flex items-center">{trailing}</div>}
      </div>
      {(note || live) && (
        <p
          role={live ? 'status' : undefined}
          id={`${id}-note`}
          className={classNames('text-small', error ? look.error : look.hint)}
        >
          {note}
        </p>
      )}
    </div>
  );
}

/** A form whose fields show their own errors, and that stays on the page when it is submitted. */
export function Form({ onSubmit, ...form }: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => unknown }) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return <form noValidate onSubmit={submit} {...form} />;
}

type OneFieldProps = Omit<ComponentProps<typeof Field>, 'value' | 'onChange' | 'error'> & {
  /** The initial value. */
  readonly initial: string;
  readonly isSaving: boolean;
  readonly error: string | undefined;
  readonly onSave: (typed: string) => void;
  readonly onCancel: () => void;
};

/** The content of a dialog that edits one line of text. */
export function OneFieldForm({ initial, isSaving, error, onSave, onCancel, ...field }: OneFieldProps) {
  const [typed, setTyped] = useState(initial);
  return (
    <Form onSubmit={() => !isSaving && onSave(typed)}>
      <Field {...field} value={typed} error={error} onChange={(event) => setTyped(event.target.value)} />
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" type="submit">
          {isSaving ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </Form>
  );
}
