/** Something is under way; words beside it say what. */
export function OrbitingMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="motion size-5 animate-[orbit_1.2s_linear_infinite]">
      <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="1.5" opacity="0.35" />
      <circle cx="12" cy="3" r="2.5" fill="currentColor" />
      <circle cx="12" cy="12" r="3" fill="currentColor" />
    </svg>
  );
}
