import { paths } from '@kc/rules/paths';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { putAway, useTransfers } from '../../api/transfers.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ImportProgress } from './import-progress.tsx';
import type { Update } from './make-select.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { startImport } from './send-import.ts';
import type { ImportForm } from './use-import-form.ts';

type Props = {
  readonly form: ImportForm;
  /** Whose map it becomes; absent while nobody is selected. */
  readonly userId: string | undefined;
  readonly description: string;
  readonly onSent: () => void;
};

/** The preview of chosen lists, until they are sent or put away. */
export function ImportPreview({ form, userId, description, onSent }: Props) {
  const queries = useQueryClient();
  const updates = useUpdates(userId);
  const [asking, setAsking] = useState(false);
  const cancel = (hasCorrections: boolean) => (hasCorrections ? setAsking(true) : form.clear());
  return (
    <>
      {form.lists.length > 0 && (
        <PreviewPanel
          form={form}
          updates={updates}
          onCancel={cancel}
          onSend={async (request) => {
            if (userId === undefined) return { code: 'upload/no-user' };
            const refusal = await startImport({ ...request, userId, description });
            if (refusal) return refusal;
            form.clear();
            onSent();
            void queries.invalidateQueries({ queryKey: ['drafts'] });
            return undefined;
          }}
        />
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Cancel this import?"
        description={<p>What you corrected in the reading of these files is lost. The files have not been sent.</p>}
        keep="Keep going"
        act="Cancel import"
        onAct={() => {
          setAsking(false);
          form.clear();
        }}
      />
    </>
  );
}

/** The visualizations of a user, which a list can be next month's export of. */
function useUpdates(userId: string | undefined): readonly Update[] {
  const { data } = useQuery({
    queryKey: ['visualizations', userId],
    queryFn: ({ signal }) => client.visualizations.list(userId === undefined ? {} : { userId }, { signal }),
    enabled: userId !== undefined,
  });
  return (data ?? [])
    .filter(({ isSample }) => !isSample)
    .map(({ id, fileName }) => ({ id, name: fileName.replace(/\.json$/i, '') }));
}

/** The progress of the lists that were sent. Opens the draft once it is ready. */
export function ImportUnderWay() {
  const draft = useTransfers(({ draft }) => draft);
  const queries = useQueryClient();
  useOpenWhenReady();
  if (!draft || draft.state === 'ready') return null;
  const onChange = () => void queries.invalidateQueries({ queryKey: ['drafts'] });
  return <ImportProgress key={draft.id} draft={draft} onChange={onChange} />;
}

/** Opens the draft by itself, if it becomes ready while its progress is looked at. */
function useOpenWhenReady(): void {
  const { history } = useRouter();
  const draft = useTransfers(({ draft }) => draft);
  const wasRunning = useRef(false);
  useEffect(() => {
    if (!draft) return;
    if (draft.state !== 'ready') {
      wasRunning.current = true;
      return;
    }
    if (!wasRunning.current) return;
    putAway();
    history.push(`${paths.visualization}?draft=${draft.id}`);
  }, [draft, history]);
}
