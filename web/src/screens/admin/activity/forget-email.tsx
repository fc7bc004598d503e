import type { ActivityLine } from '@kc/rules/admin-shapes';
import { sayRefusal } from '@kc/rules/messages';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client } from '../../../api/client.ts';
import { toRefusal } from '../../../api/refusal.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialog.tsx';

/** The email of a deleted user that the activity still contains; undefined for any other entry. */
export function keptEmail({ kind, details }: ActivityLine): string | undefined {
  const isDeletion = kind === 'delete' || kind === 'delete-records';
  return isDeletion && typeof details.email === 'string' ? details.email : undefined;
}

type Props = {
  /** The deletion; its target is the deleted user. */
  readonly line: ActivityLine;
  /** See {@link keptEmail}. */
  readonly email: string;
  readonly onForgotten: () => void;
};

/** A button that removes the email of a deleted user from the activity, after a confirmation. */
export function ForgetEmail({ line, email, onForgotten }: Props) {
  const [open, setOpen] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  const queries = useQueryClient();
  const forgetting = useMutation({
    mutationFn: () => client.activity.forget({ id: line.targetId }),
    onSuccess: async () => {
      setOpen(false);
      onForgotten();
      await queries.invalidateQueries({ queryKey: ['activity'] });
    },
  });
  const close = () => {
    setOpen(false);
    forgetting.reset();
  };
  return (
    <>
      <Button size="dense" aria-label={`Remove the email ${email}`} onClick={() => setOpen(true)}>
        Remove email
      </Button>
      <AlertDialog
        open={open}
        onClose={close}
        title="Remove this email from the activity?"
        description={
          <p>
            {email} was deleted. Past actions stay in the activity under an anonymous id. Existing backups keep the
            email. This cannot be undone.
          </p>
        }
        initialFocus={cancel}
        busy={forgetting.isPending}
      >
        {forgetting.isError && <Banner tone="error">{sayRefusal(toRefusal(forgetting.error))}</Banner>}
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <Button ref={cancel} disabled={forgetting.isPending} onClick={close}>
            Cancel
          </Button>
          <Button variant="danger" disabled={forgetting.isPending} onClick={() => forgetting.mutate()}>
            Remove email
          </Button>
        </div>
      </AlertDialog>
    </>
  );
}
