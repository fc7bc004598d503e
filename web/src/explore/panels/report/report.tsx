import { useIsFetching } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import type { Stage } from '../../charts/canvas/stage.ts';
import { useExplorer } from '../explorer-context.ts';
import { hasPicture } from '../share/shown-picture.ts';
import { ReportPaper } from './report-paper.tsx';
import { partNames, possibleParts, type ReportPart } from './report-parts.tsx';
import { reportKey } from './use-report.ts';

/** The current view as a report for other people: a preview of what is printed, and which sections it has. */
export function Report({ stage }: { readonly stage: Stage | undefined }) {
  const explorer = useExplorer();
  const { store } = explorer;
  const [parts] = useState(() => possibleParts(explorer, store.getState(), hasPicture(explorer, stage)));
  const [left, setLeft] = useState<ReadonlySet<ReportPart>>(new Set());
  const paper = useRef<HTMLElement>(null);
  const isLoading = useIsFetching({ queryKey: reportKey(explorer) }) > 0;
  const printer = useRef<ArticlePrinter>(undefined);
  useEffect(() => {
    printer.current = createArticlePrinter(() => paper.current);
    return () => printer.current?.end();
  }, []);
  // Back and links lead to another view, and the report is about the one that it was opened from.
  useEffect(
    () =>
      store.subscribe((now, before) => {
        if (now.addressVersion !== before.addressVersion) store.setState({ reportOpen: false });
      }),
    [store],
  );
  const toggle = (part: ReportPart, isShown: boolean) => {
    const next = new Set(left);
    if (isShown) next.delete(part);
    else next.add(part);
    setLeft(next);
  };
  return (
    <Dialog
      open
      place="page"
      title="Report"
      description="A preview of what is printed. To save it as a PDF, use the print dialog of your browser."
      onOpenChange={(open) => !open && store.setState({ reportOpen: false })}
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
          <fieldset className="m-0 flex flex-wrap gap-x-5 gap-y-1 border-0 p-0">
            <legend className="sr-only">Sections</legend>
            {parts.map((part) => (
              <Checkbox
                key={part}
                label={partNames[part]}
                checked={!left.has(part)}
                onChange={(isShown) => toggle(part, isShown)}
              />
            ))}
          </fieldset>
          <Button
            variant="primary"
            className="ml-auto"
            disabled={isLoading}
            icon={<Printer size={18} />}
            onClick={() => void printer.current?.print()}
          >
            {isLoading ? 'Loading…' : 'Print'}
          </Button>
        </div>
        <div className="rounded-card bg-sunken p-3 max-md:p-0">
          <ReportPaper ref={paper} stage={stage} parts={parts.filter((part) => !left.has(part))} />
        </div>
      </div>
    </Dialog>
  );
}

/** Prints an article on pages of its own, in the light theme. */
type ArticlePrinter = {
  readonly print: () => Promise<void>;
  readonly end: () => void;
};

/**
 * While the browser prints, the style sheet shows only a copy of the article. The print command of the browser prints
 * it as well.
 */
function createArticlePrinter(article: () => HTMLElement | null): ArticlePrinter {
  let copy: HTMLElement | undefined;
  let isPrinting = false;
  const removeCopy = () => {
    copy?.remove();
    copy = undefined;
  };
  // Some browsers never say that printing has ended, so an earlier copy may still be here.
  const renewCopy = () => {
    removeCopy();
    copy = article()?.cloneNode(true) as HTMLElement | undefined;
    if (!copy) return;
    copy.className = 'printed-article';
    document.body.append(copy);
  };
  const begin = () => {
    if (!isPrinting) renewCopy();
  };
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', removeCopy);
  return {
    async print() {
      renewCopy();
      // A copied picture is decoded again, and is left out until then.
      await Promise.allSettled(Array.from(copy?.querySelectorAll('img') ?? [], (picture) => picture.decode()));
      // The report may have been closed in the meantime.
      if (!copy) return;
      isPrinting = true;
      window.print();
      isPrinting = false;
    },
    end() {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', removeCopy);
      removeCopy();
    },
  };
}
