import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import { checkUploadFile } from '@kc/rules/upload';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { chooseReceiver, dismissUpload, isUnderWay, startUpload, useUploads } from '../../../api/uploads.ts';
import { Banner, type BannerTone } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { TabHeader } from '../tab-header.tsx';
import { usersQuery } from '../users/users-query.ts';
import { checkFile } from './check-file.ts';
import { FileZone } from './file-zone.tsx';
import { FormatHelp } from './format-help.tsx';
import { OutcomeBanner } from './outcome-banner.tsx';
import { ProgressCard } from './progress-card.tsx';
import { RecentUploads } from './recent-uploads.tsx';
import { UserSelect } from './user-select.tsx';

type Props = {
  /** The account the address names. */
  readonly userId: string | undefined;
  readonly onProblem: (problem: string) => void;
};

type Notice = { readonly id: number; readonly tone: BannerTone; readonly text: string };

export function UploadTab({ userId, onProblem }: Props) {
  const users = useQuery(usersQuery);
  const { receiverId, transfer } = useUploads();
  const chosen = users.data?.find((account) => account.id === receiverId);
  const [notice, setNotice] = useState<Notice>();
  const zone = useRef<HTMLDivElement>(null);
  const tell = (tone: BannerTone, text: string) => setNotice((last) => ({ id: (last?.id ?? 0) + 1, tone, text }));

  usePreselected(userId, users.data, onProblem);
  useFreshListAfterUpload(transfer?.state === 'active' ? transfer.receiver.id : undefined);

  const take = (files: readonly File[]) => {
    const [file] = files;
    const checked = checkUploadFile(file, chosen?.id);
    if (!checked.ok) return tell('error', sayRefusal(checked.refusal));
    if (!file || !chosen) return;
    if (files.length > 1) tell('info', say('upload/first-only'));
    else setNotice(undefined);
    void startUpload(file, { id: chosen.id, email: chosen.email }, checkFile);
  };
  const askForFile = () => {
    if (!chosen) return tell('error', say('upload/choose-user'));
    zone.current?.querySelector('button')?.click();
  };
  const running = transfer && isUnderWay(transfer) ? transfer : undefined;

  return (
    <>
      <TabHeader
        tab="upload"
        action={
          <Button
            variant="primary"
            icon={<Upload size={18} strokeWidth={1.75} aria-hidden />}
            onClick={askForFile}
            disabled={running !== undefined}
          >
            Upload File
          </Button>
        }
      />
      <div className="flex flex-col gap-3 empty:hidden [&:not(:empty)]:mb-4">
        {users.isError && <Banner tone="error">{say('account/list-failed-upload')}</Banner>}
        {notice && (
          <Banner key={notice.id} tone={notice.tone} lifeMs={limits.bannerMs} onDismiss={() => setNotice(undefined)}>
            {notice.text}
          </Banner>
        )}
        {transfer && !running && <OutcomeBanner transfer={transfer} />}
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <section className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4">
            <UserSelect users={users} value={chosen?.id ?? ''} onChange={chooseReceiver} />
            <div ref={zone} className="mt-5 short:mt-3">
              <FileZone
                email={chosen?.email}
                busy={running !== undefined}
                onFiles={(files) => {
                  if (transfer && !running) dismissUpload();
                  take(files);
                }}
                onRefused={() => !running && tell('error', say('upload/choose-user'))}
              />
            </div>
          </section>
          {running && <ProgressCard transfer={running} />}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          {chosen && <RecentUploads userId={chosen.id} />}
          <FormatHelp />
        </div>
      </div>
    </>
  );
}

/** Chooses the account of the address; goes back to the dashboard when there is none. */
function usePreselected(
  userId: string | undefined,
  accounts: readonly { readonly id: string }[] | undefined,
  onProblem: (problem: string) => void,
): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (userId === undefined || !accounts) return;
    if (accounts.some((account) => account.id === userId)) return chooseReceiver(userId);
    onProblem(say('account/no-such-id', { id: userId }));
    void navigate({ to: paths.admin, replace: true });
  }, [userId, accounts, navigate, onProblem]);
}

/** A finished upload is the newest of its account's list. */
function useFreshListAfterUpload(receiverId: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (receiverId) void queries.invalidateQueries({ queryKey: ['visualizations'] });
  }, [receiverId, queries]);
}
