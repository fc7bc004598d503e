import { api } from '../accounts/require.ts';
import type { planRoutes } from '../plans/plan-routes.ts';
import type { warningRoutes } from '../warnings/warning-routes.ts';
import type { visualizationRoutes } from './routes.ts';

type Own = ReturnType<typeof visualizationRoutes> & ReturnType<typeof planRoutes> & ReturnType<typeof warningRoutes>;

/**
 * The reading calls again, for the visitors of a link: the same handlers behind the guard of the link, and the call that
 * edits the plan. The visitor in
 * the context makes `access.ts` open the one visualization of the link, whatever the input names.
 */
export function sharedRoutes({ visualizations, plans, plansByLink, warnings }: Own) {
  return {
    shared: {
      fields: api.shared.fields.handler(visualizations.fields['~orpc'].handler),
      node: api.shared.node.handler(visualizations.node['~orpc'].handler),
      keywords: api.shared.keywords.handler(visualizations.keywords['~orpc'].handler),
      members: api.shared.members.handler(visualizations.members['~orpc'].handler),
      notInHierarchy: api.shared.notInHierarchy.handler(visualizations.notInHierarchy['~orpc'].handler),
      notInHierarchyKeyword: api.shared.notInHierarchyKeyword.handler(
        visualizations.notInHierarchyKeyword['~orpc'].handler,
      ),
      locate: api.shared.locate.handler(visualizations.locate['~orpc'].handler),
      histogram: api.shared.histogram.handler(visualizations.histogram['~orpc'].handler),
      search: api.shared.search.handler(visualizations.search['~orpc'].handler),
      checkScore: api.shared.checkScore.handler(visualizations.checkScore['~orpc'].handler),
      points: api.shared.points.handler(visualizations.points['~orpc'].handler),
      density: api.shared.density.handler(visualizations.density['~orpc'].handler),
      plan: api.shared.plan.handler(plans.read['~orpc'].handler),
      planTotals: api.shared.planTotals.handler(plans.totals['~orpc'].handler),
      planPeople: api.shared.planPeople.handler(plans.people['~orpc'].handler),
      changePlan: plansByLink.change,
      warnings: api.shared.warnings.handler(warnings.summary['~orpc'].handler),
      warningsOfKind: api.shared.warningsOfKind.handler(warnings.page['~orpc'].handler),
      warningsOfNode: api.shared.warningsOfNode.handler(warnings.ofNode['~orpc'].handler),
      warningMarks: api.shared.warningMarks.handler(warnings.marks['~orpc'].handler),
    },
  };
}
