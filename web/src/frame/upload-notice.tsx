import { say, sayRefusal } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isUnderWay, leaveUpload, resumeUpload, useUploads } from '../api/uploads.ts';
import { sessionQuery } from '../session/session.ts';
import { useToast } from '../ui/toast.tsx';

/**
 * Tells how an upload ended to somebody who has gone to another page meanwhile, and goes on with one that waited for its
 * sender to sign in again.
 */
export function UploadNotice() {
  const transfer = useUploads((uploads) => uploads.transfer);
  const toast = useToast();
  const navigate = useNavigate();
  const router = useRouter();
  const told = useRef(transfer && !isUnderWay(transfer) ? transfer.number : 0);

  useReturnOfSender(toast);

  useEffect(() => {
    if (!transfer || isUnderWay(transfer) || told.current === transfer.number) return;
    told.current = transfer.number;
    if (router.state.location.pathname.startsWith(paths.admin)) return;
    const { visualizationId, refusal, receiver } = transfer;
    if (refusal) return toast(sayRefusal(refusal));
    const view = {
      label: 'View',
      onAction: () => void navigate({ to: paths.visualization, search: { v: visualizationId } }),
    };
    toast(say('upload/succeeded', { email: receiver.email }), visualizationId ? view : undefined);
  }, [transfer, toast, navigate, router]);
  return null;
}

/**
 * An upload belongs to who began it: to anybody else who signs in here it is not shown. One that the server refused for
 * want of a session goes on once a session that was asked for since then is its sender's.
 */
function useReturnOfSender(tell: (text: string) => void): void {
  const { data, dataUpdatedAt } = useQuery({ ...sessionQuery, enabled: false });
  const me = data?.account?.id;
  const transfer = useUploads((uploads) => uploads.transfer);
  const knownAt = useRef<number>(undefined);
  useEffect(() => {
    if (!transfer || !isUnderWay(transfer)) return;
    if (me && me !== transfer.senderId) return leaveUpload();
    if (transfer.standstill !== 'signed-out') knownAt.current = dataUpdatedAt;
    else if (me && knownAt.current !== dataUpdatedAt) {
      knownAt.current = dataUpdatedAt;
      resumeUpload();
      tell(say('upload/goes-on', { fileName: transfer.fileName }));
    }
  }, [me, dataUpdatedAt, transfer, tell]);
}
