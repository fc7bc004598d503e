import { shownName } from '@kc/rules/account';
import { paths } from '@kc/rules/paths';
import type { Config } from '../config.ts';
import type { Mail } from './mailer.ts';

export type Addressee = { readonly email: string; readonly displayName: string };

type Sender = Pick<Config, 'baseUrl' | 'supportEmail'>;

/** The link for setting a new password. */
export function resetLetter(person: Addressee, token: string, sender: Sender): Mail {
  return letter(person, sender, {
    subject: 'Set a new password',
    before: 'Somebody, hopefully you, asked for a new password for your account. Set it with this link:',
    link: linkTo(paths.resetPassword, token, sender),
    button: 'Set a new password',
    after:
      'The link works once, for 30 minutes. If it was not you who asked, do nothing: your password stays as it is.',
  });
}

/** The link that confirms the address of a sign-up. */
export function verificationLetter(person: Addressee, token: string, sender: Sender): Mail {
  return letter(person, sender, {
    subject: 'Confirm your email address',
    before: 'An account was made with this email address. If it is yours, confirm it with this link:',
    link: linkTo(paths.verifyEmail, token, sender),
    button: 'Confirm my email address',
    after: 'The link works once, for 24 hours. If you did not make this account, do nothing.',
  });
}

/** The token is in the fragment, so that it reaches no log and no referrer; the host is always that of `BASE_URL`. */
const linkTo = (path: string, token: string, { baseUrl }: Sender): string => new URL(`${path}#${token}`, baseUrl).href;

type Body = {
  readonly subject: string;
  readonly before: string;
  readonly link: string;
  readonly button: string;
  readonly after: string;
};

function letter(person: Addressee, { supportEmail }: Sender, body: Body): Mail {
  const greeting = `Hello ${shownName(person)},`;
  const foot = supportEmail ? `Questions? Write to ${supportEmail}.` : '';
  const lines = [greeting, body.before, body.link, body.after, foot, 'Keyword Clustering'];
  return {
    to: person.email,
    subject: body.subject,
    text: `${lines.filter(Boolean).join('\n\n')}\n`,
    html: page([
      paragraph(greeting),
      paragraph(body.before),
      `<p><a href="${escaped(body.link)}">${escaped(body.button)}</a></p>`,
      paragraph(`If the link does not open, copy this address: ${body.link}`),
      paragraph(body.after),
      foot && paragraph(foot),
      paragraph('Keyword Clustering'),
    ]),
  };
}

const page = (parts: readonly string[]): string =>
  `<!doctype html>\n<html lang="en">\n<body>\n${parts.filter(Boolean).join('\n')}\n</body>\n</html>\n`;

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Names are user input: text in the mail, never markup. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]!);
