import { sayError } from '@kc/rules/messages';
import type { OpenUpload, UnfinishedUpload } from '@kc/rules/shapes';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { discardSent } from '../../../api/send-file.ts';
import { Button } from '../../../ui/button.tsx';
import { bytesText, dateText } from '../../../ui/number-text.ts';
import { ProgressBar } from '../../../ui/progress.tsx';
import { unfinishedUploads } from './uploads-queries.ts';

type Props = {
  /** Selects the receiver of the upload, then opens the file chooser. */
  readonly onChoose: (upload: UnfinishedUpload) => void;
};

/**
 * Unfinished uploads of this administrator that nobody is sending, for example after a reload, a crash, or from another
 * computer. A page cannot reopen a file by itself, so the user has to choose it again.
 */
export function UnfinishedUploads({ onChoose }: Props) {
  const queries = useQueryClient();
  const { data = [], isFetchedAfterMount } = useQuery(unfinishedUploads);
  const discard = useMutation({
    mutationFn: (id: string) => discardSent(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['uploads'] }),
  });
  // A list from before this browser resumed an upload would offer it again once it is done.
  const stopped = isFetchedAfterMount ? data.filter((upload) => !upload.isSending) : [];
  if (stopped.length === 0) return null;
  return (
    <section
      aria-labelledby="unfinished"
      className="rounded-card border border-brand bg-surface p-6 shadow-1 short:p-4"
    >
      <h3 id="unfinished" className="text-h2">
        {stopped.length === 1 ? 'Unfinished upload' : 'Unfinished uploads'}
      </h3>
      {discard.isError && (
        <p role="alert" className="mt-1 text-bad text-small">
          {sayError(discard.error)}
        </p>
      )}
      <ul className="divide-y divide-line">
        {stopped.map((upload) => {
          const { id, fileName, fileSize, share, begunAt, receiver } = upload;
          return (
            <li key={id} className="flex flex-col gap-3 py-3 last:pb-0">
              <div className="min-w-0">
                <p className="font-medium text-body wrap-anywhere">
                  {fileName} for {receiver.email}
                </p>
                <p className="text-muted text-small">
                  {bytesText(Math.round(share * fileSize))} of {bytesText(fileSize)} are on the server, since{' '}
                  {dateText(begunAt)}. Choose the file again and the upload continues from there.
                </p>
              </div>
              <ProgressBar label={`Sent of ${fileName}`} percent={Math.floor(share * 100)} isHeld />
              <div className="flex flex-wrap gap-3">
                <Button variant="primary" disabled={discard.isPending} onClick={() => onChoose(upload)}>
                  Choose file again
                  <span className="sr-only">: {fileName}</span>
                </Button>
                <Button variant="danger-ghost" disabled={discard.isPending} onClick={() => discard.mutate(id)}>
                  Discard
                  <span className="sr-only"> what was sent of {fileName}</span>
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type QuestionProps = {
  readonly unfinished: OpenUpload;
  readonly onResume: () => void;
  readonly onStartOver: () => void;
  readonly onLeave: () => void;
};

/** Part of the chosen file is already on the server: asks whether to resume. */
export function ResumeQuestion({ unfinished, onResume, onStartOver, onLeave }: QuestionProps) {
  const resume = useRef<HTMLButtonElement>(null);
  useEffect(() => resume.current?.focus(), []);
  const { fileName, fileSize, share, begunAt } = unfinished;
  return (
    <section
      aria-labelledby="resume"
      aria-describedby="resume-why"
      className="rounded-card border border-brand bg-surface p-6 shadow-1 short:p-4"
    >
      <h3 id="resume" className="text-h2 wrap-anywhere">
        Resume upload of {fileName}?
      </h3>
      <p id="resume-why" className="mt-1 text-body text-muted">
        {bytesText(Math.round(share * fileSize))} of {bytesText(fileSize)} are on the server already, since{' '}
        {dateText(begunAt)}.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button ref={resume} variant="primary" onClick={onResume}>
          Resume
        </Button>
        <Button onClick={onStartOver}>Start over</Button>
        <Button variant="ghost" onClick={onLeave}>
          Not now
        </Button>
      </div>
    </section>
  );
}
