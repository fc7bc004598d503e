import { say } from '@kc/rules/messages';
import { progressTexts } from '@kc/rules/upload';
import { FileJson } from 'lucide-react';
import { cancelUpload, percentOf, type Transfer } from '../../../api/uploads.ts';
import { Button } from '../../../ui/button.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { transferText } from './progress-words.ts';

/** A running upload: what happens, how far it is, and the way out. */
export function ProgressCard({ transfer }: { readonly transfer: Transfer }) {
  const percent = percentOf(transfer);
  const { title, text } = progressTexts(percent);
  return (
    <section aria-labelledby="progress" className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4">
      <div className="flex items-start gap-3">
        <FileJson size={24} strokeWidth={1.5} className="mt-0.5 shrink-0 text-brand" aria-hidden />
        <div className="min-w-0 flex-1">
          <div className="flex items-baseline justify-between gap-3">
            <h3 id="progress" className="text-h2">
              {title}
            </h3>
            <span className="font-semibold text-h2 text-brand-ink">{percent}%</span>
          </div>
          <p className="text-body text-muted">{text}</p>
        </div>
      </div>
      <div className="mt-4">
        <ProgressBar label={title} percent={percent} />
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 text-small text-muted">
          <p className="truncate font-medium text-ink" title={transfer.fileName}>
            {transfer.fileName} for {transfer.receiver.email}
          </p>
          <p>{transferText(transfer)}</p>
        </div>
        {transfer.state === 'receiving' && <Button onClick={cancelUpload}>Cancel</Button>}
      </div>
      <p role="status" className="text-small text-warn empty:hidden [&:not(:empty)]:mt-3">
        {transfer.lost && say('upload/connection-lost')}
      </p>
    </section>
  );
}
