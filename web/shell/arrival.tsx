import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

/**
 * Does on a change of screen what a browser does on a new page: takes the keyboard to its start
 * and has a screen reader say its title.
 */
export function Arrival() {
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
