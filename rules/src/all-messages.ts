import { textsOf } from './catalogue.ts';
import { draftMessages } from './draft-messages.ts';
import { explorerMessages } from './explorer-messages.ts';
import { listMessages } from './list-messages.ts';
import { messages as commonMessages } from './messages.ts';
import { planMessages } from './plan-messages.ts';
import { scoreMessages } from './score-messages.ts';

/** Texts about webhooks. */
const webhookMessages = {
  'webhook/url': 'Enter an address that begins with https://',
  'webhook/https': 'Only https:// is possible, unless WEBHOOK_ALLOW names the host.',
  'webhook/user-info': 'An address must have no user name and no password.',
  'webhook/port': 'The port must be 443, or 1024 or above.',
  'webhook/private': 'This address is not on the public internet. An operator can allow its host with WEBHOOK_ALLOW.',
  'webhook/unknown-host': 'No server has this name.',
  'webhook/unreachable': 'No connection',
  'webhook/certificate': 'No valid certificate',
  'webhook/too-slow': 'No answer in time',
  'webhook/off': 'The webhook was switched off',
  'webhook/full': (p: { max: number }) => `There can be ${p.max} webhooks. Remove one first.`,
  'webhook/not-found': 'This webhook has already been removed.',
  'webhook/delivery-not-found': 'This delivery is no longer in the log.',
  'webhook/not-added': (p: { reason: string }) => `The webhook was not added: ${p.reason}`,
  'webhook/not-removed': (p: { reason: string }) => `The webhook was not removed: ${p.reason}`,
  'webhook/removed': (p: { url: string }) => `Nothing is sent to ${p.url} any more.`,
  'webhook/not-switched': (p: { reason: string }) => `The webhook was not switched: ${p.reason}`,
  'webhook/not-sent': (p: { reason: string }) => `Nothing was sent: ${p.reason}`,
  'webhook/copied': 'Secret copied',
} as const;

/** Texts about links to a visualization. */
const linkMessages = {
  'link/ended': 'This link is no longer valid.',
  'link/resting': 'This link does not work at the moment. Ask the person who sent it to you.',
  'link/sign-in': 'This link is for one account. Sign in with it, then open the link again.',
  'link/other-account': 'This link is for another account. Sign in with the account that it was created for.',
  'link/too-many': (p: { seconds: number }) => `Too many requests. Please wait ${p.seconds} seconds and try again.`,
  'link/reopen':
    'Open the link again from the message that you received. For security, this is required every 12 hours.',
  'link/client-off':
    'Links for people without an account are switched off. An administrator can allow them in the settings.',
  'link/full': (p: { max: number }) => `A visualization can have ${p.max} links at a time. Revoke one first.`,
  'link/not-found': 'This link has already ended.',
  'link/email': 'Enter the email of an account.',
  'link/unnamed': 'Enter who the link is for.',
  'link/not-made': (p: { reason: string }) => `The link was not created: ${p.reason}`,
  'link/not-revoked': (p: { reason: string }) => `The link was not revoked: ${p.reason}`,
  'link/revoked': (p: { name: string }) => `The link for ${p.name} is revoked. Open pages stop working at once.`,
  'link/copied': 'Link copied',
} as const;

/** Texts about what only programs do: imports with one request, and requests with a key. */
const importMessages = {
  'request/key': 'The Idempotency-Key must be 1 to 200 visible ASCII characters.',
  'request/key-reused': 'This Idempotency-Key belongs to another request. Use a new key for each request.',
  'request/key-under-way':
    'The first request with this Idempotency-Key has no response yet: it is still running, or its server stopped. Check whether its result exists; if not, use another key.',
  'import/no-name': 'The file needs a name: put it at the end of the address, or add ?name= to it.',
  'import/no-length': 'The request must state the length of the file (Content-Length), and must not be compressed.',
  'import/too-large': (p: { max: number }) =>
    `One request can send up to ${p.max} MB. Send larger files with tus: see /docs.`,
  'import/unknown-option': (p: { name: string; options: string }) =>
    `There is no option ${p.name}. The options are: ${p.options}.`,
  'import/option': (p: { name: string; values: string }) =>
    `The option ${p.name} is not valid. Use one of: ${p.values}.`,
  'import/option-form': (p: { name: string; form: string }) =>
    `The option ${p.name} is not valid. It must be ${p.form}.`,
  'import/options-file':
    'import.json next to the file is not an object of options, such as {"publish": "yes"}. Correct it, and put the file into the folder again.',
  'import/no-active': 'There is no active visualization to update. Use new instead of active to start one.',
  'import/not-active':
    'This visualization is no longer its owner’s active one. Use active instead of its ID to update the active one, or activate this one first.',
  'import/overtaken':
    'Another list was published meanwhile, so this draft no longer updates the active visualization. Import its list again.',
  'import/hierarchy-published':
    'A hierarchy cannot wait as a draft: it is published once it has been read. Add publish=yes to confirm that.',
} as const;

/** Texts about access tokens. */
const tokenMessages = {
  'token/invalid': 'This access token is not valid: it was revoked, has expired, or never existed.',
  'token/never': 'No access token can do this. Sign in with a browser.',
  'token/scope': (p: { scope: string }) => `This access token lacks the scope “${p.scope}”.`,
  'token/one-visualization': 'This access token is for one visualization only.',
  'token/too-many': (p: { seconds: number }) => `Too many requests. Please wait ${p.seconds} seconds and try again.`,
  'token/full': (p: { max: number }) => `An account can have ${p.max} access tokens at a time. Revoke one first.`,
  'token/unnamed': 'Enter what the token is for.',
  'token/ended-before': 'Choose a day in the future.',
  'token/too-long': (p: { days: number }) => `A token is valid for at most ${p.days} days.`,
  'token/not-found': 'This access token has already ended.',
  'token/not-made': (p: { reason: string }) => `The access token was not created: ${p.reason}`,
  'token/not-revoked': (p: { reason: string }) => `The access token was not revoked: ${p.reason}`,
  'token/revoked': (p: { name: string }) => `“${p.name}” is revoked and no longer works.`,
  'token/copied': 'Token copied',
} as const;

/** Texts about warnings. */
const warningMessages = {
  'warnings/dismissed': 'Dismissed. It stays dismissed after a new upload.',
  'warnings/restored': 'Restored',
  'warnings/not-found': 'This warning is not dismissed any more.',
  'warnings/full': (p: { max: number }) => `No more than ${p.max} warnings can be dismissed. Restore some first.`,
  'warnings/thresholds': 'These thresholds are not possible.',
  'warnings/not-dismissed': (p: { reason: string }) => `The warning was not dismissed: ${p.reason}`,
  'warnings/not-restored': (p: { reason: string }) => `The warning was not restored: ${p.reason}`,
  'warnings/not-set': (p: { reason: string }) => `The thresholds were not saved: ${p.reason}`,
} as const;

/**
 * Every text that is shown because something happened, including those about parts of the explorer, keyword lists, drafts,
 * links, access tokens, plans, scores, warnings and webhooks. Screens that have nothing to do with these import `messages.ts` alone.
 */
export const messages = {
  ...commonMessages,
  ...explorerMessages,
  ...linkMessages,
  ...importMessages,
  ...listMessages,
  ...draftMessages,
  ...planMessages,
  ...scoreMessages,
  ...tokenMessages,
  ...warningMessages,
  ...webhookMessages,
};

export const { say, sayRefusal, sayError } = textsOf(messages);
