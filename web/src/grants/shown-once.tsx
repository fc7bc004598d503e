import { Copy } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { useCopyText } from '../ui/copy-text.ts';
import { Field } from '../ui/field.tsx';

type Props<Created> = Omit<ShownProps, 'title' | 'text' | 'onAnother'> & {
  readonly form: (onCreated: (created: Created) => void) => ReactNode;
  readonly title: (created: Created) => string;
  readonly text: (created: Created) => string;
};

/** A form that creates a secret, which replaces the form until the user wants to create another one. */
export function SecretForm<Created>({ form, title, text, ...shown }: Props<Created>) {
  const [created, setCreated] = useState<Created>();
  if (created === undefined) return form(setCreated);
  return <ShownOnce {...shown} title={title(created)} text={text(created)} onAnother={() => setCreated(undefined)} />;
}

type ShownProps = {
  /** What it is: “link”, “token”. */
  readonly what: string;
  readonly label: string;
  /** Of its field. */
  readonly title: string;
  readonly text: string;
  /** Messages after it has been copied, and if the browser does not allow that. */
  readonly copied: string;
  readonly refused: string;
  readonly onAnother: () => void;
};

/** A secret that was just made and is never shown again, with a button to copy it, which has the focus. */
function ShownOnce({ what, label, title, text, copied, refused, onAnother }: ShownProps) {
  const copy = useCopyText();
  const copyButton = useRef<HTMLButtonElement>(null);
  // Before the dialog notices that the field that had the focus is gone, and takes it itself.
  useLayoutEffect(() => copyButton.current?.focus(), []);
  return (
    <section aria-label={label} className="flex flex-col gap-3">
      <Field
        label={title}
        hint={`It is shown this once. Copy it now; a lost ${what} can only be replaced by a new one.`}
        readOnly
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onAnother}>Create another</Button>
        <Button
          ref={copyButton}
          variant="primary"
          icon={<Copy size={16} />}
          onClick={() => copy(text, copied, refused)}
        >
          Copy {what}
        </Button>
      </div>
    </section>
  );
}
