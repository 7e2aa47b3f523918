import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

/**
 * Does on a client-side navigation what a browser does on a new page: moves the focus to the main content and has
 * screen readers announce the title.
 */
export function RouteAnnouncer() {
  const { pathname } = useLocation()
  const previous = useRef(pathname)
  const [title, setTitle] = useState('')

  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    document.getElementById('main')?.focus({ preventScroll: true })
    setTitle(document.title)
  }, [pathname])

  return (
    <div aria-live="polite" aria-atomic="true" className="sr-only">
      {title}
    </div>
  )
}
