import { paths } from '@kc/rules/paths';
import type { Visualization } from '@kc/rules/shapes';
import { Link } from '@tanstack/react-router';
import { Download, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { Badge } from '../../../ui/badge.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { iconButtonClass } from '../../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { bytesText, contentText, dateText, mergedText } from '../../../ui/quantity-text.ts';

type Props = {
  readonly upload: Visualization;
  /** Who sent it, where that is known. */
  readonly sender: string | undefined;
  readonly busy: boolean;
  readonly onActivate: () => void;
  readonly onDescribe: () => void;
  readonly onDelete: () => void;
};

/** An upload that became a visualization. */
export function UploadRow({ upload, sender, busy, onActivate, onDescribe, onDelete }: Props) {
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
              <Ellipsis size={18} strokeWidth={1.75} aria-hidden />
            </button>
          }
        >
          <MenuItem
            icon={<Download size={18} strokeWidth={1.75} aria-hidden />}
            render={<a href={upload.downloadUrl} download={fileName} />}
          >
            Download original
          </MenuItem>
          <MenuItem icon={<Pencil size={18} strokeWidth={1.75} aria-hidden />} onSelect={onDescribe}>
            Edit description
          </MenuItem>
          <MenuItem icon={<Trash2 size={18} strokeWidth={1.75} className="text-bad" aria-hidden />} onSelect={onDelete}>
            <span className="text-bad">Delete</span>
          </MenuItem>
        </Menu>
      </div>
    </li>
  );
}
