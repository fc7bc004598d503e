import { say } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';
import type { ListedAccount, OpenUpload, UnfinishedUpload } from '@kc/rules/shapes';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, CircleSlash, Copy, Download, FileUp, Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { discardSent, sendFile } from '../../../api/send-file.ts';
import {
  type ContentCheck,
  chooseReceiver,
  dismissUpload,
  isUnderWay,
  startUpload,
  type UploadDeps,
  useTransfers,
} from '../../../api/transfers.ts';
import { useMe } from '../../../session/session.ts';
import { createWorker } from '../../../trusted-worker.ts';
import { Banner, type BannerTone } from '../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useCopied } from '../../../ui/copy-text.ts';
import { DropZone } from '../../../ui/drop-zone.tsx';
import { Field } from '../../../ui/field.tsx';
import { PersonSelect } from '../../../ui/person-select.tsx';
import { DraftsList } from '../../import/drafts-list.tsx';
import { chosenEndings, resultsAmong, sortFiles } from '../../import/import-files.ts';
import { ImportPreview, ImportUnderWay } from '../../import/import-flow.tsx';
import { ListHelp } from '../../import/list-help.tsx';
import { useImportForm } from '../../import/use-import-form.ts';
import { usePasted } from '../../import/use-pasted.tsx';
import { TabHeader } from '../admin-tabs.tsx';
import { hasFailed, usersQuery } from '../users/users-queries.ts';
import type { CheckMessage } from './check-file.worker.ts';
import workerUrl from './check-file.worker.ts?worker&url';
import { CheckPanel, hasFields, isInvalid } from './check-panel.tsx';
import { unfinishedOf, whyRefused } from './chosen-file.ts';
import { OutcomeBanner } from './outcome-banner.tsx';
import { ProgressCard, useRunning } from './progress-card.tsx';
import { RecentUploads } from './recent-uploads.tsx';
import { ResumeQuestion, UnfinishedUploads } from './unfinished-uploads.tsx';
import { openUploadsOf, useFreshListsAfterUpload } from './uploads-queries.ts';

type Props = {
  /** The account named in the address. */
  readonly userId: string | undefined;
  readonly onProblem: (problem: string) => void;
};

export function UploadTab({ userId, onProblem }: Props) {
  const users = useQuery(usersQuery);
  const { receiverId, upload: transfer } = useTransfers();
  const chosen = users.data?.find((account) => account.id === receiverId);
  const [description, setDescription] = useState('');
  const { take, notice, dismiss, notify, question } = useTakeFile(chosen, description, () => setDescription(''));
  const [nudges, setNudges] = useState(0);
  const zone = useRef<HTMLDivElement>(null);
  const running = useRunning(transfer);

  usePreselected(userId, users.data, onProblem);
  useFreshListsAfterUpload(transfer);
  const form = useImportForm();
  const hasLists = form.lists.length > 0;
  /** Lists go to the preview, everything else is handled like JSON files. */
  const takeSome = async (files: readonly File[]) => {
    const isForLists = hasLists || sortFiles(files, 0, await resultsAmong(files)).as !== 'json';
    if (!isForLists || running || !chosen) return take(files);
    dismiss();
    form.add(files);
  };
  const takeAny = (files: readonly File[]) => void takeSome(files);
  const { openPaste, dialog } = usePasted(takeAny, () => {
    if (chosen && !running) return true;
    notify('error', say(running ? 'upload/busy' : 'upload/choose-user'));
    return false;
  });
  const closePanel = () => {
    useTransfers.setState({ upload: undefined });
    zone.current?.querySelector('button')?.focus();
  };
  const openFiles = () => zone.current?.querySelector('button')?.click();
  const chooseAgain = ({ receiver }: UnfinishedUpload) => {
    // Enable the button synchronously: browsers open the file chooser only during the click.
    flushSync(() => chooseReceiver(receiver.id));
    openFiles();
  };
  // The result is shown at the top and must stay in view.
  useFocusAfterwards(running !== undefined, () =>
    zone.current?.querySelector('button')?.focus({ preventScroll: true }),
  );

  return (
    <>
      <TabHeader
        tab="upload"
        action={
          <Button
            variant="primary"
            icon={<Upload size={18} />}
            onClick={() => (chosen ? openFiles() : notify('error', say('upload/choose-user')))}
            disabled={running !== undefined}
          >
            Upload File
          </Button>
        }
      />
      <div className="flex flex-col gap-3 empty:hidden [&:not(:empty)]:mb-4">
        {hasFailed(users) && <Banner tone="error">{say('account/list-failed-upload')}</Banner>}
        {notice && (
          <Banner key={`notice ${notice.id}`} tone={notice.tone} lifeMs={limits.bannerMs} onDismiss={dismiss}>
            {notice.text}
            {notice.detail && <span className="block">{notice.detail}</span>}
          </Banner>
        )}
        {transfer && !running && !transfer.isSeen && (
          <OutcomeBanner key={`outcome ${transfer.number}`} transfer={transfer} onAnother={openFiles} />
        )}
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <ImportUnderWay />
          {running && <ProgressCard key={running.number} transfer={running} />}
          {!running && !question && <UnfinishedUploads onChoose={chooseAgain} />}
          {question && <ResumeQuestion {...question} />}
          {transfer && (running || isInvalid(transfer) || hasFields(transfer)) && (
            <CheckPanel transfer={transfer} onClose={closePanel} />
          )}
          <section className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4">
            <div
              key={nudges}
              className={nudges > 0 ? 'motion rounded-control animate-[nudge_700ms_ease-out]' : undefined}
            >
              <PersonSelect
                label="Select User"
                people={users.data?.filter((account) => !account.isSample) ?? []}
                chosen={chosen}
                labelOf={({ email, role }) => (role === 'admin' ? `${email} (Admin)` : email)}
                noneLabel={users.isPending ? 'Loading users...' : '-- Select a user --'}
                offersNone
                onChange={chooseReceiver}
                disabled={users.isPending}
              />
            </div>
            {!running && (
              <Field
                label="Description"
                hint="Optional. Shown beside the file's name."
                value={description}
                maxLength={limits.maxDescriptionLength}
                onChange={(event) => setDescription(event.target.value)}
                className="mt-4 short:mt-3"
              />
            )}
            <div ref={zone}>
              <FileZone
                email={chosen?.email}
                busy={running !== undefined}
                isHidden={hasLists}
                onFiles={takeAny}
                onPaste={openPaste}
                onRefused={() => setNudges((count) => count + 1)}
              />
            </div>
          </section>
          <ImportPreview form={form} userId={chosen?.id} description={description} onSent={() => setDescription('')} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          {chosen && <DraftsList key={`drafts ${chosen.id}`} userId={chosen.id} />}
          {chosen && <RecentUploads key={chosen.id} userId={chosen.id} email={chosen.email} accounts={users.data} />}
          <ListHelp />
          <FormatHelp />
        </div>
      </div>
      {dialog}
    </>
  );
}

/** Selects the account named in the address. If it does not exist, returns to the dashboard with a message. */
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

/** Moves the focus to the drop zone when the progress card that had it disappears. */
function useFocusAfterwards(running: boolean, focus: () => void): void {
  const was = useRef(running);
  useEffect(() => {
    if (was.current && !running && document.activeElement === document.body) focus();
    was.current = running;
  });
}

type FileZoneProps = {
  /** The receiver; absent while no user is selected. */
  readonly email: string | undefined;
  /** Whether another upload is running. Only files dropped on the window are handled then. */
  readonly busy: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRefused: () => void;
  readonly onPaste: () => void;
  /** Whether a preview of lists is shown in its place. Dropped files are handled, too. */
  readonly isHidden: boolean;
};

const accepted = ['.json', ...chosenEndings];

function FileZone({ email, busy, isHidden, onFiles, onRefused, onPaste }: FileZoneProps) {
  const hasNoReceiver = email === undefined;
  return (
    <DropZone
      label="JSON file or keyword lists"
      buttonLabel="Choose file"
      accept={accepted}
      disabled={hasNoReceiver}
      onFiles={onFiles}
      onRefused={onRefused}
      overlay={<Overlay email={email} busy={busy} />}
      action={
        <Button disabled={hasNoReceiver} onClick={onPaste}>
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
        className={classNames(hasNoReceiver ? 'text-muted' : 'text-brand', 'short:hidden')}
      />
      <div>
        <p className="font-medium text-body">
          {hasNoReceiver ? (
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
      <Icon size={48} strokeWidth={1.25} className={refusal ? 'text-star-gold' : 'text-star-violet'} />
      <p className="text-h1 wrap-anywhere">{refusal ?? `Drop to upload for ${email}`}</p>
      {!refusal && (
        <p className="text-body text-space-muted">
          JSON file up to {limits.maxUploadMb}MB, or keyword lists: CSV, TSV, TXT or XLSX
        </p>
      )}
    </>
  );
}

const skeleton = `{
  "keywords": [
    {
      "keyword": "trail shoes",
      "volume": 5400, "difficulty": 38,
      "cpc": 0.9, "intent": "commercial"
    },
    "road shoes"
  ],
  "hierarchy": {
    "name": "Running",
    "children": [
      {
        "name": "Shoes",
        "type": "pillar_topic",
        "children": [
          { "name": "trail shoes" }
        ]
      }
    ]
  }
}`;

/** A description of the file format, with an example to copy and a sample file to download. */
function FormatHelp() {
  const [copied, copy] = useCopied(say('account/copy-refused'));
  const Icon = copied ? Check : Copy;
  return (
    <section aria-labelledby="format" className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4">
      <div className="flex items-center justify-between gap-3">
        <h3 id="format" className="text-h2">
          File format
        </h3>
        <Button size="dense" icon={<Icon size={16} />} onClick={() => copy(skeleton)}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <p className="mt-2 text-body text-muted">
        Valid JSON with a <Code>keywords</Code> array and a <Code>hierarchy</Code> object of <Code>name</Code> and{' '}
        <Code>children</Code>. Nodes have a <Code>name</Code>, a <Code>type</Code> such as <Code>pillar_topic</Code>,
        and <Code>children</Code>. A list of <Code>keywords</Code> in a node counts as children, too.
      </p>
      <p className="mt-2 text-body text-muted">
        A keyword is text, or an object with its figures: <Code>volume</Code>, <Code>difficulty</Code>, <Code>cpc</Code>
        , <Code>intent</Code>, <Code>position</Code>, <Code>url</Code> and others, as your keyword tool exports them.
        What is left out counts as unknown.
      </p>
      <pre className="mt-4 whitespace-pre-wrap rounded-control bg-sunken p-4 font-mono text-micro text-ink leading-5">
        {skeleton}
      </pre>
      <a href="/sample-keywords.json" download className={`${buttonClass('secondary')} mt-4`}>
        <Download size={18} />
        Download a sample file
      </a>
    </section>
  );
}

function Code({ children }: { readonly children: string }) {
  return <code className="rounded-[4px] bg-sunken px-1 py-0.5 font-mono text-small text-ink">{children}</code>;
}

type Notice = {
  readonly id: number;
  readonly tone: BannerTone;
  readonly text: string;
  /** A second line. */
  readonly detail?: string | undefined;
};
type Receiver = Pick<ListedAccount, 'id' | 'email'>;
type Question = { readonly file: File; readonly receiver: Receiver; readonly unfinished: OpenUpload };

/**
 * Validates files however they were chosen, offers to resume an earlier upload of the same file, and starts the upload.
 *
 * @param onStarted called when the upload starts with the description
 */
function useTakeFile(chosen: Receiver | undefined, description: string, onStarted: () => void) {
  const queries = useQueryClient();
  const senderId = useMe()?.account?.id ?? '';
  const [notice, setNotice] = useState<Notice>();
  const [lastQuestion, setQuestion] = useState<Question>();
  const dismiss = () => setNotice(undefined);
  const notify = (tone: BannerTone, text: string, detail?: string) =>
    setNotice((last) => ({ id: (last?.id ?? 0) + 1, tone, text, detail }));

  const begin = ({ file, receiver }: Omit<Question, 'unfinished'>, uploadId?: string) => {
    setQuestion(undefined);
    if (isRunning()) return;
    const { id, email } = receiver;
    void startUpload({ file, receiver: { id, email }, senderId, description, uploadId }, uploadDeps);
    onStarted();
  };

  const take = async (files: readonly File[]): Promise<void> => {
    const why = whyRefused(files, chosen?.id, isRunning());
    if (!isRunning()) dismissUpload();
    if (why) return notify('error', why, why === say('upload/not-json') ? say('list/also') : undefined);
    const [file] = files;
    if (!file || !chosen) return;
    if (files.length > 1) notify('info', say('upload/first-only'));
    else dismiss();
    const target = { file, receiver: chosen };
    // If the request fails, the upload starts over. That costs nothing but time.
    const uploads = await queries.fetchQuery(openUploadsOf(chosen.id)).catch(() => []);
    const unfinished = unfinishedOf(file, uploads);
    if (unfinished) setQuestion({ ...target, unfinished });
    else begin(target);
  };

  // Once another receiver is chosen, the question about the file of this one is dropped: it would still be sent to
  // them.
  const open = lastQuestion?.receiver.id === chosen?.id ? lastQuestion : undefined;
  const question = open && {
    unfinished: open.unfinished,
    onResume: () => begin(open, open.unfinished.id),
    onStartOver: () => {
      void discardSent(open.unfinished.id);
      begin(open);
    },
    onLeave: () => setQuestion(undefined),
  };
  return { take: (files: readonly File[]) => void take(files), notice, dismiss, notify, question };
}

const isRunning = (): boolean => {
  const { upload } = useTransfers.getState();
  return upload !== undefined && isUnderWay(upload);
};

/** Checks a file in a worker while it is sent, so that a broken file is refused before all of it is sent. */
const checkFile: ContentCheck = (file, onProgress, signal) =>
  new Promise((resolve) => {
    const worker = createWorker(workerUrl, 'check-file');
    const end: typeof resolve = (refusal) => {
      worker.terminate();
      resolve(refusal);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<CheckMessage>) => {
      onProgress(data.found);
      if ('ended' in data) end(data.refusal);
    });
    // If the worker cannot start, nothing is refused: the server reads every file anyway.
    worker.addEventListener('error', () => end(undefined));
    signal.addEventListener('abort', () => end(undefined));
    worker.postMessage(file);
  });

const uploadDeps: UploadDeps = { check: checkFile, send: sendFile, discard: discardSent };
