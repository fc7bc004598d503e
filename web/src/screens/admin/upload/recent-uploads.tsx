import { limits } from '@kc/rules/limits';
import { say, sayError } from '@kc/rules/messages';
import type { ListedAccount, Visualization } from '@kc/rules/shapes';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { discardSent } from '../../../api/send-file.ts';
import { isUnderWay, useTransfers } from '../../../api/transfers.ts';
import { Banner, BannerButton } from '../../../ui/banner.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { bytesText, contentText } from '../../../ui/number-text.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { useAdjust } from '../../adjust.ts';
import { EditDescription } from '../../edit-description.tsx';
import { inOrder, OpenUploadRow, UploadRow } from './upload-rows.tsx';
import { openUploadsOf, visualizationsOf } from './uploads-queries.ts';

type Props = {
  readonly userId: string;
  readonly email: string;
  /** Used to name the sender of each upload; `undefined` while loading. */
  readonly accounts: readonly ListedAccount[] | undefined;
};

/** The uploads of one user, newest first, below those that are running or can be resumed. */
export function RecentUploads({ userId, email, accounts }: Props) {
  const visualizations = useQuery(visualizationsOf(userId));
  const open = useQuery(openUploadsOf(userId));
  const runningId = useTransfers(({ upload }) => upload?.uploadId);
  const current = useTransfers(({ upload }) => (upload?.receiver.id === userId ? upload : undefined));
  const { activate, remove, discard } = useUploadChanges();
  const adjust = useAdjust();
  const [described, setDescribed] = useState<Visualization>();
  const [describing, setDescribing] = useState(false);
  const [toDelete, setToDelete] = useState<Visualization>();
  const [asking, setAsking] = useState(false);
  const own = visualizations.data?.filter((one) => !one.isSample);
  const others = open.data?.filter((upload) => upload.id !== runningId || upload.state === 'failed') ?? [];
  /** The upload of this browser has no row yet, and for a moment still has none after it became a visualization. */
  const isComing = current && (isUnderWay(current) || (current.state === 'active' && visualizations.isFetching));
  const isEmpty = own?.length === 0 && open.isFetched && others.length === 0;
  const failed = [visualizations, open, activate, remove].find((one) => one.isError);
  const senderOf = (id: string) => {
    const sender = accounts?.find((account) => account.id === id);
    return sender?.isYou ? 'you' : sender?.email;
  };
  const busy = activate.isPending || remove.isPending || discard.isPending || adjust.isPending;
  return (
    <section aria-labelledby="recent" className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4">
      <h3 id="recent" className="text-h2">
        Recent uploads
      </h3>
      <p className="truncate text-small text-muted" title={email}>
        for {email}
      </p>
      <div className="flex flex-col gap-2 empty:hidden [&:not(:empty)]:mt-3">
        {failed && (
          <Banner
            key={failed.failureCount}
            tone="error"
            actions={
              visualizations.isError && (
                <BannerButton onClick={() => void visualizations.refetch()}>Try Again</BannerButton>
              )
            }
          >
            {sayError(failed.error)}
          </Banner>
        )}
        {activate.isSuccess && (
          <Banner key={activate.submittedAt} tone="success" lifeMs={limits.bannerMs} onDismiss={activate.reset}>
            {say('visualization/activated', { fileName: activate.data.fileName })}
          </Banner>
        )}
        {remove.isSuccess && (
          <Banner key={remove.submittedAt} tone="success" lifeMs={limits.bannerMs} onDismiss={remove.reset}>
            {say('visualization/deleted', { fileName: remove.variables.fileName })}
          </Banner>
        )}
      </div>
      {visualizations.isPending && <Coming />}
      {isComing && isEmpty && (
        <p className="mt-2 text-body text-muted wrap-anywhere">{current.fileName} is being uploaded.</p>
      )}
      {isEmpty && !isComing && <p className="mt-2 text-body text-muted">Nothing was uploaded for this user yet.</p>}
      <ul className="mt-2 divide-y divide-line empty:hidden">
        {inOrder(others, own ?? []).map(({ id, open, finished }) =>
          finished ? (
            <UploadRow
              key={id}
              upload={finished}
              sender={senderOf(finished.uploadedBy)}
              busy={busy}
              onActivate={() => activate.mutate(finished)}
              onDescribe={() => {
                setDescribed(finished);
                setDescribing(true);
              }}
              onAdjust={() => adjust.mutate({ id: finished.id })}
              onDelete={() => {
                setToDelete(finished);
                setAsking(true);
              }}
            />
          ) : (
            open && (
              <OpenUploadRow
                key={id}
                upload={open}
                sender={senderOf(open.uploadedBy)}
                busy={busy}
                onDiscard={() => discard.mutate(id)}
              />
            )
          ),
        )}
      </ul>
      {described && <EditDescription one={described} open={describing} onClose={() => setDescribing(false)} />}
      {toDelete && (
        <ConfirmDialog
          open={asking}
          onClose={() => setAsking(false)}
          title={`Delete ${toDelete.fileName}?`}
          description={<Lost upload={toDelete} hasOthers={(own?.length ?? 0) > 1} />}
          act={remove.isPending ? 'Deleting...' : 'Delete visualization'}
          onAct={() => remove.mutate(toDelete, { onSettled: () => setAsking(false) })}
          busy={remove.isPending}
        />
      )}
    </section>
  );
}

/** What is lost with a visualization. @param hasOthers whether the user has another one */
function Lost({ upload, hasOthers }: { readonly upload: Visualization; readonly hasOthers: boolean }) {
  const { userEmail, fileSize } = upload;
  return (
    <>
      <p>
        The visualization, its original file and all that was made of it are removed permanently. This cannot be undone.
      </p>
      <p className="text-ink tabular-nums">
        {contentText(upload)} · {bytesText(fileSize)} · for {userEmail}
      </p>
      {upload.isActive && (
        <p className="text-warn">
          {hasOthers
            ? 'It is the active one. No other becomes active in its place: until one is made active, the newest is shown.'
            : `It is the active one, and the only one: nothing is left for ${userEmail} to explore.`}
        </p>
      )}
    </>
  );
}

/** Mutations of a user's uploads. Both lists are refetched afterwards, whatever the outcome. */
function useUploadChanges() {
  const queries = useQueryClient();
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['visualizations'] }),
      queries.invalidateQueries({ queryKey: ['uploads'] }),
    ]);
  const activate = useMutation({
    mutationFn: (one: Visualization) => client.visualizations.activate({ id: one.id }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (one: Visualization) => client.visualizations.remove({ id: one.id }),
    onSettled: refresh,
  });
  const discard = useMutation({ mutationFn: (id: string) => discardSent(id), onSettled: refresh });
  return { activate, remove, discard };
}

/** Placeholders the size of two rows, so that nothing moves when the data arrives. */
function Coming() {
  return (
    <div className="mt-4 flex flex-col gap-4" aria-busy="true">
      <p role="status" className="sr-only">
        Loading
      </p>
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-12 w-full" />
    </div>
  );
}
