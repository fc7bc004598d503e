import type { ReactNode } from 'react';
import { useDropzone } from 'react-dropzone';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

type Props = {
  readonly label: string;
  /** The text of the drop zone. */
  readonly children: ReactNode;
  readonly buttonLabel: string;
  /** The endings of the files to offer. */
  readonly accept: readonly string[];
  readonly onFiles: (files: readonly File[]) => void;
  /**
   * Whether the button is disabled. Dropped files are still passed on, so that the caller can say why they are refused.
   */
  readonly disabled?: boolean;
  /** Called when a disabled zone is clicked. */
  readonly onRefused?: () => void;
  /** A button beside the file button. */
  readonly action?: ReactNode;
  /** Shown over the whole window while files are dragged over any part of it. */
  readonly overlay: ReactNode;
  readonly className?: string;
};

/**
 * A drop zone with a file button. It accepts drops anywhere on the window and passes on whatever is dropped: validation
 * is up to the caller.
 */
export function DropZone(props: Props) {
  const { label, children, buttonLabel, accept, onFiles, disabled = false, onRefused } = props;
  const zone = useDropzone({
    noClick: true,
    noKeyboard: true,
    useFsAccessApi: false,
    onDrop: (accepted, rejected) => onFiles([...accepted, ...rejected.map((one) => one.file)]),
  });
  return (
    <>
      <fieldset aria-label={label} {...(disabled && onRefused ? { onClick: onRefused } : {})} className="min-w-0">
        <div
          className={classNames(
            'flex flex-col items-center justify-center gap-4 rounded-card border-2 border-line-strong border-dashed bg-sunken p-6 text-center',
            props.className,
          )}
        >
          <input {...zone.getInputProps({ 'aria-label': label })} multiple accept={accept.join(',')} />
          {children}
          <div className="flex flex-wrap justify-center gap-3">
            <Button variant="primary" disabled={disabled} onClick={zone.open}>
              {buttonLabel}
            </Button>
            {props.action}
          </div>
        </div>
      </fieldset>
      <div
        {...zone.getRootProps({ role: 'presentation' })}
        className={classNames(
          zone.isDragGlobal ? 'flex' : 'hidden',
          'fixed inset-0 z-50 items-center justify-center bg-space-0/92 p-6 text-space-ink',
        )}
      >
        <div className="pointer-events-none flex size-full max-h-120 max-w-200 flex-col items-center justify-center gap-4 rounded-dialog border-2 border-space-border border-dashed p-6 text-center">
          {props.overlay}
        </div>
      </div>
    </>
  );
}
