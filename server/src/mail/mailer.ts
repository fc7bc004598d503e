/** A letter to one person, as plain text and as HTML that says the same. */
export type Mail = {
  /** A checked address, nothing else: no name, no second recipient. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

export type Mailer = {
  /** @throws when the mail could not be handed over; it may be tried again */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/**
 * The mail as the mail library takes it.
 *
 * @throws when a header would hold a line break or another control character: a second header could begin there
 * (security T5)
 */
export function toMessage({ to, subject, text, html }: Mail, from: string) {
  for (const header of [to, subject, from]) {
    if (/[\p{Cc}\u2028\u2029]/u.test(header)) throw new Error('A header of a mail holds a control character');
  }
  // As an object the address is taken as it is: a comma in it makes no second recipient.
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
