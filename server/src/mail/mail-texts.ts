import { shownName } from '@kc/rules/account';
import { paths } from '@kc/rules/paths';
import type { ImportChanges } from '@kc/rules/webhook';
import type { Config } from '../config.ts';
import { htmlText } from '../http/html-text.ts';
import type { Mail } from './mailer.ts';

type Addressee = { readonly email: string; readonly displayName: string };

type Sender = Pick<Config, 'baseUrl' | 'supportEmail'>;

/** The link for setting a new password. */
export function resetLetter(person: Addressee, token: string, sender: Sender): Mail {
  return letter(person, sender, {
    subject: 'Set a new password',
    before: 'Somebody, hopefully you, asked for a new password for your account. Set it with this link:',
    links: [{ text: 'Set a new password', link: linkTo(paths.resetPassword, token, sender) }],
    after:
      'The link works once, for 30 minutes. If it was not you who asked, do nothing: your password stays as it is.',
  });
}

/** The link that confirms the address of a sign-up. */
export function verificationLetter(person: Addressee, token: string, sender: Sender): Mail {
  return letter(person, sender, {
    subject: 'Confirm your email address',
    before: 'An account was made with this email address. If it is yours, confirm it with this link:',
    links: [{ text: 'Confirm my email address', link: linkTo(paths.verifyEmail, token, sender) }],
    after: 'The link works once, for 24 hours. If you did not make this account, do nothing.',
  });
}

/** Entries of plans that somebody was made the owner of. `by`: who did it; `path`: the names from below the root. */
type Assigned = {
  readonly by: readonly string[];
  readonly entries: readonly { readonly map: string; readonly path: readonly string[]; readonly link: string }[];
};

/** What somebody was made the owner of. Long lists name the first ones. */
export function assignmentLetter(person: Addressee, { by, entries }: Assigned, sender: Sender): Mail {
  const names = by.length === 0 ? 'Somebody' : new Intl.ListFormat('en').format(by.slice(0, maxNamed));
  const listed = entries.slice(0, maxListed).map(({ map, path, link }) => ({ text: [map, ...path].join(' › '), link }));
  const signIn = `To open the plan, sign in with the account of this email address. ${switchedOff}`;
  const [only] = listed;
  if (only && entries.length === 1) {
    return letter(person, sender, {
      subject: 'You are now the owner of a plan entry',
      before: `${names} made you the owner of “${only.text}”.`,
      links: [{ text: 'Open it in the plan', link: only.link }],
      after: signIn,
    });
  }
  const remaining = entries.length - listed.length;
  return letter(person, sender, {
    subject: `You are now the owner of ${entries.length} plan entries`,
    before: `${names} made you the owner of these entries:`,
    links: listed,
    after: remaining === 0 ? signIn : `${remaining} more are in the plan under your name. ${signIn}`,
  });
}

/** What became of an import of somebody else, or of a program. `changes`: undefined if it could not be compared with the one before. */
type Imported = {
  readonly map: string;
  readonly keywords: number;
  /** Whether nothing of these data was there before. */
  readonly isFirst: boolean;
  readonly changes: ImportChanges | undefined;
  readonly link: string;
};

/** A map of somebody was published: what changed, in the figures of the panel “Changes”. */
export function importLetter(
  person: Addressee,
  { map, keywords, isFirst, changes, link }: Imported,
  sender: Sender,
): Mail {
  const size = counted(keywords, 'keyword');
  const signIn = `To open it, sign in with the account of this email address. ${switchedOff}`;
  return letter(person, sender, {
    subject: isFirst ? 'You have a new map' : 'Your map has new data',
    before: isFirst ? `“${map}” is there, with ${size}.` : `“${map}” has new data: ${size}.`,
    facts: changes ? factsOf(changes) : [],
    links: [{ text: changes ? 'See what changed' : 'Open the map', link }],
    after:
      isFirst || changes
        ? signIn
        : `What changed could not be computed. The map shows it when it is compared. ${signIn}`,
  });
}

function factsOf({ keywords, clusters, planEntries }: ImportChanges): string[] {
  const line = (level: string, { new: added, gone, moved, volumeUp, volumeDown }: ImportChanges['keywords']) =>
    `${level}: ${exact(added)} new, ${exact(gone)} gone, ${exact(moved)} moved, ${exact(volumeUp)} with more volume, ${exact(volumeDown)} with less`;
  return [
    line('Keywords', keywords),
    line('Clusters', clusters),
    ...(planEntries === undefined ? [] : [`Entries of the plan that need a look: ${exact(planEntries)}`]),
  ];
}

const exact = (count: number): string => count.toLocaleString('en-US');
const counted = (count: number, what: string): string => `${exact(count)} ${count === 1 ? what : `${what}s`}`;

type FailedImport = { readonly name: string; readonly reason: string; readonly link: string };

type WaitingList = { readonly name: string; readonly reasons: readonly string[]; readonly link: string };

/** The list of a program is a draft that does not publish itself. */
export function waitingLetter(person: Addressee, { name, reasons, link }: WaitingList, sender: Sender): Mail {
  return letter(person, sender, {
    subject: 'A list waits for you',
    before:
      reasons.length === 0
        ? `“${name}” was read, and waits as a draft.`
        : `“${name}” was read, and waits as a draft. It was not published by itself:`,
    facts: reasons,
    links: [{ text: 'Open the draft', link }],
    after: `The map that you had is unchanged until you publish it. ${switchedOff}`,
  });
}

/** An import that a program made has failed. */
export function failedImportLetter(person: Addressee, { name, reason, link }: FailedImport, sender: Sender): Mail {
  return letter(person, sender, {
    subject: 'An import has failed',
    before: `“${name}” could not be imported: ${reason}`,
    links: [{ text: 'Open your maps', link }],
    after: `The map that you had is unchanged. ${switchedOff}`,
  });
}

/** Of what people can do without. Source: rules/src/mail-api.ts */
const switchedOff = 'To get no more of these emails, open “Emails” in the user menu.';
const maxNamed = 5;
const maxListed = 20;

/** The token is in the fragment, so that it reaches no log and no referrer; the host is always that of `BASE_URL`. */
const linkTo = (path: string, token: string, { baseUrl }: Sender): string => new URL(`${path}#${token}`, baseUrl).href;

type Body = {
  readonly subject: string;
  readonly before: string;
  /** A paragraph each, before the links. */
  readonly facts?: readonly string[];
  /** One, whose text is that of a button; or a list of named ones. */
  readonly links: readonly { readonly text: string; readonly link: string }[];
  readonly after: string;
};

function letter(person: Addressee, { supportEmail }: Sender, body: Body): Mail {
  const greeting = `Hello ${shownName(person)},`;
  const foot = supportEmail ? `Questions? Write to ${supportEmail}.` : '';
  const isList = body.links.length > 1;
  const links = body.links.map(({ text, link }) => (isList ? `${text}\n${link}` : link));
  const { facts = [] } = body;
  const lines = [greeting, body.before, ...facts, ...links, body.after, foot, 'Keyword Clustering'];
  return {
    to: person.email,
    subject: body.subject,
    text: `${lines.filter(Boolean).join('\n\n')}\n`,
    html: page([
      paragraph(greeting),
      paragraph(body.before),
      ...facts.map(paragraph),
      ...body.links.map(({ text, link }) => `<p><a href="${htmlText(link)}">${htmlText(text)}</a></p>`),
      isList ? '' : paragraph(`If the link does not open, copy this address: ${body.links[0]!.link}`),
      paragraph(body.after),
      foot && paragraph(foot),
      paragraph('Keyword Clustering'),
    ]),
  };
}

const page = (parts: readonly string[]): string =>
  `<!doctype html>\n<html lang="en">\n<body>\n${parts.filter(Boolean).join('\n')}\n</body>\n</html>\n`;

const paragraph = (text: string): string => `<p>${htmlText(text)}</p>`;
