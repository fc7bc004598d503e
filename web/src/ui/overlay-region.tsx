import { createContext, type ReactNode, type RefObject, useContext, useRef } from 'react';

const Container = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

/** The landmark for menus, popups, dialogs and tooltips, at the end of the document. */
export function OverlayRegion({ children }: { readonly children: ReactNode }) {
  const region = useRef<HTMLElement>(null);
  return (
    <Container value={region}>
      {children}
      <section ref={region} aria-label="Menus and dialogs" />
    </Container>
  );
}

/** The container for popups; the document's body outside an {@link OverlayRegion}. */
export function useOverlayContainer(): RefObject<HTMLElement | null> | undefined {
  return useContext(Container);
}
