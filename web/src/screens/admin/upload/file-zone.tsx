import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { FileUp } from 'lucide-react';
import { classNames } from '../../../ui/class-names.ts';
import { DropZone } from '../../../ui/drop-zone.tsx';

type Props = {
  /** Whom the file is for; nobody chosen yet when absent. */
  readonly email: string | undefined;
  readonly busy: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRefused: () => void;
};

const json = { 'application/json': ['.json'] };

export function FileZone({ email, busy, onFiles, onRefused }: Props) {
  const disabled = email === undefined || busy;
  return (
    <DropZone
      label="JSON file"
      buttonLabel="Choose file"
      accept={json}
      disabled={disabled}
      onFiles={onFiles}
      onRefused={onRefused}
      className="min-h-50 md:min-h-70 short:min-h-40 short:gap-2 short:p-4"
    >
      <FileUp
        size={36}
        strokeWidth={1.5}
        className={classNames(disabled ? 'text-muted' : 'text-brand', 'short:hidden')}
        aria-hidden
      />
      <div>
        <p className="font-medium text-body">
          {email === undefined ? (
            say('upload/choose-user')
          ) : (
            <>
              <span className="hidden md:inline">Drop a JSON file here or choose a file</span>
              <span className="md:hidden">Choose a JSON file</span>
            </>
          )}
        </p>
        <p className="mt-1 text-small text-muted">JSON file up to {limits.maxUploadMb}MB</p>
      </div>
    </DropZone>
  );
}
