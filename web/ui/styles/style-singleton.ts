import { useEffect, useRef } from 'react'

/**
 * Replaces the module `react-style-singleton` (vite.config.ts), which the scroll lock of radix dialogs uses. The original inserts
 * a style element, which the content security policy forbids; a constructed style sheet is allowed. The rules of the first open
 * dialog apply until the last one closes.
 */
export function styleSingleton() {
  let sheet: CSSStyleSheet | null = null
  let users = 0

  function add(styles: string) {
    users += 1
    if (sheet) return
    sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }

  function remove() {
    users -= 1
    if (users > 0) return
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    sheet = null
  }

  return function Sheet({ styles }: { styles: string }) {
    // The first rules were measured before the page lost its scroll bar.
    const first = useRef(styles)
    useEffect(() => {
      add(first.current)
      return remove
    }, [])
    return null
  }
}
