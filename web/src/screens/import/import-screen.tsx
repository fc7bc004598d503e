import { say, sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { guidePath, paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, FileUp } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useOwnSettings } from '../../api/own-settings.ts';
import { useMe, useScreenSettings } from '../../session/session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { DraftsList } from './drafts-list.tsx';
import { chosenEndings, isList, resultsAmong } from './import-files.ts';
import { ImportPreview, ImportUnderWay } from './import-flow.tsx';
import { ListHelp } from './list-help.tsx';
import { useImportForm } from './use-import-form.ts';
import { usePasted } from './use-pasted.tsx';

/** `/import`: a user turns keyword lists into a map of their own. */
export function ImportScreen() {
  const me = useMe();
  const settings = useScreenSettings();
  return (
    <div className="mx-auto w-full max-w-300 px-4 py-6 md:px-6 short:py-4">
      <div className="mb-5 flex flex-wrap items-center gap-x-3">
        <Link
          to={paths.visualization}
          className="flex min-h-8 items-center gap-1 rounded-control pr-2 text-muted text-small no-underline hover:text-ink touch:min-h-11"
        >
          <ChevronLeft size={16} />
          My Visualizations
        </Link>
        <h1 tabIndex={-1} className="m-0 basis-full text-h1 outline-none">
          Import a list
        </h1>
        <p className="text-body text-muted">
          From the export of a keyword tool to a map of pillar topics and clusters.
        </p>
      </div>
      {!me?.account || !settings ? (
        <Skeleton className="h-70 w-full rounded-card" />
      ) : me.isAdmin || settings.userImports ? (
        <ImportForm userId={me.account.id} />
      ) : (
        <Banner tone="info">{say('list/off')}</Banner>
      )}
    </div>
  );
}

function ImportForm({ userId }: { readonly userId: string }) {
  const form = useImportForm();
  const [notice, setNotice] = useState<readonly string[]>([]);
  const take = async (files: readonly File[]) => {
    const [first] = files;
    if (!first) return;
    const isRefused = form.lists.length === 0 && !isList(first, await resultsAmong([first]));
    setNotice(isRefused ? [say('list/off-list', { name: first.name })] : []);
    if (!isRefused) form.add(files);
  };
  const takeAny = (files: readonly File[]) => void take(files);
  const { openPaste, dialog } = usePasted(takeAny);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
      <h2 className="sr-only">Lists and drafts</h2>
      <div className="flex min-w-0 flex-col gap-6">
        {notice.map((text) => (
          <Banner key={text} tone="error" onDismiss={() => setNotice([])}>
            {text}
          </Banner>
        ))}
        <ImportUnderWay />
        <ImportPreview form={form} userId={userId} description="" onSent={() => setNotice([])} />
        <DropZone
          label="Keyword lists"
          buttonLabel="Choose a file"
          accept={chosenEndings}
          onFiles={takeAny}
          overlay={<p className="text-h1">Drop to read the list</p>}
          action={<Button onClick={openPaste}>Paste a list</Button>}
          className={form.lists.length > 0 ? 'hidden' : 'min-h-40 md:min-h-70 short:min-h-40'}
        >
          <FileUp size={36} strokeWidth={1.5} className="text-brand short:hidden" />
          <div>
            <p className="font-medium text-body">Drop keyword lists here, or choose them</p>
            <p className="mt-1 text-muted text-small">
              CSV, TSV, TXT or XLSX, or search results as JSON, several at once, up to {limits.maxLists}
            </p>
          </div>
        </DropZone>
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <DraftsList userId={userId} />
        <ProgramImports />
        <ListHelp />
      </div>
      {dialog}
    </div>
  );
}

/** What happens to lists that programs send for this person. */
function ProgramImports() {
  const { settings, refusal, change } = useOwnSettings('import-settings', {
    read: (signal) => client.imports.settings({}, { signal }),
    change: (next) => client.imports.changeSettings(next),
  });
  return (
    <section
      aria-labelledby="program-imports"
      className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4 max-sm:p-4"
    >
      <h3 id="program-imports" className="text-h2">
        Lists from programs
      </h3>
      <p className="mt-1 mb-3 text-muted text-small">
        A program can send next month’s list with an access token, or put it into a folder of the server. See{' '}
        <a href={guidePath('automation')} target="_blank" rel="noreferrer">
          how to do that
        </a>
        . It becomes a draft.
      </p>
      {refusal && (
        <div className="mb-3">
          <Banner tone="error">{sayRefusal(refusal)}</Banner>
        </div>
      )}
      {settings && (
        <Checkbox
          label="Publish it if nothing in its reading is a guess"
          checked={settings.publishes}
          onChange={(publishes) => change({ publishes })}
        />
      )}
    </section>
  );
}
