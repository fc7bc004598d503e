import { useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { AlertDialog } from '../../ui/dialog.tsx';

type Props = { readonly open: boolean; readonly onClose: () => void; readonly onCancel: () => void };

/** Asks before corrections are thrown away. */
export function CancelQuestion({ open, onClose, onCancel }: Props) {
  const stay = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Cancel this import?"
      description={<p>What you corrected in the reading of these files is lost. The files have not been sent.</p>}
      initialFocus={stay}
      busy={false}
    >
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button ref={stay} onClick={onClose}>
          Keep going
        </Button>
        <Button variant="danger" onClick={onCancel}>
          Cancel import
        </Button>
      </div>
    </AlertDialog>
  );
}
