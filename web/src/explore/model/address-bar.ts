/** The query string of the page URL, as the explorer reads and writes it. */
export interface AddressBar {
  /** The query string including its question mark; empty if there is none. */
  read(): string;
  /** `push` adds a history entry that Back can undo; `replace` does not. */
  write(search: string, how: 'push' | 'replace'): void;
  /** Subscribes to changes that {@link AddressBar.write} did not make: Back, Forward, a followed link. */
  listen(onChange: () => void): () => void;
}
