import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';
import { CircleSlash, FileUp } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { DropZone } from '../../../ui/drop-zone.tsx';
import { type SearchableOption, SearchableSelect } from '../../../ui/searchable-select.tsx';
import { listEndings } from '../../import/import-files.ts';
import { matching } from '../users/user-lists.ts';

type UserSelectProps = {
  readonly users: { readonly data: readonly ListedAccount[] | undefined; readonly isPending: boolean };
  /** Absent while no user is selected. */
  readonly chosen: ListedAccount | undefined;
  readonly onChange: (id: string) => void;
};

export function UserSelect({ users, chosen, onChange }: UserSelectProps) {
  const nobody = { value: '', label: users.isPending ? 'Loading users...' : '-- Select a user --' };
  const people = users.data?.filter((account) => !account.isSample) ?? [];
  return (
    <SearchableSelect
      label="Select User"
      chosen={chosen ? optionOf(chosen) : nobody}
      find={(text) => [...(text.trim() === '' ? [nobody] : []), ...matching(text, people).map(optionOf)]}
      onChange={onChange}
      searchLabel="Search by email or name"
      nothing="No user found"
      disabled={users.isPending}
    />
  );
}

const optionOf = ({ id, email, displayName, role }: ListedAccount): SearchableOption<string> => ({
  value: id,
  label: role === 'admin' ? `${email} (Admin)` : email,
  detail: displayName,
});

type FileZoneProps = {
  /** The receiver; absent while no user is selected. */
  readonly email: string | undefined;
  /** Whether another upload is running. Only files dropped on the window are handled then. */
  readonly busy: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRefused: () => void;
  readonly onPaste: () => void;
  /** Whether lists are being looked at in its place. Dropped files are handled, too. */
  readonly isHidden: boolean;
};

const accepted = { 'application/json': ['.json'], 'text/csv': [...listEndings] };

export function FileZone({ email, busy, isHidden, onFiles, onRefused, onPaste }: FileZoneProps) {
  const nobody = email === undefined;
  return (
    <DropZone
      label="JSON file or keyword lists"
      buttonLabel="Choose file"
      accept={accepted}
      multiple
      disabled={nobody}
      onFiles={onFiles}
      onRefused={onRefused}
      overlay={<Overlay email={email} busy={busy} />}
      action={
        <Button disabled={nobody} onClick={onPaste}>
          Paste a list
        </Button>
      }
      className={
        busy || isHidden ? 'hidden' : 'mt-5 short:mt-3 min-h-40 md:min-h-70 short:min-h-40 short:gap-2 short:p-4'
      }
    >
      <FileUp
        size={36}
        strokeWidth={1.5}
        className={classNames(nobody ? 'text-muted' : 'text-brand', 'short:hidden')}
        aria-hidden
      />
      <div>
        <p className="font-medium text-body">
          {nobody ? (
            say('upload/choose-user')
          ) : (
            <>
              <span className="hidden md:inline">Drop a keyword list or a JSON file here, or choose a file</span>
              <span className="md:hidden">Choose a keyword list or a JSON file</span>
            </>
          )}
        </p>
        <p className="mt-1 text-small text-muted">JSON file up to {limits.maxUploadMb}MB</p>
        <p className="text-small text-muted">Keyword lists: CSV, TSV, TXT or XLSX, several at once</p>
      </div>
    </DropZone>
  );
}

/** What dropping the file here will do. */
function Overlay({ email, busy }: Pick<FileZoneProps, 'email' | 'busy'>) {
  const refusal = busy ? say('upload/busy') : email === undefined ? say('upload/choose-user') : undefined;
  const Icon = refusal ? CircleSlash : FileUp;
  return (
    <>
      <Icon size={48} strokeWidth={1.25} className={refusal ? 'text-star-gold' : 'text-star-violet'} aria-hidden />
      <p className="text-h1 wrap-anywhere">{refusal ?? `Drop to upload for ${email}`}</p>
      {!refusal && (
        <p className="text-body text-space-muted">
          JSON file up to {limits.maxUploadMb}MB, or keyword lists: CSV, TSV, TXT or XLSX
        </p>
      )}
    </>
  );
}
