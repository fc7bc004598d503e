import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningServer } from './server.ts';

/**
 * The newest link to a page that was mailed to somebody, once it is there. Without `SMTP_URL` the server writes its mails
 * into files.
 *
 * @param after a link of an earlier mail, which is not meant
 */
export async function mailedLink(server: RunningServer, email: string, page: string, after = ''): Promise<string> {
  const giveUpAt = Date.now() + 20_000;
  for (;;) {
    const link = newestLink(join(server.dataDir, 'mail'), email, `${server.url}${page}#`);
    if (link !== undefined && link !== after) return link;
    if (Date.now() > giveUpAt) throw new Error(`No mail to ${email} with a link to ${page}:\n${server.said()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function newestLink(folder: string, email: string, start: string): string | undefined {
  const links = filesOf(folder).flatMap((name) => {
    // Long lines of a mail are folded with a sign at their end.
    const mail = readFileSync(join(folder, name), 'utf8').replaceAll('=\n', '');
    if (!mail.includes(`To: ${email}\n`)) return [];
    const at = mail.indexOf(start);
    return at < 0 ? [] : [/^\S+/.exec(mail.slice(at))![0]];
  });
  return links.at(-1);
}

/** Oldest first: a name begins with the time. */
function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
