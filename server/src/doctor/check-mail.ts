import type { SmtpMailer } from '../mail/open-mailer.ts';
import { type Finding, ok, problem, sentenceOf, warning } from './finding.ts';

/** Signs in at the mail server, and sends nothing. */
export async function checkMail(mailer: SmtpMailer | undefined): Promise<Finding[]> {
  if (!mailer)
    return [warning('mail', 'SMTP_URL is not set: mails are files in DATA_DIR/mail, and nobody receives them')];
  try {
    await mailer.verify();
    return [ok('mail', 'The mail server accepts this one')];
  } catch (error) {
    return [problem('mail', `Mails cannot be sent: ${sentenceOf(error)}`)];
  }
}
