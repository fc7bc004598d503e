/** A gate that a story keeps closed until it has seen enough. */
export type Gate = { readonly opened: Promise<void>; open(): void };

export function gate(): Gate {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
