import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import type { Visualization } from '@kc/rules/shapes';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../../api/client.ts';
import { toRefusal } from '../../../api/refusal.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { bytesText, countText, dateText } from '../../../ui/quantity.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';

/** The visualizations of one account. */
export const uploadsOf = (userId: string) =>
  queryOptions({
    queryKey: ['visualizations', userId],
    queryFn: ({ signal }) => client.visualizations.list({ userId }, { signal }),
  });

export function RecentUploads({ userId }: { readonly userId: string }) {
  const uploads = useQuery(uploadsOf(userId));
  const queries = useQueryClient();
  const activate = useMutation({
    mutationFn: (one: Visualization) => client.visualizations.activate({ id: one.id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['visualizations'] }),
  });
  const own = uploads.data?.filter((one) => !one.isSample);
  return (
    <section aria-labelledby="recent" className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4">
      <h3 id="recent" className="text-h2">
        Recent uploads
      </h3>
      <div className="empty:hidden [&:not(:empty)]:mt-3">
        {(uploads.isError || activate.isError) && (
          <Banner tone="error">{sayRefusal(toRefusal(uploads.error ?? activate.error))}</Banner>
        )}
        {activate.isSuccess && (
          <Banner key={activate.submittedAt} tone="success" lifeMs={limits.bannerMs} onDismiss={() => activate.reset()}>
            {say('visualization/activated', { fileName: activate.data.fileName })}
          </Banner>
        )}
      </div>
      {uploads.isPending && <Skeleton className="mt-4 h-12 w-full" />}
      {own?.length === 0 && <p className="mt-2 text-body text-muted">Nothing was uploaded for this user yet.</p>}
      <ul className="mt-2 divide-y divide-line">
        {own?.map((one) => (
          <UploadRow key={one.id} upload={one} busy={activate.isPending} onActivate={() => activate.mutate(one)} />
        ))}
      </ul>
    </section>
  );
}

type RowProps = { readonly upload: Visualization; readonly busy: boolean; readonly onActivate: () => void };

function UploadRow({ upload, busy, onActivate }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium text-body" title={upload.fileName}>
            {upload.fileName}
          </span>
          {upload.isActive && (
            <Badge tone="ok" dot>
              Active
            </Badge>
          )}
        </p>
        <p className="text-small text-muted">
          {bytesText(upload.fileSize)} · {countText(upload.keywords)} keywords · {dateText(upload.uploadDate)}
        </p>
      </div>
      {!upload.isActive && (
        <Button size="dense" disabled={busy} onClick={onActivate}>
          Make active
          <span className="sr-only">: {upload.fileName}</span>
        </Button>
      )}
      <Link to={paths.visualization} search={{ v: upload.id }} className={buttonClass('ghost', 'dense')}>
        View
        <span className="sr-only"> {upload.fileName}</span>
      </Link>
    </li>
  );
}
