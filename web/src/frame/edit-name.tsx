import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import { checkName } from '@kc/rules/sign-in';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../api/client.ts';
import { refusedWith, toRefusal } from '../api/refusal.ts';
import { sessionQuery } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';

type Props = { readonly name: string; readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

/** Changes the name one is shown by. */
export function EditName({ name, open, onOpenChange }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Edit name" description="How others see you here.">
      <NameForm name={name} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function NameForm({ name, onDone }: { readonly name: string; readonly onDone: () => void }) {
  const [typed, setTyped] = useState(name);
  const queries = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: async () => {
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Field
        label="Full name"
        autoComplete="name"
        maxLength={limits.maxDisplayNameLength}
        value={typed}
        error={save.isError ? sayRefusal(toRefusal(save.error)) : undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onDone}>Cancel</Button>
        <Button variant="primary" type="submit">
          {save.isPending ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
