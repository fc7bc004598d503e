import { type Asker, standingOf } from './actors.ts';

/** The parts of a request other than method and path. The stage's `thing` replaces `{id}` in the path. */
export type Ask = {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: string;
};

export const aDescription = () => ({ body: { description: 'Spring research' } });
export const aHeader = () => ({ body: { header: 'a5'.repeat(32) } });
export const aMap = () => ({ body: { fieldMap: { sv: 'volume' } } });
export const aPreset = () => ({ body: { name: 'Easy', filter: 'difficulty-_30' } });
export const aScore = () => ({ body: { name: 'Ease', score: 'branch.100-difficulty' } });
export const aView = () => ({ body: { name: 'Spring', state: 'view=sunburst' } });
export const nothing = () => ({});
export const notFound = { missing: 'request/not-found' } as const;
const noVisualization = { missing: 'visualization/not-found' } as const;
export const ofPreset = { who: 'approved', names: 'preset', refused: { missing: 'filter/preset-not-found' } } as const;
export const ofScore = { who: 'approved', names: 'score', refused: { missing: 'score/not-found' } } as const;
export const ofView = { who: 'approved', names: 'view', refused: { missing: 'visualization/view-not-found' } } as const;
export const ofVisualization = { who: 'approved', names: 'visualization', refused: noVisualization } as const;
/** Counts the different filters and scores that the user requested. */
export const counted = { ...ofVisualization, writes: ['rate_limits'] } as const;
/** A download adds an audit log entry, and downloads are rate-limited. */
export const taken = { ...ofVisualization, writes: ['audit_log', 'rate_limits'] } as const;
export const tus = { 'tus-resumable': '1.0.0' } as const;
export const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** For actors whose email is on the built-in list, the claim link is the only proof. */
export const unlessBuiltIn =
  (code: string) =>
  ({ actor }: Asker): number | string =>
    actor.includes('built-in') ? code : 200;

/** An upload of a JSON file is an administrator's, even one that its sender began as an administrator. */
export const ofUpload =
  (status: number) =>
  ({ actor }: Asker): number | string =>
    standingOf[actor] === 'admin' ? status : 'admin/only';
export const ofDraft = { who: 'approved', names: 'draft', refused: { missing: 'draft/not-found' } } as const;
/** For calls that reach the draft and then find that the page knows another state of it. */
export const late = 9;
