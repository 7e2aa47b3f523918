import { useEffect, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '#web/api/api-error.ts'
import { GoogleFailure } from '#web/identity/provider.ts'
import { withRedirect } from '#web/identity/redirect.ts'

/**
 * Returns a function that opens the screen for a code where a sign-in asks for one, unless the screen that signs in was left
 * meanwhile. It rejects as the sign-in does otherwise.
 */
export function useSecondStep(): (signIn: Promise<void>) => Promise<void> {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return async (signIn) => {
    try {
      await signIn
    } catch (error) {
      if (!needsCode(error)) throw error
      if (isMounted.current) await navigate(withRedirect('/login/code', search))
    }
  }
}

const needsCode = (error: unknown): boolean =>
  (error instanceof ApiError && error.code === 'second_factor_required') ||
  (error instanceof GoogleFailure && error.outcome === 'second-factor')
