import { say, sayRefusal } from '@kc/rules/all-messages';
import { canStart, canStop } from '@kc/rules/draft';
import type { Draft } from '@kc/rules/draft-shapes';
import { paths } from '@kc/rules/paths';
import type { Refusal } from '@kc/rules/result';
import { progressTexts } from '@kc/rules/upload';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Check, ChevronRight, Dot, FileSpreadsheet } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { draftPercentOf, putAway, resumeLists, type Transfer, useTransfers } from '../../api/transfers.ts';
import { sessionQuery } from '../../session/session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { bytesText, dateText } from '../../ui/number-text.ts';
import { ProgressBar } from '../../ui/progress.tsx';
import { type StageRow, stageRows, waitText } from './draft-words.ts';
import type { Update } from './make-select.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { cancelImport, discardDraft, restartDraft, startImport } from './send-import.ts';
import type { ImportForm } from './use-import-form.ts';

type Props = {
  readonly form: ImportForm;
  /** Who will own the map; absent while nobody is selected. */
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

/** Opens the draft by itself, if it becomes ready while its progress is on screen. */
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

type ProgressProps = { readonly draft: Draft; readonly onChange: () => void };

/** The draft that this browser follows: its stages, and what can be done while it is not ready. */
function ImportProgress({ draft, onChange }: ProgressProps) {
  const { lists, listsRefusal } = useTransfers();
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // What was pressed is gone, and so is what it stood below.
    if (document.activeElement === document.body) heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const run = async (action: () => Promise<Refusal | undefined>) => {
    setBusy(true);
    setRefusal(await action());
    setBusy(false);
    onChange();
  };
  const hasEnded = canStart(draft.state) || listsRefusal !== undefined;
  const percent = draftPercentOf(draft, lists);
  const title = hasEnded ? endTitle(draft) : progressTexts(percent).title;
  const why = listsRefusal ?? draft.refusal;
  return (
    <section
      aria-labelledby="import-progress"
      className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4 max-sm:p-4"
    >
      <div className="flex items-start gap-3">
        <FileSpreadsheet size={24} strokeWidth={1.5} className="mt-0.5 shrink-0 text-brand" />
        <h3
          id="import-progress"
          ref={heading}
          tabIndex={-1}
          className="scroll-mt-24 min-w-0 flex-1 text-h2 outline-none"
        >
          {title}
        </h3>
        {!hasEnded && <span className="font-semibold text-brand-ink text-h2 tabular-nums">{percent}%</span>}
      </div>
      {hasEnded ? (
        <div className="mt-3 flex flex-col gap-2">
          {why && <Banner tone="error">{sayRefusal(why)}</Banner>}
          {draft.state === 'stopped' && (
            <p className="text-body">{say('draft/stopped', { until: dateText(draft.expiresAt) })}</p>
          )}
        </div>
      ) : (
        <>
          <div className="mt-4">
            <ProgressBar label={title} percent={percent} isHeld={lists?.standstill !== undefined} />
          </div>
          <Stages rows={stageRows(draft, lists && Math.round(lists.share * lists.totalBytes))} />
          {lists?.chunkLimit !== undefined && (
            <p className="mt-3 text-muted text-small">
              {say('upload/parts-limited', { size: bytesText(lists.chunkLimit) })}
            </p>
          )}
          {lists?.standstill && <Standstill standstill={lists.standstill} />}
        </>
      )}
      {refusal && (
        <div className="mt-3">
          <Banner tone="error">{sayRefusal(refusal)}</Banner>
        </div>
      )}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-48 text-muted text-small wrap-anywhere">
          <span className="font-medium text-ink">{draft.name}</span> for {draft.ownerEmail}
          {!hasEnded && waitText(draft) !== '' && ` · ${waitText(draft)}`}
        </p>
        <div className="flex flex-wrap gap-2">
          {canStart(draft.state) && (
            <Button variant="primary" disabled={busy} onClick={() => void run(() => restartDraft(draft))}>
              Start again
            </Button>
          )}
          {hasEnded && (
            <Button variant="danger-ghost" disabled={busy} onClick={() => void run(() => discardDraft(draft))}>
              Discard
            </Button>
          )}
          {hasEnded && (
            <Button variant="ghost" onClick={putAway}>
              Not now
            </Button>
          )}
          {!hasEnded && (lists || canStop(draft.state)) && (
            <Button disabled={busy} onClick={() => void run(() => cancelImport(draft))}>
              Cancel
            </Button>
          )}
        </div>
      </div>
      <p role="status" className="sr-only">
        {hasEnded ? title : `${title} ${Math.floor(percent / 10) * 10}%`}
      </p>
    </section>
  );
}

function endTitle({ state }: Draft): string {
  if (state === 'stopped') return 'Clustering stopped';
  return state === 'failed' ? 'Clustering failed' : 'The lists were not sent';
}

const marks = {
  done: <Check size={16} strokeWidth={2.25} className="text-ok" />,
  current: <ChevronRight size={16} strokeWidth={2.25} className="text-brand" />,
  coming: <Dot size={16} strokeWidth={2.25} className="text-muted" />,
};
const states = { done: 'done', current: 'in progress', coming: 'to come' };

function Stages({ rows }: { readonly rows: readonly StageRow[] }) {
  return (
    <ol className="mt-4 flex flex-col gap-1 text-small">
      {rows.map(({ name, is, detail }) => (
        <li
          key={name}
          aria-current={is === 'current' ? 'step' : undefined}
          className={classNames(
            'grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-center gap-2',
            is === 'coming' ? 'text-muted' : 'text-ink',
            is === 'current' ? 'font-medium' : undefined,
          )}
        >
          {marks[is]}
          <span>
            {name}
            <span className="sr-only">, {states[is]}</span>
          </span>
          <span className="text-muted tabular-nums">{detail}</span>
        </li>
      ))}
    </ol>
  );
}

function Standstill({ standstill }: { readonly standstill: NonNullable<Transfer['standstill']> }) {
  const queries = useQueryClient();
  if (standstill === 'lost') return <p className="mt-3 text-small text-warn">{say('upload/connection-lost')}</p>;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3 text-small text-warn">
      <p>{say('upload/signed-out')}. Sign in again to resume it.</p>
      <Button size="dense" onClick={() => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })}>
        Sign in
      </Button>
      <Button size="dense" onClick={resumeLists}>
        Resume
      </Button>
    </div>
  );
}
