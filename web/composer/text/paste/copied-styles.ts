/** The attribute that takes the place of `style`. */
export const STYLE = 'data-style'

/**
 * Parses copied HTML into an inert document. Its style attributes are renamed before, because the page's content security policy
 * would empty them, and report each as an error.
 */
export function parseCopied(html: string): Document {
  const renamed = html.replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replaceAll(/\sstyle(?=\s*=)/gi, ` ${STYLE}`),
  )
  return new DOMParser().parseFromString(renamed, 'text/html')
}

/** Returns the declarations of an element's style. */
export function styleOf(element: Element): Map<string, string> {
  const declarations = (element.getAttribute(STYLE) ?? '').slice(0, 10_000).split(';')
  return new Map(
    declarations.map((declaration) => {
      const [name = '', ...value] = declaration.split(':')
      return [name.trim().toLowerCase(), value.join(':').trim().toLowerCase()]
    }),
  )
}
