import { client } from '../../api/client.ts';
import { toRefusal } from '../../api/refusal.ts';
import type { PlanWrite } from '../../explore/model/plan-state.ts';
import type { PlanCalls } from '../../explore/model/source.ts';

/** The plan of the data of a visualization, stored on the server. */
export function planCallsOf(id: string): PlanCalls {
  return {
    read: (since) => client.plans.read({ id, since }),
    write: (write) => send(id, write),
    people: async () => (await client.plans.people({ id })).people,
    history: (entry) => client.plans.history({ id, entry }),
    totals: (branch) => client.plans.totals({ id, ...(branch !== undefined && { branch }) }),
    figures: (filter, signal) => client.plans.figures({ id, filter }, { signal }),
    suggestions: () => client.plans.suggestions({ id }),
    setLead: async (lead) => {
      await client.plans.lead({ id, lead });
    },
    offer: async () => (await client.plans.offer({ id })).offer ?? null,
    choose: async (plan) => (await client.plans.choose({ id, plan })).isContinued,
    isLost: (failure) => lostCodes.has(toRefusal(failure).code),
  };
}

function send(id: string, write: PlanWrite) {
  const { batch } = write;
  if (write.kind === 'undo') return client.plans.undo({ id, batch, undone: write.undone });
  if (write.kind === 'move') return client.plans.move({ id, batch, moves: [...write.moves] });
  const { base, targets, set, addTags, removeTags } = write;
  return client.plans.change({
    id,
    batch,
    base,
    targets: [...targets],
    set,
    addTags: [...addTags],
    removeTags: [...removeTags],
  });
}

/** After these the same request can succeed later. */
const lostCodes: ReadonlySet<string> = new Set([
  'fault/offline',
  'fault/unavailable',
  'plan/too-many-writes',
  'visualization/being-rebuilt',
]);
