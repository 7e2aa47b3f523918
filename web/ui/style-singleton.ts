import { useEffect, useRef } from 'react'

/**
 * In place of the module `react-style-singleton` (vite.config.ts), by which the scroll lock beneath radix dialogs sets
 * its rules: that one inserts a style element, which the content security policy forbids; a constructed style sheet needs
 * no leave. However many dialogs are open, the rules of the first of them hold until the last is closed.
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
    // As they are when they are first needed: they are measured on a page that still has its scroll bar.
    const first = useRef(styles)
    useEffect(() => {
      add(first.current)
      return remove
    }, [])
    return null
  }
}
