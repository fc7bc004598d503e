import type { ChosenMutant } from './chosen.ts';

/** Mutants of the rules of the product. */
export const ruleMutants: readonly ChosenMutant[] = [
  {
    file: 'rules/src/access.ts',
    from: "  if (access === 'admin' && !session.isAdmin) return paths.visualization;\n",
    to: '',
    breaks: 'Everybody who is approved opens the dashboard.',
  },
  {
    file: 'rules/src/access.ts',
    from: "return session.status === 'denied' ? paths.denied : paths.pending;",
    to: 'return paths.pending;',
    breaks: 'Who is denied waits for approval forever.',
  },
  {
    file: 'rules/src/account.ts',
    from: 'statusOrder[a.status] - statusOrder[b.status] || b.createdAt - a.createdAt',
    to: 'b.createdAt - a.createdAt',
    breaks: 'Who waits for approval is no longer first in the list of users.',
  },
  {
    file: 'rules/src/account.ts',
    from: "account.displayName.trim() || (account.email.split('@')[0] ?? account.email)",
    to: 'account.displayName.trim() || account.email',
    breaks: 'People without a name are called by their whole email.',
  },
  {
    file: 'rules/src/sign-in.ts',
    from: "  if (fields.confirmation !== undefined && fields.confirmation !== fields.password) return refuse('sign-up/mismatch');\n",
    to: '',
    breaks: 'A mistyped password becomes the password of a new account.',
  },
  {
    file: 'rules/src/sign-in.ts',
    from: 'builtInAdmins.has(account.email) ? limits.minAdminPasswordLength : limits.minPasswordLength',
    to: 'limits.minPasswordLength',
    breaks: 'A reset link gives a built-in admin a password of six characters.',
  },
  {
    file: 'rules/src/settings.ts',
    from: "  if (change.version !== before.version) return refuse('settings/stale');\n",
    to: '',
    breaks: 'A save overwrites what another admin saved meanwhile.',
  },
  {
    file: 'rules/src/settings.ts',
    from: "  if (!policyEnforced) return done('pending');\n",
    to: '',
    breaks: 'A fresh server refuses every sign-up.',
  },
  {
    file: 'rules/src/settings.ts',
    from: "themeChosen: before.themeChosen || changed.includes('darkMode')",
    to: 'themeChosen: true',
    breaks: 'Saving any setting takes the theme of the system from everybody.',
  },
  {
    file: 'rules/src/upload.ts',
    from: "file.type !== 'application/json' && ",
    to: '',
    breaks: 'A JSON file without the ending .json is refused.',
  },
  {
    file: 'rules/src/upload.ts',
    from: '      return 85;\n',
    to: '      return 70;\n',
    breaks: 'The last steps of an upload are no longer shown.',
  },
  {
    file: 'rules/src/plan-merge.ts',
    from: "(spares === 'all' || last.by !== stamp.by)",
    to: "(spares === 'all' || last.by === stamp.by)",
    breaks: 'The later of two people overwrites a plan without a word.',
  },
  {
    file: 'rules/src/plan-match.ts',
    from: '      if (node === undefined || matchedNodes.has(node)) continue;\n',
    to: '      if (node === undefined) continue;\n',
    breaks: 'Two entries of a plan share one branch of a new upload.',
  },
  {
    file: 'rules/src/plan.ts',
    from: '- 11 + peak - lead',
    to: '- 11 + peak + lead',
    breaks: 'The advice is to publish after the peak.',
  },
  {
    file: 'rules/src/identity.ts',
    from: 'claim.emailVerified !== true',
    to: '!claim.emailVerified',
    breaks: 'A text such as "false" proves an email.',
  },
  { file: 'rules/src/link.ts', from: 'link.isRevoked || ', to: '', breaks: 'A revoked link goes on working.' },
  {
    file: 'rules/src/link.ts',
    from: 'requester.email === email && requester.isApproved',
    to: 'requester.isApproved',
    breaks: 'The link of one colleague opens for all colleagues.',
  },
  {
    file: 'rules/src/spreadsheet-cell.ts',
    from: '`=+\\-@|\\uff1d',
    to: '`=+\\-|\\uff1d',
    breaks: 'A keyword that begins with @ is a formula in an exported table.',
  },
  {
    file: 'rules/src/download-name.ts',
    from: "isFiltered ? ' (filtered)' : ''",
    to: "''",
    breaks: 'The name of a filtered download does not say that it is filtered.',
  },
  {
    file: 'rules/src/clustering-time.ts',
    from: 'inSteps(Math.max(0, expected - stageMs) + later * keywords)',
    to: 'inSteps(Math.max(0, expected - stageMs))',
    breaks: 'The time that clustering still takes is that of its present stage alone.',
  },
];
