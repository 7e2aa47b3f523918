/** The header that asks search engines, beside the page itself, not to list an unlisted project. */
export const indexingHeaders = (isListed: boolean): Record<string, string> =>
  isListed ? {} : { 'x-robots-tag': 'noindex' }
