import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { progressTexts } from '@kc/rules/upload';
import { useQueryClient } from '@tanstack/react-query';
import { FileJson, Pause, Play, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { tinykeys } from 'tinykeys';
import {
  cancelUpload,
  type FileTransfer,
  isUnderWay,
  pauseUpload,
  percentOf,
  resumeUpload,
} from '../../../api/transfers.ts';
import { sessionQuery } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { isForOthers } from '../../../ui/keys.ts';
import { bytesText } from '../../../ui/number-text.ts';
import { ProgressBar } from '../../../ui/progress.tsx';
import { useNow } from '../../../ui/timers.ts';
import { announcementOf, standstillText, transferText } from './progress-text.ts';

/** A running upload: its progress, and buttons to pause, resume and cancel it. */
export function ProgressCard({ transfer }: { readonly transfer: FileTransfer }) {
  const [asking, setAsking] = useState(false);
  const heading = useFocusOnArrival();
  const percent = percentOf(transfer);
  const { title, text } = progressTexts(percent);
  const { standstill } = transfer;
  const isSending = transfer.state === 'receiving';
  const nowMs = useNow(1_000, pageClock, isSending && !standstill);
  const isPaused = standstill === 'paused';
  const toggle = isPaused ? resumeUpload : pauseUpload;
  const canToggle = isSending && standstill !== 'signed-out';
  const pressP = useEffectEvent(() => canToggle && toggle());
  const pressX = useEffectEvent(() => isSending && setAsking(true));
  useEffect(() => tinykeys(window, { p: () => pressP(), x: () => pressX() }, { ignore: isForOthers }), []);
  return (
    <section aria-labelledby="progress" className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4">
      <div className="flex items-start gap-3">
        <FileJson size={24} strokeWidth={1.5} className="mt-0.5 shrink-0 text-brand" />
        <div className="min-w-0 flex-1">
          <div className="flex items-baseline justify-between gap-3">
            <h3 id="progress" ref={heading} tabIndex={-1} className="text-h2 outline-none">
              {title}
            </h3>
            <span className="font-semibold text-h2 text-brand-ink">{percent}%</span>
          </div>
          <p className="text-body text-muted">{text}</p>
        </div>
      </div>
      <div className="mt-4">
        <ProgressBar label={title} percent={percent} isHeld={standstill !== undefined} />
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-1 basis-60 text-small text-muted">
          <p className="truncate font-medium text-ink" title={transfer.fileName}>
            {transfer.fileName} for {transfer.receiver.email}
          </p>
          <p>{transferText(transfer, nowMs)}</p>
        </div>
        {(isSending || standstill === 'signed-out') && (
          <div className="flex flex-wrap gap-2">
            {standstill === 'signed-out' && <SignInAgain />}
            {canToggle && (
              <Button icon={isPaused ? play : pause} onClick={toggle} aria-keyshortcuts="P">
                {isPaused ? 'Resume' : 'Pause'}
              </Button>
            )}
            {isSending && (
              <Button icon={cross} onClick={() => setAsking(true)} aria-keyshortcuts="X">
                Cancel
              </Button>
            )}
          </div>
        )}
      </div>
      {isSending && transfer.chunkLimit !== undefined && (
        <p className="mt-3 text-small text-muted">
          {say('upload/parts-limited', { size: bytesText(transfer.chunkLimit) })}
        </p>
      )}
      {standstill && <p className="mt-3 text-small text-warn">{standstillText(transfer)}</p>}
      <p role="status" className="sr-only">
        {announcementOf(transfer)}
      </p>
      <ConfirmDialog
        open={asking && isSending}
        onClose={() => setAsking(false)}
        title="Cancel this upload?"
        description={
          <>
            <p>What was sent of {transfer.fileName} so far is removed from the server.</p>
            <p>To go on later, pause it instead, or close the page: choosing the same file again resumes it.</p>
          </>
        }
        keep="Keep uploading"
        act="Cancel upload"
        onAct={() => {
          setAsking(false);
          cancelUpload();
        }}
      />
    </section>
  );
}

const pause = <Pause size={18} />;
const play = <Play size={18} />;
const cross = <X size={18} />;

const pageClock = () => performance.now();

/** Refetches the session: since it has ended, the guards lead to the sign-in page. */
function SignInAgain() {
  const queries = useQueryClient();
  return (
    <Button variant="primary" onClick={() => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })}>
      Sign in
    </Button>
  );
}

/** Moves the focus to the heading, because the button that started the upload disappeared with the drop zone. */
function useFocusOnArrival() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return heading;
}

type LastStep = { readonly number: number; readonly state: 'saving' | 'active' | 'over' };

/**
 * The upload to show progress of, or `undefined`.
 *
 * The server stores a small file faster than the browser polls its state. A finished upload therefore still shows its
 * last two steps, 85 % and 100 %, long enough to be read, before its result.
 */
export function useRunning(transfer: FileTransfer | undefined): FileTransfer | undefined {
  const [last, setLast] = useState<LastStep>();
  const number = transfer?.number;
  const runs = transfer !== undefined && isUnderWay(transfer);
  if (runs && last?.number !== number) setLast({ number: transfer.number, state: 'saving' });

  const isClosing = transfer?.state === 'active' && last?.number === number && last?.state !== 'over';
  useEffect(() => {
    if (!isClosing || number === undefined) return;
    const steps = [
      setTimeout(() => setLast({ number, state: 'active' }), limits.uploadLastStepMs),
      setTimeout(() => setLast({ number, state: 'over' }), 2 * limits.uploadLastStepMs),
    ];
    return () => steps.forEach(clearTimeout);
  }, [isClosing, number]);

  if (isClosing) return { ...transfer, state: last?.state ?? 'saving' };
  return runs ? transfer : undefined;
}
