import { say } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { ClipboardCopy, FileCode, FileText, NotebookText } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { Explorer } from '../../model/explorer.ts';
import type { HandoverQuery, HandoverText } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';

/**
 * A button that gives briefs for some entries of the plan, all in one file. Nothing for visitors of a link that does
 * not let them take files.
 *
 * @param nodes of the entries, by their IDs; entries that the upload does not have are none
 */
export function BriefMenu({ nodes }: { readonly nodes: readonly string[] }) {
  const explorer = useExplorer();
  const toast = useToast();
  if (!explorer.mayDownload || nodes.length === 0) return null;
  const isTooMany = nodes.length > limits.maxBriefNodes;
  const options: HandoverQuery = { of: 'plan', node: 0, nodes, filter: '' };
  const fileAt = (file: 'briefs.html' | 'briefs.md') => (
    // biome-ignore lint/a11y/useAnchorContent: the item has the text
    <a href={explorer.source.handover.url(file, options)} download="" />
  );
  return (
    <Menu
      align="end"
      trigger={
        <Button size="dense" icon={<NotebookText size={16} strokeWidth={2} />}>
          {nodes.length === 1 ? 'Brief…' : 'Briefs…'}
        </Button>
      }
    >
      {isTooMany ? (
        <p className="m-0 max-w-64 px-3 py-2 text-small text-muted">
          At most {limits.maxBriefNodes} entries at once. “Hand over…” has the briefs of the whole plan.
        </p>
      ) : (
        <>
          <MenuItem icon={<FileText size={16} strokeWidth={2} />} render={fileAt('briefs.html')}>
            Page to print (HTML)
          </MenuItem>
          <MenuItem icon={<FileCode size={16} strokeWidth={2} />} render={fileAt('briefs.md')}>
            Markdown
          </MenuItem>
          <MenuItem
            icon={<ClipboardCopy size={16} strokeWidth={2} />}
            onSelect={() => copyMarkdown(explorer, 'briefs.md', options, toast)}
          >
            Copy as Markdown
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

/** Copies a file in Markdown, and says so. It must be called by what a person does: browsers ask for that. */
export function copyMarkdown(
  explorer: Explorer,
  file: HandoverText,
  options: HandoverQuery,
  toast: (text: string) => void,
): void {
  const text = explorer.source.handover.text(file, options);
  const blob = text.then((markdown) => new Blob([markdown], { type: 'text/plain' }));
  // Without https there is no clipboard at all, which is a refusal, too.
  const write = async () => navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
  write().then(
    () => toast(say('plan/outline-copied')),
    async (refused: unknown) => {
      const failure = await text.then(
        () => refused,
        (one: unknown) => one,
      );
      const isRefused = failure === refused;
      toast(isRefused ? say('explore/copy-refused') : explorer.explain(failure));
    },
  );
}
