/** The veil behind a dialog, and where on it the dialog stands. */
export const overlayClass =
  'fixed inset-0 z-40 flex animate-fade items-end justify-center overflow-hidden bg-scrim sm:items-center sm:p-6'
