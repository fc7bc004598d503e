import { say } from '@kc/rules/all-messages';
import type { ShareLink } from '@kc/rules/link-shapes';
import { paths } from '@kc/rules/paths';
import { Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { useToast } from '../../../ui/toast.tsx';

type Props = { readonly link: ShareLink & { readonly token: string }; readonly onAnother: () => void };

/** The address of a new link, which is never shown again. */
export function NewLinkShown({ link, onAnother }: Props) {
  const toast = useToast();
  const copyButton = useRef<HTMLButtonElement>(null);
  const address = `${location.origin}${paths.shared}#${link.token}`;
  useEffect(() => copyButton.current?.focus(), []);
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => toast(say('link/copied')),
      () => toast(say('explore/copy-refused')),
    );
  return (
    <section aria-label="New link" className="flex flex-col gap-3">
      <Field
        label={`Link for ${link.sharedWith}`}
        hint="It is shown this once. Copy it now; a lost link can only be replaced by a new one."
        readOnly
        value={address}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onAnother}>Create another</Button>
        <Button
          ref={copyButton}
          variant="primary"
          icon={<Copy size={16} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => void copy()}
        >
          Copy link
        </Button>
      </div>
    </section>
  );
}
