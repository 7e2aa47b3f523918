/** What tells search engines, beside the page itself, not to list a project that is read by its link alone. */
export const indexingHeaders = (isListed: boolean): Record<string, string> =>
  isListed ? {} : { 'x-robots-tag': 'noindex' }
