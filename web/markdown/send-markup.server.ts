import { createContext, type RouterContextProvider } from 'react-router'

/** The HTML to render into the page, by name; null if only the data of the page was requested. */
export const markupContext = createContext<Map<string, string> | null>(null)

/**
 * Sends HTML with a page: only within its markup, so that the page does not contain it twice, or as data if only data was
 * requested. A loader includes the result in its data.
 */
export function sendMarkup(
  context: Readonly<RouterContextProvider>,
  name: string,
  html: string,
): string | undefined {
  const carried = context.get(markupContext)
  if (!carried) return html
  carried.set(name, html)
  return undefined
}
