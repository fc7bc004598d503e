import { useRef } from 'react';
import { AlertDialog } from '../../../ui/alert-dialog.tsx';
import { Button } from '../../../ui/button.tsx';

type Props = {
  readonly open: boolean;
  readonly fileName: string;
  readonly onClose: () => void;
  readonly onCancel: () => void;
};

/** Asks before what was sent is thrown away. */
export function CancelDialog({ open, fileName, onClose, onCancel }: Props) {
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
