import { say, sayRefusal } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import type { Refusal } from '@kc/rules/result';
import type { OpenUpload, Visualization } from '@kc/rules/shapes';
import { Link } from '@tanstack/react-router';
import { Download, Ellipsis, Pencil, Shapes, Trash2 } from 'lucide-react';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button, buttonClass, iconButtonClass } from '../../../ui/button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { bytesText, contentText, dateText, mergedText } from '../../../ui/number-text.ts';

type UploadRowProps = {
  readonly upload: Visualization;
  /** Who sent it, if known. */
  readonly sender: string | undefined;
  readonly busy: boolean;
  readonly onActivate: () => void;
  readonly onDescribe: () => void;
  readonly onAdjust: () => void;
  readonly onDelete: () => void;
};

/** A finished upload, which became a visualization. */
export function UploadRow({ upload, sender, busy, onActivate, onDescribe, onAdjust, onDelete }: UploadRowProps) {
  const { fileName } = upload;
  return (
    <li className="flex flex-wrap items-center justify-end gap-x-2 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium text-body" title={fileName}>
            {fileName}
          </span>
          {upload.isActive && (
            <Badge tone="ok" dot>
              Active
            </Badge>
          )}
        </p>
        <p className="text-small text-muted">
          {bytesText(upload.fileSize)} · {contentText(upload)}
          {upload.merged ? ` · ${mergedText(upload.merged)}` : ''}
        </p>
        <p className="text-small text-muted wrap-anywhere">
          {dateText(upload.uploadDate)}
          {sender && ` by ${sender}`}
        </p>
        {upload.description && <p className="line-clamp-2 text-small text-ink">{upload.description}</p>}
      </div>
      <div className="flex items-center gap-1">
        {!upload.isActive && (
          <Button size="dense" disabled={busy} onClick={onActivate}>
            Make active
            <span className="sr-only"> {fileName}</span>
          </Button>
        )}
        <Link to={paths.visualization} search={{ v: upload.id }} className={buttonClass('ghost', 'dense')}>
          View
          <span className="sr-only"> {fileName}</span>
        </Link>
        <Menu
          align="end"
          trigger={
            <button
              type="button"
              aria-label={`More for ${fileName}`}
              disabled={busy}
              className={iconButtonClass('dense')}
            >
              <Ellipsis size={18} />
            </button>
          }
        >
          <MenuItem icon={<Download size={18} />} render={<a href={upload.downloadUrl} download={fileName} />}>
            Download original
          </MenuItem>
          <MenuItem icon={<Pencil size={18} />} onSelect={onDescribe}>
            Edit description
          </MenuItem>
          <MenuItem icon={<Shapes size={18} />} onSelect={onAdjust}>
            Adjust clusters
          </MenuItem>
          <MenuItem icon={<Trash2 size={18} className="text-bad" />} onSelect={onDelete}>
            <span className="text-bad">Delete</span>
          </MenuItem>
        </Menu>
      </div>
    </li>
  );
}

type OpenUploadRowProps = {
  readonly upload: OpenUpload;
  /** Who is sending it, if known. */
  readonly sender: string | undefined;
  readonly busy: boolean;
  readonly onDiscard: () => void;
};

const tones: Readonly<Record<ReturnType<typeof openUploadWords>['is'], Tone>> = {
  stopped: 'warn',
  moving: 'info',
  failed: 'bad',
};

/** An upload that is not a visualization (yet): running, stopped or failed. */
export function OpenUploadRow({ upload, sender, busy, onDiscard }: OpenUploadRowProps) {
  const { fileName, refusal } = upload;
  const { is, label } = openUploadWords(upload);
  /** Only the user who started an upload can resume it. */
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

/** Why an upload was refused, and the details that the specified text leaves out. */
export function RefusalText({ refusal }: { readonly refusal: Refusal }) {
  return (
    <>
      {sayRefusal(refusal)}
      {refusal.code === 'upload/storage-refused' && (
        <span className="block">{say('upload/storage-full', refusal.params ?? {})}</span>
      )}
    </>
  );
}

/** State and label of an upload that is not a visualization. The upload of this tab has its own card. */
export function openUploadWords({ state, share, isSending }: OpenUpload): {
  readonly is: 'stopped' | 'moving' | 'failed';
  readonly label: string;
} {
  const percent = `${Math.floor(share * 100)}%`;
  if (state === 'failed') return { is: 'failed', label: 'Failed' };
  if (state !== 'receiving') return { is: 'moving', label: 'Processing' };
  return isSending ? { is: 'moving', label: `${percent} sent` } : { is: 'stopped', label: `Stopped at ${percent}` };
}

/** An entry of the list: either an open upload, or one that became a visualization. */
type Listed<Open, Finished> = { readonly id: string; readonly open?: Open; readonly finished?: Finished };

/** Uploads that are running or can be resumed, then all finished ones, newest first. */
export function inOrder<
  Open extends Pick<OpenUpload, 'id' | 'state' | 'begunAt'>,
  Finished extends Pick<Visualization, 'id' | 'uploadDate'>,
>(open: readonly Open[], finished: readonly Finished[]): Listed<Open, Finished>[] {
  const newestFirst = [...open].sort((one, other) => other.begunAt - one.begunAt);
  const ended = [
    ...newestFirst.filter(({ state }) => state === 'failed').map((one) => ({ at: one.begunAt, id: one.id, open: one })),
    ...finished.map((one) => ({ at: one.uploadDate, id: one.id, finished: one })),
  ].sort((one, other) => other.at - one.at);
  return [...newestFirst.filter(({ state }) => state !== 'failed').map((one) => ({ id: one.id, open: one })), ...ended];
}
