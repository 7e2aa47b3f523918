import { createContext, type RouterContextProvider } from 'react-router'

/** What the page that is being rendered is to carry; null where no page is, but only its data. */
export const markupContext = createContext<Map<string, string> | null>(null)

/**
 * Sends HTML with a page: within its markup alone, so that the page does not carry it twice, or as data where data is
 * all that is asked for. A loader passes on what this returns.
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
