/** The class of a row of a menu: a link or button of full width. */
export const menuRowClass =
  'flex w-full items-center gap-3 rounded-md px-3 py-2.5 text-left text-sm font-medium text-ink hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent pointer-coarse:py-3 pointer-coarse:text-base [&_svg]:size-4.5 [&_svg]:text-muted'
