import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  use,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { beforeAuthorized, request, whenUnauthorized } from '#web/api/client.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { readToken, storeToken } from '#web/api/token.ts'
import { toast } from '#web/ui/toast.ts'
import { providerOf } from './choose-provider.ts'
import { exclusively } from './exclusively.ts'
import type { Provider } from './provider.ts'
import { SessionManager } from './session-manager.ts'
import { LOADING, type SessionState } from './session-state.ts'

const SIGN_OUT_MS = 5_000

export type Session = SessionState &
  Pick<Provider, 'prepare'> &
  Pick<SessionManager, 'signIn' | 'signUp' | 'signInWithGoogle' | 'leave' | 'signOut'>

const SessionContext = createContext<Session | null>(null)

/** Keeps the session for everything below. On the server, and until the page is alive, it is loading. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const options = useServerOptions()?.identity
  const [provider] = useState(() => providerOf(options))
  const [manager] = useState(() => keeperOf(queryClient, provider))
  const state = useSyncExternalStore(manager.store.subscribe, manager.store.read, () => LOADING)

  // A layout effect runs before the effects in which the screens below send their first calls.
  useLayoutEffect(() => attach(manager), [manager])

  const session = useMemo<Session>(
    () => ({
      ...state,
      prepare: () => provider.prepare(),
      signIn: (email, password) => manager.signIn(email, password),
      signUp: (name, email, password) => manager.signUp(name, email, password),
      signInWithGoogle: () => manager.signInWithGoogle(),
      leave: () => manager.leave(),
      signOut: () => manager.signOut(),
    }),
    [state, manager, provider],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

/** The session, for any component below the provider. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider above it')
  return session
}

function keeperOf(queryClient: QueryClient, provider: Provider): SessionManager {
  return new SessionManager({
    provider,
    exchange: (identity) => request('exchangeToken', { body: identity }),
    readMe: () => request('readMe', {}),
    revoke: (token) =>
      request('signOut', {}, { token, keepalive: true, signal: AbortSignal.timeout(SIGN_OUT_MS) }),
    tokens: { read: readToken, store: storeToken },
    exclusively,
    say: toast.error,
    onPerson(previous) {
      // Nothing that one person has read is left for the next; a visitor's answers only become outdated.
      if (previous.user) {
        void queryClient.cancelQueries()
        queryClient.clear()
      } else if (previous.status === 'signed-out') {
        void queryClient.invalidateQueries()
      }
    },
  })
}

/** Starts the manager and tells it what happens in this tab and in the others. */
function attach(manager: SessionManager): () => void {
  const stopListening = new AbortController()
  const { signal } = stopListening
  const keepUp = () => manager.keepUp()
  addEventListener('storage', keepUp, { signal })
  // A page that comes back from the back-forward cache has heard nothing meanwhile.
  addEventListener('pageshow', keepUp, { signal })
  addEventListener('online', () => manager.retry(), { signal })
  whenUnauthorized((token) => void manager.refused(token))
  beforeAuthorized(() => manager.freshen())
  manager.start()
  return () => {
    stopListening.abort()
    manager.stop()
  }
}
