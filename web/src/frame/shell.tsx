import { limits } from '@kc/rules/limits';
import { say, sayError, sayRefusal } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { isUnderWay, leaveImport, leaveUpload, resumeLists, resumeUpload, useTransfers } from '../api/transfers.ts';
import { useSignOutFailure } from '../session/change-session.ts';
import { sessionQuery } from '../session/session.ts';
import { OverlayRegion } from '../ui/popup.tsx';
import { ToastProvider, useToast } from '../ui/toast.tsx';
import { Header } from './header.tsx';
import { SettingsFollower } from './settings-follower.tsx';

/** The header and the page below it. */
export function Shell() {
  return (
    <OverlayRegion>
      <ToastProvider lifeMs={limits.bannerMs}>
        <UploadNotice />
        <SignOutNotice />
        <SettingsFollower />
        <div className="flex min-h-dvh flex-col">
          <a
            href="#content"
            className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-brand px-4 py-2 font-medium text-on-brand focus:translate-y-0 presenting:hidden"
          >
            Skip to content
          </a>
          <Header />
          <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
            <Outlet />
          </main>
        </div>
      </ToastProvider>
    </OverlayRegion>
  );
}

/**
 * Reports the result of an upload to a user who has navigated away, and resumes an upload that waited for its sender to
 * sign in again.
 */
function UploadNotice() {
  const transfer = useTransfers(({ upload }) => upload);
  const toast = useToast();
  const navigate = useNavigate();
  const router = useRouter();
  const reported = useRef(transfer && !isUnderWay(transfer) ? transfer.number : 0);

  useReturnOfSender(toast);

  useEffect(() => {
    if (!transfer || isUnderWay(transfer) || reported.current === transfer.number) return;
    reported.current = transfer.number;
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
 * What is sent belongs to the user who started it and is not shown to anybody else who signs in here. If the server
 * refused it because the session had ended, it resumes once a session requested since then belongs to its sender.
 */
function useReturnOfSender(notify: (text: string) => void): void {
  const { upload, draft, lists } = useTransfers();
  const running = upload && isUnderWay(upload) ? upload : undefined;
  useReturn(running?.senderId, running?.standstill === 'signed-out', leaveUpload, () => {
    resumeUpload();
    notify(say('upload/goes-on', { fileName: running?.fileName ?? '' }));
  });
  useReturn(draft?.begunBy, lists?.standstill === 'signed-out', leaveImport, resumeLists);
}

/** @param senderId undefined if nothing is sent */
function useReturn(senderId: string | undefined, isWaiting: boolean, onOther: () => void, onReturn: () => void): void {
  const { data, dataUpdatedAt } = useQuery({ ...sessionQuery, enabled: false });
  const me = data?.account?.id;
  const updatedAt = useRef<number>(undefined);
  const leave = useEffectEvent(onOther);
  const resume = useEffectEvent(onReturn);
  useEffect(() => {
    if (senderId === undefined) return;
    if (me && me !== senderId) return leave();
    const isNew = updatedAt.current !== dataUpdatedAt;
    if (isWaiting && !me) return;
    updatedAt.current = dataUpdatedAt;
    if (isWaiting && isNew) resume();
  }, [me, dataUpdatedAt, senderId, isWaiting]);
}

/** Says why a sign-out failed, on whichever page it was attempted. */
function SignOutNotice() {
  const failure = useSignOutFailure();
  const toast = useToast();
  const reported = useRef(failure?.at);
  useEffect(() => {
    if (!failure || reported.current === failure.at) return;
    reported.current = failure.at;
    toast(sayError(failure.error));
  }, [failure, toast]);
  return null;
}
