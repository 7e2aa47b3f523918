import { useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '#web/api/api-error.ts'
import { IssuerFailure } from '#web/identity/provider.ts'
import { withRedirect } from '#web/identity/redirect.ts'
import { useIsMounted } from '#web/ui/layout/use-is-mounted.ts'

/**
 * Returns a function that opens the screen for a code if a sign-in requires one, unless the sign-in screen was left in the
 * meantime. It rejects for other errors of the sign-in.
 */
export function useSecondStep(): (signIn: Promise<void>) => Promise<void> {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const isMounted = useIsMounted()
  return async (signIn) => {
    try {
      await signIn
    } catch (error) {
      if (!needsCode(error)) throw error
      if (isMounted()) await navigate(withRedirect('/login/code', search))
    }
  }
}

const needsCode = (error: unknown): boolean =>
  (error instanceof ApiError && error.code === 'second_factor_required') ||
  (error instanceof IssuerFailure && error.outcome === 'second-factor')
