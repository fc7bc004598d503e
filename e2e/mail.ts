import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningServer } from './server.ts';

/**
 * Waits for the newest link to a page that was mailed to an address. Without `SMTP_URL` the server writes mails to
 * files.
 *
 * @param page its path, or with a query as far as it is known
 * @param after a link of an earlier mail, to skip
 */
export async function mailedLink(server: RunningServer, email: string, page: string, after = ''): Promise<string> {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    const link = newestLink(
      join(server.dataDir, 'mail'),
      email,
      `${server.url}${page}${page.includes('?') ? '' : '#'}`,
    );
    if (link !== undefined && link !== after) return link;
    if (Date.now() > giveUpAt) throw new Error(`No mail to ${email} with a link to ${page}:\n${server.said()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function newestLink(folder: string, email: string, start: string): string | undefined {
  const links = filesOf(folder).flatMap((name) => {
    // Quoted-printable: long lines end with a soft line break.
    const mail = readFileSync(join(folder, name), 'utf8').replaceAll('=\n', '').replaceAll('=3D', '=');
    if (!mail.includes(`To: ${email}\n`)) return [];
    const at = mail.indexOf(start);
    return at < 0 ? [] : [/^\S+/.exec(mail.slice(at))![0]];
  });
  return links.at(-1);
}

/** Oldest first: names start with the time. */
function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
