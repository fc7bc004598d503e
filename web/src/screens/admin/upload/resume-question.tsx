import type { OpenUpload } from '@kc/rules/shapes';
import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { bytesText, dateText } from '../../../ui/quantity-text.ts';

type Props = {
  readonly unfinished: OpenUpload;
  readonly onResume: () => void;
  readonly onStartOver: () => void;
  readonly onLeave: () => void;
};

/** Part of the chosen file is on the server already: whether to go on from there. */
export function ResumeQuestion({ unfinished, onResume, onStartOver, onLeave }: Props) {
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
