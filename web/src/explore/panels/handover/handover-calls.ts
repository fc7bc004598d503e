import { say } from '@kc/rules/all-messages';
import type { Explorer } from '../../model/explorer.ts';
import type { AskedHandover, HandoverCalls, HandoverText } from '../../model/source.ts';

const loading = new WeakMap<Explorer, Promise<HandoverCalls>>();

/** The calls for files for other people, loaded once. Only for an explorer that has them. */
export function handoverCalls(explorer: Explorer): Promise<HandoverCalls> {
  const calls = loading.get(explorer) ?? explorer.source.handover!();
  loading.set(explorer, calls);
  calls.catch(() => loading.delete(explorer));
  return calls;
}

/** Copies a file in Markdown, and says so. It must be called by what a person does: browsers ask for that. */
export function copyMarkdown(
  explorer: Explorer,
  file: HandoverText,
  asked: AskedHandover,
  toast: (text: string) => void,
): void {
  const text = handoverCalls(explorer).then((calls) => calls.text(file, asked));
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
