import { say, sayRefusal } from '@kc/rules/messages';
import type { Refusal } from '@kc/rules/result';

/** Why an upload was refused, and below it what a specified text leaves open. */
export function RefusalText({ refusal }: { readonly refusal: Refusal }) {
  return (
    <>
      {sayRefusal(refusal)}
      {refusal.code === 'upload/storage-refused' && <span className="block">{say('upload/storage-full')}</span>}
    </>
  );
}
