/**
 * A page fade that a quicker next navigation cut short is no fault: the browser rejects its promise with an
 * AbortError, which the router does not take.
 */
export function ignoreSkippedTransition(event: PromiseRejectionEvent): void {
  const { reason } = event;
  const skipped = reason instanceof DOMException && ['AbortError', 'InvalidStateError'].includes(reason.name);
  if (skipped && /transition/i.test(reason.message)) event.preventDefault();
}
