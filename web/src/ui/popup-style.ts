/** Styles shared by menus, selects and popovers. */
export const popupClass =
  'motion rounded-card border border-line bg-surface text-ink shadow-2 outline-none transition duration-150 ' +
  'data-[ending-style]:scale-[.98] data-[ending-style]:opacity-0 data-[starting-style]:scale-[.98] data-[starting-style]:opacity-0';

export const popupItemClass =
  'flex min-h-10 w-full cursor-pointer select-none items-center gap-3 rounded-control px-3 py-1.5 text-left text-body no-underline outline-none ' +
  'data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50 data-[highlighted]:bg-brand-soft data-[highlighted]:text-brand-ink touch:min-h-12';
