import { sayRefusal } from '@kc/rules/all-messages';
import { canStart, canStop } from '@kc/rules/draft';
import type { Draft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';
import { type Refusal, toRefusal } from '@kc/rules/result';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { followDraft, useTransfers } from '../../api/transfers.ts';
import { useMe } from '../../session/session.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { agoText, bytesText } from '../../ui/number-text.ts';
import { countsText, stateNames } from './draft-words.ts';
import { chosenEndings } from './import-files.ts';
import { discardDraft, restartDraft, resumeImport } from './send-import.ts';

const tones: Readonly<Record<Draft['state'], Tone>> = {
  receiving: 'warn',
  queued: 'info',
  working: 'info',
  ready: 'ok',
  stopped: 'warn',
  failed: 'bad',
  publishing: 'info',
  published: 'neutral',
};

const movingMs = 3_000;
const isMoving = ({ state }: Draft): boolean => state === 'queued' || state === 'working';

/** The drafts of one account; polled while any of them makes progress. */
const draftsOf = (userId: string) =>
  queryOptions({
    queryKey: ['drafts', userId],
    queryFn: ({ signal }) => client.drafts.list({ userId }, { signal }),
    staleTime: limits.draftPollMs,
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? movingMs : false),
  });

/** The drafts of one account that are not published, and what can be done with each. */
export function DraftsList({ userId }: { readonly userId: string }) {
  const drafts = useQuery(draftsOf(userId));
  const queries = useQueryClient();
  const me = useMe()?.account?.id;
  const [refusal, setRefusal] = useState<Refusal>();
  const followed = useTransfers(({ draft }) => draft);
  const open = drafts.data?.filter(({ state }) => state !== 'published') ?? [];
  useFollowed(open, me);
  // The list knows less of a draft that this page follows.
  useEffect(() => {
    if (followed?.state !== undefined) void queries.invalidateQueries({ queryKey: ['drafts'] });
  }, [followed?.state, queries]);
  const run = async (action: () => Promise<Refusal | undefined>) => {
    setRefusal(await action());
    void queries.invalidateQueries({ queryKey: ['drafts'] });
  };
  const why = refusal ?? (drafts.isError ? toRefusal(drafts.error) : undefined);
  if (open.length === 0 && !why) return null;
  return (
    <section
      aria-labelledby="drafts"
      className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4 max-sm:p-4"
    >
      <h3 id="drafts" className="text-h2">
        Drafts ({open.length})
      </h3>
      {why && (
        <div className="mt-3">
          <Banner tone="error">{sayRefusal(why)}</Banner>
        </div>
      )}
      <ul className="mt-1 divide-y divide-line">
        {open.map((draft) => (
          <DraftRow
            key={draft.id}
            draft={draft}
            isYours={draft.begunBy === me}
            onRun={(action) => void run(action)}
            onRefused={setRefusal}
          />
        ))}
      </ul>
    </section>
  );
}

/** After a reload, the newest draft that is being clustered for this user is followed again. */
function useFollowed(drafts: readonly Draft[], me: string | undefined): void {
  const running = drafts.find(({ state, begunBy }) => canStop(state) && begunBy === me);
  useEffect(() => {
    const { draft } = useTransfers.getState();
    if (running && !draft) void followDraft(running.id, running);
  }, [running]);
}

type RowProps = {
  readonly draft: Draft;
  readonly isYours: boolean;
  readonly onRun: (action: () => Promise<Refusal | undefined>) => void;
  readonly onRefused: (refusal: Refusal | undefined) => void;
};

function DraftRow({ draft, isYours, onRun, onRefused }: RowProps) {
  const isSending = useTransfers((now) => now.lists !== undefined && now.draft?.id === draft.id);
  const { name, state, refusal, files } = draft;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const received = files.reduce((sum, file) => sum + file.received, 0);
  return (
    <li className="flex flex-wrap items-center justify-end gap-x-2 gap-y-2 py-3 last:pb-0">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium text-body" title={name}>
            {name}
          </span>
          <Badge tone={isSending ? 'info' : tones[state]} dot>
            {isSending ? 'Sending' : stateNames[state]}
            {state === 'working' && ` ${Math.round(draft.percent)}%`}
          </Badge>
        </p>
        <p className="text-muted text-small wrap-anywhere">
          {state === 'receiving'
            ? `${bytesText(received)} of ${bytesText(total)} sent`
            : countsText(draft) || files.map((file) => file.name).join(', ')}
        </p>
        <p className="text-muted text-small">changed {agoText(Date.now() - draft.touchedAt)}</p>
        {refusal && <p className="text-bad text-small wrap-anywhere">{sayRefusal(refusal)}</p>}
        {draft.handsOff && state === 'ready' && <Open questions={draft.handsOff.open} />}
        {state === 'receiving' && !isSending && isYours && (
          <p className="text-ink text-small">Choose the same files again to go on where it stopped.</p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-1">
        {draft.revision && (
          <a
            href={`${paths.visualization}?draft=${draft.id}`}
            className={buttonClass(state === 'ready' ? 'primary' : 'ghost', 'dense')}
          >
            Open<span className="sr-only"> draft {name}</span>
          </a>
        )}
        {state === 'receiving' && !isSending && isYours && <ResumeButton draft={draft} onRefused={onRefused} />}
        {canStart(state) && (
          <Button size="dense" onClick={() => onRun(() => restartDraft(draft))}>
            Start again<span className="sr-only">: {name}</span>
          </Button>
        )}
        {!canStop(state) && state !== 'publishing' && !isSending && (
          <Button size="dense" variant="danger-ghost" onClick={() => onRun(() => discardDraft(draft))}>
            Discard<span className="sr-only"> draft {name}</span>
          </Button>
        )}
      </div>
    </li>
  );
}

/** Why a list that a program sent is not published automatically. */
function Open({ questions }: { readonly questions: readonly Refusal[] }) {
  if (questions.length === 0) return <p className="text-muted text-small">A program sent this list.</p>;
  return (
    <>
      <p className="text-ink text-small">A program sent this list. Before it is published, somebody has to look:</p>
      <ul className="list-disc pl-5 text-small">
        {questions.map((question) => (
          <li key={question.code} className="wrap-anywhere">
            {sayRefusal(question)}
          </li>
        ))}
      </ul>
    </>
  );
}

type ResumeProps = Pick<RowProps, 'draft' | 'onRefused'>;

function ResumeButton({ draft, onRefused }: ResumeProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = (files: readonly File[]) => {
    const isSame = resumeImport(draft, files);
    const names = draft.files.map(({ name }) => name).join(', ');
    onRefused(isSame ? undefined : { code: 'list/other-file', params: { names } });
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={`The files of ${draft.name}`}
        accept={chosenEndings.join(',')}
        onChange={({ target }) => {
          take([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <Button size="dense" onClick={() => input.current?.click()}>
        Resume<span className="sr-only"> draft {draft.name}</span>
      </Button>
    </>
  );
}
