// Separate from the schemas, so that lists need no zod in the browser.

/** The choice of a cover that is no choice: the first picture of an entry, the cover of a project's newest entry. */
export const DEFAULT_COVER = 'default'
