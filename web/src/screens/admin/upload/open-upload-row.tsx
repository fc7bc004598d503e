import type { OpenUpload } from '@kc/rules/shapes';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { bytesText, dateText } from '../../../ui/quantity-text.ts';
import { openUploadWords } from './open-upload-text.ts';
import { RefusalText } from './refusal-text.tsx';

type Props = {
  readonly upload: OpenUpload;
  /** Who sends it, where that is known. */
  readonly sender: string | undefined;
  readonly busy: boolean;
  readonly onDiscard: () => void;
};

const tones: Readonly<Record<ReturnType<typeof openUploadWords>['is'], Tone>> = {
  stopped: 'warn',
  moving: 'info',
  failed: 'bad',
};

/** An upload that is no visualization: on its way, stopped half way, or failed. */
export function OpenUploadRow({ upload, sender, busy, onDiscard }: Props) {
  const { fileName, refusal } = upload;
  const { is, label } = openUploadWords(upload);
  /** Whoever began it can go on with it, nobody else. */
  const canGoOn = is === 'stopped' && upload.isYours;
  return (
    <li className="flex flex-wrap items-center justify-end gap-x-2 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium text-body" title={fileName}>
            {fileName}
          </span>
          <Badge tone={tones[is]} dot>
            {label}
          </Badge>
        </p>
        <p className="text-small text-muted wrap-anywhere">
          {bytesText(upload.fileSize)} · {dateText(upload.begunAt)}
          {sender && ` by ${sender}`}
        </p>
        {refusal && (
          <p className="text-small text-bad wrap-anywhere">
            <RefusalText refusal={refusal} />
          </p>
        )}
        {canGoOn && <p className="text-small text-ink">Choose the same file again to go on where it stopped.</p>}
      </div>
      {canGoOn && (
        <Button size="dense" variant="danger-ghost" disabled={busy} onClick={onDiscard}>
          Discard
          <span className="sr-only"> {fileName}</span>
        </Button>
      )}
    </li>
  );
}
