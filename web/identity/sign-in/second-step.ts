import { useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '#web/api/api-error.ts'
import { GoogleFailure } from '#web/identity/provider.ts'
import { withRedirect } from '#web/identity/redirect.ts'

/** Returns a function that opens the screen for a code where a sign-in asks for one. It rejects as the sign-in does otherwise. */
export function useSecondStep(): (signIn: Promise<void>) => Promise<void> {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return async (signIn) => {
    try {
      await signIn
    } catch (error) {
      if (!needsCode(error)) throw error
      await navigate(withRedirect('/login/code', search))
    }
  }
}

const needsCode = (error: unknown): boolean =>
  (error instanceof ApiError && error.code === 'second_factor_required') ||
  (error instanceof GoogleFailure && error.outcome === 'second-factor')
