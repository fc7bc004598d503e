/** Ignores the AbortError of a page transition that a newer navigation skipped. The router does not handle it. */
export function ignoreSkippedTransition(event: PromiseRejectionEvent): void {
  const { reason } = event;
  const skipped = reason instanceof DOMException && ['AbortError', 'InvalidStateError'].includes(reason.name);
  if (skipped && /transition/i.test(reason.message)) event.preventDefault();
}
