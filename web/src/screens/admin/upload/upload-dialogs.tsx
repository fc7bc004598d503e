import type { Visualization } from '@kc/rules/shapes';
import { useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialog.tsx';
import { bytesText, countText } from '../../../ui/number-text.ts';

type CancelProps = {
  readonly open: boolean;
  readonly fileName: string;
  readonly onClose: () => void;
  readonly onCancel: () => void;
};

/** Confirms before the bytes already sent are discarded. */
export function CancelDialog({ open, fileName, onClose, onCancel }: CancelProps) {
  const keep = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Cancel this upload?"
      description={
        <>
          <p>What was sent of {fileName} so far is removed from the server.</p>
          <p>To go on later, pause it instead, or close the page: choosing the same file again resumes it.</p>
        </>
      }
      initialFocus={keep}
      busy={false}
    >
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button ref={keep} onClick={onClose}>
          Keep uploading
        </Button>
        <Button variant="danger" onClick={onCancel}>
          Cancel upload
        </Button>
      </div>
    </AlertDialog>
  );
}

type DeleteProps = {
  readonly open: boolean;
  readonly upload: Visualization;
  /** Whether the user has another visualization. */
  readonly hasOthers: boolean;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onDelete: () => void;
};

/** Confirms before a visualization is deleted permanently. */
export function DeleteDialog({ open, upload, hasOthers, busy, onClose, onDelete }: DeleteProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const { fileName, userEmail, keywords, fileSize } = upload;
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title={`Delete ${fileName}?`}
      description={
        <>
          <p>
            The visualization, its original file and all that was made of it are removed permanently. This cannot be
            undone.
          </p>
          <p className="text-ink tabular-nums">
            {countText(keywords)} keywords · {bytesText(fileSize)} · for {userEmail}
          </p>
          {upload.isActive && (
            <p className="text-warn">
              {hasOthers
                ? 'It is the active one. No other becomes active in its place: until one is made active, the newest is shown.'
                : `It is the active one, and the only one: nothing is left for ${userEmail} to explore.`}
            </p>
          )}
        </>
      }
      initialFocus={cancel}
      busy={busy}
    >
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button ref={cancel} disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button variant="danger" disabled={busy} onClick={onDelete}>
          {busy ? 'Deleting...' : 'Delete visualization'}
        </Button>
      </div>
    </AlertDialog>
  );
}
