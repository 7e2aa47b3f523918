/** As many columns of cards as the list's own width allows. */
export const entryGridClass = 'grid gap-3 @lg:grid-cols-2 @lg:gap-4 @4xl:grid-cols-3'

/** One entry under the other. */
export const entryRowsClass = 'grid gap-2.5'
