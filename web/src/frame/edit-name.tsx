import { limits } from '@kc/rules/limits';
import { say, sayError } from '@kc/rules/messages';
import { refusedWith } from '@kc/rules/result';
import { checkName } from '@kc/rules/sign-in';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { sessionQuery } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { OneFieldForm } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';

type Props = { readonly name: string; readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

/** A dialog to change one's display name. */
export function EditName({ name, open, onOpenChange }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Edit name" description="How others see you here.">
      <NameForm name={name} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function NameForm({ name, onDone }: { readonly name: string; readonly onDone: () => void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: async (typed: string) => {
      const checked = checkName(typed);
      if (!checked.ok) throw refusedWith(checked.refusal);
      return client.session.setName({ displayName: checked.value });
    },
    onSuccess: (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      toast(say('name/changed'));
      onDone();
    },
  });
  return (
    <OneFieldForm
      label="Full name"
      autoComplete="name"
      maxLength={limits.maxDisplayNameLength}
      initial={name}
      isSaving={save.isPending}
      error={save.isError ? sayError(save.error) : undefined}
      onSave={save.mutate}
      onCancel={onDone}
    />
  );
}
