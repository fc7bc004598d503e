import { limits } from '@kc/rules/limits';

/** A planet whose moon comes round once per automatic check. Give it the last check as `key`, so that it starts anew. */
export function Orbit() {
  return (
    <svg viewBox="0 0 96 96" aria-hidden="true" className="size-24 short:size-16">
      <circle
        cx="48"
        cy="48"
        r="36"
        fill="none"
        strokeWidth="1.5"
        strokeDasharray="2 5"
        className="stroke-line-strong"
      />
      <circle cx="48" cy="48" r="16" className="fill-brand-soft" />
      <circle cx="48" cy="48" r="10" className="fill-brand" />
      <g className="motion origin-center" style={{ animation: `orbit ${limits.statusPollMs}ms linear infinite` }}>
        <circle cx="48" cy="12" r="9" className="fill-surface" />
        <circle cx="48" cy="12" r="5.5" className="fill-warn" />
      </g>
    </svg>
  );
}
