/** The class of the primary button on a Space surface, which is dark in both themes. */
export const spaceButtonClass =
  'relative inline-flex h-11 items-center justify-center gap-2 rounded-control bg-(--space-action) px-5 text-body font-semibold text-space-0 no-underline motion transition duration-[80ms] hover:bg-(--space-action-hover) active:scale-[.99] disabled:opacity-60';

/** The class of a button on a Space surface that looks like a link. */
export const spaceLinkClass =
  'rounded-chip font-medium text-space-link underline-offset-4 hover:underline touch:min-h-11';
