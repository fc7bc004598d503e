import type { ReviewRange } from '@kc/cluster/draft/review-rows';
import type { ReviewPage } from '@kc/rules/draft-shapes';
import type { RequestContext } from '../accounts/require.ts';
import { asError } from '../http/refusals.ts';
import { usableDraft } from './draft-access.ts';
import { editingTurn } from './editing-turn.ts';
import { reviewInProcess } from './open-editor.ts';
import type { ChangeDeps } from './wanted-change.ts';

/**
 * A part of what an update did, as the draft is now.
 *
 * @throws the refusal as the contract's error
 */
export async function reviewDraft(
  deps: ChangeDeps,
  context: RequestContext,
  id: string,
  range: ReviewRange,
): Promise<ReviewPage> {
  await usableDraft(deps.db, context, id);
  return editingTurn(deps, id, async () => {
    // The draft may have changed while this waited.
    const draft = await usableDraft(deps.db, context, id);
    if (draft.state !== 'ready') throw asError({ code: 'draft/not-ready' });
    return reviewInProcess(deps, draft, range);
  });
}
