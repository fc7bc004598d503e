/** A mail to one person, as plain text and as equivalent HTML. */
export type Mail = {
  /** A validated address, nothing else: no name, no second recipient. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

export type Mailer = {
  /** @throws if the mail could not be delivered to the server; it can be retried */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/**
 * The mail in the format of the mail library.
 *
 * @throws if a header would contain a line break or another control character, which could begin a second header
 * (SECURITY.md, T5)
 */
export function toMessage({ to, subject, text, html }: Mail, from: string) {
  for (const header of [to, subject, from]) {
    if (/[\p{Cc}\u2028\u2029]/u.test(header)) throw new Error('A header of a mail holds a control character');
  }
  // As an object, the address is used unchanged: a comma in it makes no second recipient.
  return {
    from: { name: 'Keyword Clustering', address: from },
    to: { name: '', address: to },
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
