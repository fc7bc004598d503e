/** The search part of the page's address, as the explorer reads and writes it. */
export interface AddressBar {
  /** From the question mark on; empty without one. */
  read(): string;
  /** `push` makes a step that Back undoes, `replace` none. */
  write(search: string, how: 'push' | 'replace'): void;
  /** Told of every change that {@link AddressBar.write} did not make: Back, Forward, a followed link. */
  listen(onChange: () => void): () => void;
}
