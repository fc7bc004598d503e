import { limits } from '@kc/rules/limits';
import { say, sayError } from '@kc/rules/messages';
import type { Visualization } from '@kc/rules/shapes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { OneFieldForm } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';

type Props = { readonly one: Visualization; readonly open: boolean; readonly onClose: () => void };

/** A dialog to change the description of a visualization. */
export function EditDescription({ one, open, onClose }: Props) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={`Description of ${one.fileName}`}>
      <DescriptionForm key={one.id} one={one} onDone={onClose} />
    </Dialog>
  );
}

function DescriptionForm({ one, onDone }: { readonly one: Visualization; readonly onDone: () => void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: (description: string) => client.visualizations.describe({ id: one.id, description }),
    onSuccess: ({ fileName }) => {
      toast(say('visualization/described', { fileName }));
      onDone();
      return queries.invalidateQueries({ queryKey: ['visualizations'] });
    },
  });
  return (
    <OneFieldForm
      label="Description"
      hint="Empty for none."
      autoComplete="off"
      maxLength={limits.maxDescriptionLength}
      initial={one.description}
      isSaving={save.isPending}
      error={save.isError ? sayError(save.error) : undefined}
      onSave={save.mutate}
      onCancel={onDone}
    />
  );
}
