import { codeOfProblem } from '@kc/cluster/lists/list-refusal';
import type { RowReport } from '@kc/cluster/read/data-rows';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Refusal } from '@kc/rules/result';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { countText } from '../../ui/number-text.ts';

const shownProblems = 20;

/** The rows that could not be read, with line, reason and beginning. All listed ones can be copied. */
export function ProblemList({ problems, unreadable }: Pick<RowReport, 'problems' | 'unreadable'>) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const lines = problems.map(({ line, reason, text }) => `${line}\t${reasonText(reason)}\t${text}`);
    await navigator.clipboard.writeText(lines.join('\n'));
    setCopied(true);
  };
  const Icon = copied ? Check : Copy;
  return (
    <details className="text-small">
      <summary className="cursor-pointer rounded-chip py-1 font-medium text-ink">
        {countText(unreadable)} unreadable {unreadable === 1 ? 'row' : 'rows'}
      </summary>
      <ol className="mt-1 flex flex-col gap-1 rounded-control bg-sunken p-3">
        {problems.slice(0, shownProblems).map(({ line, reason, text }) => (
          <li key={`${line} ${reason}`} className="wrap-anywhere">
            <span className="font-medium tabular-nums">Line {countText(line)}</span>: {reasonText(reason)}
            {text !== '' && <code className="block font-mono text-micro text-muted">{text}</code>}
          </li>
        ))}
        {unreadable > shownProblems && <li className="text-muted">and {countText(unreadable - shownProblems)} more</li>}
      </ol>
      <Button size="dense" className="mt-2" icon={<Icon size={16} strokeWidth={1.75} aria-hidden />} onClick={copy}>
        {copied ? 'Copied' : problems.length < unreadable ? `Copy the first ${countText(problems.length)}` : 'Copy'}
      </Button>
    </details>
  );
}

const reasonText = (reason: Parameters<typeof codeOfProblem>[0]): string =>
  sayRefusal({ code: codeOfProblem(reason) } as Refusal);
