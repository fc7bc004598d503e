import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import type { Visualization } from '@kc/rules/shapes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../api/client.ts';
import { toRefusal } from '../api/refusal.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';

type Props = { readonly one: Visualization; readonly open: boolean; readonly onClose: () => void };

/** Changes what is said of a visualization beside its name. */
export function EditDescription({ one, open, onClose }: Props) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={`Description of ${one.fileName}`}>
      <DescriptionForm key={one.id} one={one} onDone={onClose} />
    </Dialog>
  );
}

function DescriptionForm({ one, onDone }: { readonly one: Visualization; readonly onDone: () => void }) {
  const [typed, setTyped] = useState(one.description);
  const queries = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => client.visualizations.describe({ id: one.id, description: typed }),
    onSuccess: ({ fileName }) => {
      toast(say('visualization/described', { fileName }));
      onDone();
      return queries.invalidateQueries({ queryKey: ['visualizations'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Field
        label="Description"
        hint="Empty for none."
        autoComplete="off"
        maxLength={limits.maxDescriptionLength}
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
