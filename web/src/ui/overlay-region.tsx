import { createContext, type ReactNode, type RefObject, useContext, useRef } from 'react';

const Container = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

/** The landmark that menus, popups, dialogs and tooltips are drawn into, after everything else in the document. */
export function OverlayRegion({ children }: { readonly children: ReactNode }) {
  const region = useRef<HTMLElement>(null);
  return (
    <Container value={region}>
      {children}
      <section ref={region} aria-label="Menus and dialogs" />
    </Container>
  );
}

/** Where a popup goes; the document's body outside an {@link OverlayRegion}. */
export function useOverlayContainer(): RefObject<HTMLElement | null> | undefined {
  return useContext(Container);
}
