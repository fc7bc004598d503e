/**
 * In place of the browser's `XMLHttpRequest`, with which files are sent: its requests take the way of `fetch`, so that
 * handlers of the API answer them.
 */
class FetchedRequest {
  readonly upload: { onprogress?: (event: Pick<ProgressEvent, 'lengthComputable' | 'loaded' | 'total'>) => void } = {};
  onload: () => void = () => undefined;
  onerror: (error: unknown) => void = () => undefined;
  status = 0;
  responseText = '';
  readonly #headers = new Headers();
  readonly #ended = new AbortController();
  #method = '';
  #url = '';
  #answered = new Headers();

  open(method: string, url: string): void {
    this.#method = method;
    this.#url = url;
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }
  getResponseHeader(name: string): string | null {
    return this.#answered.get(name);
  }
  abort(): void {
    this.#ended.abort();
  }
  send(body: Blob | null): void {
    this.#send(body).then(
      () => {
        if (!this.#ended.signal.aborted) this.onload();
      },
      (error: unknown) => {
        if (!this.#ended.signal.aborted) this.onerror(error);
      },
    );
  }
  async #send(body: Blob | null): Promise<void> {
    const { signal } = this.#ended;
    const size = body?.size ?? 0;
    this.upload.onprogress?.({ lengthComputable: true, loaded: size, total: size });
    const answer = await fetch(this.#url, { method: this.#method, headers: this.#headers, body, signal });
    this.status = answer.status;
    this.#answered = answer.headers;
    this.responseText = await answer.text();
  }
}

globalThis.XMLHttpRequest = FetchedRequest as unknown as typeof XMLHttpRequest;
