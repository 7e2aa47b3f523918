import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from '#web/identity/session.tsx'

/**
 * Ends the session and goes to the landing page, or reloads it when already there: not after a failure, whose message
 * would go with the page.
 */
export function useSignOut() {
  const session = useSession()
  const { signOut } = session
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const isLeaving = useRef(false)

  // This page forgets the person only once the landing page stands: the guard of a screen that still stood would
  // answer by going to /login, and `navigate` resolves before React has shown where it leads.
  useEffect(() => {
    if (!isLeaving.current || pathname !== '/') return
    isLeaving.current = false
    void signOut()
  }, [pathname, signOut])

  return async function leave() {
    if (pathname === '/') {
      if (await signOut()) window.location.reload()
    } else {
      isLeaving.current = true
      session.leave()
      await navigate('/')
    }
  }
}
