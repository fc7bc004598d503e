/** The query string of the page URL, as the explorer reads and writes it. */
export interface AddressBar {
  /** From the question mark on; empty if there is none. */
  read(): string;
  /** `push` adds a history entry that Back undoes, `replace` does not. */
  write(search: string, how: 'push' | 'replace'): void;
  /** Called for every change that {@link AddressBar.write} did not make: Back, Forward, a followed link. */
  listen(onChange: () => void): () => void;
}
