import type { OpenUpload } from '@kc/rules/shapes';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../../../api/client.ts';
import { type FileTransfer, isUnderWay } from '../../../api/transfers.ts';

/** The visualizations of one account. */
export const visualizationsOf = (userId: string) =>
  queryOptions({
    queryKey: ['visualizations', userId],
    queryFn: ({ signal }) => client.visualizations.list({ userId }, { signal }),
  });

const movingMs = 3_000;

/** Uploads for one account that are not visualizations (yet); polled while any of them makes progress. */
export const openUploadsOf = (userId: string) =>
  queryOptions({
    queryKey: ['uploads', userId],
    queryFn: ({ signal }) => client.uploads.list({ id: userId }, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? movingMs : false),
  });

/** Uploads that this administrator can resume; polled while a dropped connection is still open on the server. */
export const unfinishedUploads = queryOptions({
  queryKey: ['uploads', 'unfinished'],
  queryFn: ({ signal }) => client.uploads.unfinished(undefined, { signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isMoving) ? movingMs : false),
});

const isMoving = ({ state, isSending }: OpenUpload): boolean =>
  state !== 'failed' && (isSending || state !== 'receiving');

/** Invalidates the lists when an upload of this browser ends, and again when its bytes have been deleted. */
export function useFreshListsAfterUpload(transfer: FileTransfer | undefined): void {
  const queries = useQueryClient();
  const news = transfer && !isUnderWay(transfer) ? `${transfer.number} ${transfer.isDiscarded ?? false}` : '';
  useEffect(() => {
    if (news === '') return;
    void queries.invalidateQueries({ queryKey: ['visualizations'] });
    void queries.invalidateQueries({ queryKey: ['uploads'] });
  }, [news, queries]);
}
