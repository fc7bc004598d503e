import { say, sayError, sayRefusal } from '@kc/rules/all-messages';
import { canStart, canStop } from '@kc/rules/draft';
import type { Draft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { callsAbout } from '../../../api/calls-about.ts';
import { client } from '../../../api/client.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { dateText } from '../../../ui/number-text.ts';
import { ProgressBar, Skeleton } from '../../../ui/progress.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { DraftContext } from './draft-context.ts';
import { createDraftEditor, type DraftEditor } from './draft-editor.ts';
import { OpenDraft } from './open-draft.tsx';

type Props = { readonly id: string };

/** A draft: in the explorer once it is ready; before, what it waits for. Once it is published, its map opens. */
export function DraftScreen({ id }: Props) {
  const found = useQuery({
    queryKey: ['drafts', id],
    queryFn: ({ signal }) => client.drafts.get({ id }, { signal }),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? limits.draftPollMs : false),
  });
  const draft = found.data;
  useOpenPublished(draft);
  if (draft && (draft.state === 'ready' || draft.state === 'publishing') && draft.revision) {
    return <Editing key={id} draft={draft} />;
  }
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 p-6">
      <h1 tabIndex={-1} className="m-0 text-h1">
        {draft ? `Draft: ${draft.name}` : 'Draft'}
      </h1>
      {found.isError ? (
        <Banner tone="error" actions={<Button onClick={() => void found.refetch()}>Try again</Button>}>
          {sayError(found.error)}
        </Banner>
      ) : draft ? (
        <Unready draft={draft} />
      ) : (
        <Skeleton className="h-40" />
      )}
    </div>
  );
}

/** Whether the state of a draft changes by itself. */
const isMoving = ({ state }: Draft): boolean =>
  state === 'receiving' || state === 'queued' || state === 'working' || state === 'publishing';

/** Opens the map that a draft has become. */
function useOpenPublished(draft: Draft | undefined): void {
  const { history } = useRouter();
  const queries = useQueryClient();
  const toast = useToast();
  const { state, visualizationId, ownerEmail } = draft ?? {};
  const [wasOpen, setWasOpen] = useState(false);
  if (draft && state !== 'published' && !wasOpen) setWasOpen(true);
  useEffect(() => {
    if (state !== 'published' || visualizationId === undefined) return;
    if (wasOpen && ownerEmail !== undefined) toast(say('upload/succeeded', { email: ownerEmail }));
    void queries.invalidateQueries({ queryKey: ['visualizations'] });
    history.replace(`${paths.visualization}?v=${encodeURIComponent(visualizationId)}`);
  }, [state, visualizationId, ownerEmail, wasOpen, history, queries, toast]);
}

/** Keeps the editor of the draft while the page is open, and passes on its current state. */
function Editing({ draft }: { readonly draft: Draft }) {
  const editor = useEditor(draft);
  useEffect(() => editor?.receive(draft), [editor, draft]);
  if (!editor) return null;
  const title = (
    <h1 tabIndex={-1} className="sr-only">
      {`Draft: ${draft.name}`}
    </h1>
  );
  return (
    <DraftContext value={editor}>
      <OpenDraft title={title} />
    </DraftContext>
  );
}

function useEditor(draft: Draft): DraftEditor | undefined {
  const { id } = draft;
  const queries = useQueryClient();
  const [editor, setEditor] = useState<DraftEditor>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it starts with the draft as it is then
  useEffect(() => {
    const queryKey = ['drafts', id];
    const calls = callsAbout(client.drafts, id);
    const get = () => queries.fetchQuery({ queryKey, queryFn: () => calls.get({}), staleTime: 0 });
    // A page that is opened again starts from the newest response.
    const created = createDraftEditor({ ...calls, get }, draft, (edited) => queries.setQueryData(queryKey, edited));
    setEditor(created);
    addEventListener('online', created.retryNow);
    return () => {
      removeEventListener('online', created.retryNow);
      created.close();
    };
  }, [id, queries]);
  return editor;
}

const stageTexts = {
  read: 'Rows read',
  variants: 'Repeats and variants merged',
  meaning: 'Meaning',
  neighbours: 'Neighbours',
  clusters: 'Clusters and pillar topics',
  names: 'Names',
  write: 'Writing the map',
} as const;

/** What a draft waits for that cannot be shown. */
function Unready({ draft }: { readonly draft: Draft }) {
  const queries = useQueryClient();
  const { history } = useRouter();
  const toast = useToast();
  const { id, state, percent, stage, refusal } = draft;
  const change = useMutation({
    mutationFn: (what: 'stop' | 'start') => client.drafts[what]({ id }),
    onSuccess: (changed) => queries.setQueryData(['drafts', id], changed),
  });
  const discard = useMutation({
    mutationFn: () => client.drafts.remove({ id }),
    onSuccess: () => {
      toast(say('draft/discarded', { name: draft.name }));
      history.push(paths.visualization);
    },
  });
  const failure = change.error ?? discard.error;
  const title = state === 'receiving' ? 'Uploading...' : 'Processing...';
  return (
    <section
      aria-label="Progress"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-6 shadow-1"
    >
      {isMoving(draft) && (
        <>
          <div className="flex items-baseline justify-between gap-3">
            <h2 className="m-0 text-h2">{title}</h2>
            <span className="text-h2 text-brand-ink">{percent}%</span>
          </div>
          <ProgressBar label={title} percent={percent} />
          {stage && <p className="m-0 text-body text-muted">{stageTexts[stage]}</p>}
        </>
      )}
      {state === 'stopped' && (
        <Banner tone="warning">{say('draft/stopped', { until: dateText(draft.expiresAt) })}</Banner>
      )}
      {refusal && <Banner tone="error">{sayRefusal(refusal)}</Banner>}
      {failure && <Banner tone="error">{sayError(failure)}</Banner>}
      <div className="flex flex-wrap gap-3">
        {canStart(state) && (
          <Button variant="primary" disabled={change.isPending} onClick={() => change.mutate('start')}>
            Start again
          </Button>
        )}
        {canStop(state) && (
          <Button disabled={change.isPending} onClick={() => change.mutate('stop')}>
            Cancel
          </Button>
        )}
        {canStart(state) && (
          <Button variant="danger" disabled={discard.isPending} onClick={() => discard.mutate()}>
            Discard
          </Button>
        )}
      </div>
    </section>
  );
}
