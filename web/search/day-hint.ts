/** Returns the sentence on how to write a day, if one of the filters that name nothing should have named one. */
export const dayHint = (unknown: string[]): string =>
  unknown.some((filter) => /^[-−－]?(?:before|after)[:：]/i.test(filter))
    ? ' A day is written like 2026-03-04, a month like 2026-03.'
    : ''
