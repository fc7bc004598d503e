import type { ReactNode } from 'react';
import { useDropzone } from 'react-dropzone';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

type Props = {
  readonly label: string;
  /** What the zone says while nothing is dragged over it. */
  readonly children: ReactNode;
  readonly buttonLabel: string;
  /** The file types to offer, as in `{ 'application/json': ['.json'] }`. */
  readonly accept: Record<string, string[]>;
  readonly onFiles: (files: readonly File[]) => void;
  readonly disabled?: boolean;
  /** Called when a disabled zone is clicked or dropped on. */
  readonly onRefused?: () => void;
  readonly className?: string;
};

/** Takes files by drop or by its own button. What is acceptable is the caller's rule, so every dropped file is handed on. */
export function DropZone(props: Props) {
  const { label, children, buttonLabel, accept, onFiles, disabled = false, onRefused, className } = props;
  const zone = useDropzone({
    noClick: true,
    noKeyboard: true,
    disabled,
    useFsAccessApi: false,
    onDrop: (accepted, rejected) => {
      const files = [...accepted, ...rejected.map((one) => one.file)];
      if (files.length > 0) onFiles(files);
    },
  });
  return (
    <div
      {...zone.getRootProps({ role: 'group', 'aria-label': label })}
      {...(disabled && onRefused ? { onClick: onRefused } : {})}
      className={classNames(
        'flex flex-col items-center justify-center gap-4 rounded-card border-2 border-dashed p-6 text-center transition duration-150',
        zone.isDragActive ? 'border-brand bg-brand-soft' : 'border-line-strong bg-sunken',
        className,
      )}
    >
      <input {...zone.getInputProps({ 'aria-label': label })} accept={Object.values(accept).flat().join(',')} />
      {children}
      <Button variant="primary" disabled={disabled} onClick={zone.open}>
        {buttonLabel}
      </Button>
    </div>
  );
}
