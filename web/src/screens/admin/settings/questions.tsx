import { say } from '@kc/rules/messages';
import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

type ResetProps = { readonly open: boolean; readonly onClose: () => void; readonly onReset: () => void };

export function ResetQuestion({ open, onClose, onReset }: ResetProps) {
  const reset = () => {
    onClose();
    onReset();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Reset to Defaults"
      description={say('settings/reset-question')}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" onClick={reset}>
            Reset to Defaults
          </Button>
        </>
      }
    />
  );
}

/** Asks before changes are lost: by a dialog within the product, by the browser's own when the page is left. */
export function LeaveQuestion({ hasChanges }: { readonly hasChanges: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => hasChanges,
    enableBeforeUnload: () => hasChanges,
    withResolver: true,
  });
  return (
    <Dialog
      open={status === 'blocked'}
      onOpenChange={(next) => !next && reset?.()}
      title="Unsaved changes"
      description={say('settings/leave-question')}
      actions={
        <>
          <Button onClick={reset}>Stay</Button>
          <Button variant="danger" onClick={proceed}>
            Leave without saving
          </Button>
        </>
      }
    />
  );
}
