import { limits } from '@kc/rules/limits';
import { ClipboardCopy, FileCode, FileText, NotebookText } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { AskedHandover } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';
import { copyMarkdown, handoverCalls } from './handover-calls.ts';

/**
 * A button that gives briefs for some entries of the plan, all in one file. Nothing for visitors of a link that does
 * not let them take files.
 *
 * @param nodes of the entries, by their IDs; entries that the upload does not have are none
 */
export function BriefMenu({ nodes }: { readonly nodes: readonly string[] }) {
  const explorer = useExplorer();
  const toast = useToast();
  if (!explorer.source.handover || !explorer.mayDownload || nodes.length === 0) return null;
  const isTooMany = nodes.length > limits.maxBriefNodes;
  const asked: AskedHandover = { of: 'plan', node: 0, nodes, filter: '' };
  const take = (file: 'briefs.html' | 'briefs.md') =>
    handoverCalls(explorer).then(
      (calls) => {
        const link = document.createElement('a');
        link.href = calls.url(file, asked);
        link.download = '';
        link.click();
      },
      (failure: unknown) => toast(explorer.explain(failure)),
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
          <MenuItem icon={<FileText size={16} strokeWidth={2} />} onSelect={() => void take('briefs.html')}>
            Page to print (HTML)
          </MenuItem>
          <MenuItem icon={<FileCode size={16} strokeWidth={2} />} onSelect={() => void take('briefs.md')}>
            Markdown
          </MenuItem>
          <MenuItem
            icon={<ClipboardCopy size={16} strokeWidth={2} />}
            onSelect={() => copyMarkdown(explorer, 'briefs.md', asked, toast)}
          >
            Copy as Markdown
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
