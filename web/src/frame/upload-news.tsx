import { say, sayRefusal } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isUnderWay, useUploads } from '../api/uploads.ts';
import { useToast } from '../ui/toast.tsx';

/** Tells how an upload ended to somebody who has gone to another page meanwhile. */
export function UploadNews() {
  const transfer = useUploads((uploads) => uploads.transfer);
  const toast = useToast();
  const navigate = useNavigate();
  const router = useRouter();
  const told = useRef(transfer && !isUnderWay(transfer) ? transfer.number : 0);

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
