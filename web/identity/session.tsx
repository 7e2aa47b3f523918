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
import type { IdentityOptions } from '#contract/identity.ts'
import { canStore } from '#web/api/browser-storage.ts'
import { endSession, request, session } from '#web/api/client.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { readToken, storeToken } from '#web/api/token.ts'
import { storeDraftsAgain } from '#web/saving/drafts.ts'
import { dismissActions, toast } from '#web/ui/feedback/toast.tsx'
import { hostedProvider } from './firebase/hosted-provider.ts'
import { localProvider, type Provider, TOKEN_TIMEOUT_MS } from './provider.ts'
import { invitationOfPage } from './redirect.ts'
import { SessionManager } from './session-manager.ts'
import { LOADING, type SessionState } from './session-state.ts'

/** Long, because a slow server may still end the session. The page remains usable meanwhile. */
const SIGN_OUT_MS = 15_000

type Session = SessionState &
  Pick<Provider, 'prepare'> &
  Pick<
    SessionManager,
    'signIn' | 'signUp' | 'signInWithIssuer' | 'startSession' | 'updateUser' | 'leave' | 'stay' | 'signOut'
  >

const SessionContext = createContext<Session | null>(null)

/** Provides the session to everything below. On the server and until hydration it is loading. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const options = useServerOptions()?.identity
  const [provider] = useState(() => providerOf(options))
  const [manager] = useState(() => createManager(queryClient, provider))
  const state = useSyncExternalStore(manager.store.subscribe, manager.store.read, () => LOADING)

  // A layout effect runs before the effects in which the screens below send their first calls.
  useLayoutEffect(() => attach(manager), [manager])

  const session = useMemo<Session>(
    () => ({
      ...state,
      prepare: () => provider.prepare(),
      signIn: (email, password) => manager.signIn(email, password),
      signUp: (name, email, password) => manager.signUp(name, email, password),
      signInWithIssuer: (inThisTab) => manager.signInWithIssuer(inThisTab),
      startSession: (keepAccount) => manager.startSession(keepAccount),
      updateUser: (user) => manager.updateUser(user),
      leave: () => manager.leave(),
      stay: () => manager.stay(),
      signOut: () => manager.signOut(),
    }),
    [state, manager, provider],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Returns the session; needs a SessionProvider above. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider above it')
  return session
}

function createManager(queryClient: QueryClient, provider: Provider): SessionManager {
  return new SessionManager({
    provider,
    exchange: (identity) =>
      request(
        'exchangeToken',
        { body: { ...identity, ...invitationOfPage() } },
        { timeoutMs: TOKEN_TIMEOUT_MS },
      ),
    readMe: (token) => request('readMe', {}, { token }),
    revoke: (token) =>
      request('signOut', {}, { token, keepalive: true, signal: AbortSignal.timeout(SIGN_OUT_MS) }),
    tokens: {
      read: readToken,
      areKept: canStore,
      store(token) {
        if (token !== null) storeDraftsAgain()
        storeToken(token)
      },
    },
    withTokenLock,
    showError: toast.error,
    onUserChange(previous) {
      // One user's data is never shown to the next; a visitor's data is only outdated.
      if (previous.user) {
        endSession()
        dismissActions()
        void queryClient.cancelQueries()
        queryClient.clear()
      } else if (previous.status === 'signed-out') {
        void queryClient.invalidateQueries()
      }
    },
  })
}

/** Starts the manager and connects it to this tab's events and to the other tabs. */
function attach(manager: SessionManager): () => void {
  const stopListening = new AbortController()
  const { signal } = stopListening
  const syncWithStorage = () => manager.syncWithStorage()
  addEventListener('storage', syncWithStorage, { signal })
  // A page restored from the back-forward cache has missed the storage events.
  addEventListener('pageshow', syncWithStorage, { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && manager.stay(), { signal })
  addEventListener('online', () => manager.retry(), { signal })
  session.refused = (token) => void manager.refused(token)
  session.refreshToken = () => manager.renewIfDue()
  manager.start()
  return () => {
    stopListening.abort()
    manager.stop()
  }
}

const LOCK = 'milepost-token'

/**
 * Runs one task at a time across all tabs of this browser. Without the Web Locks API (plain http on a host other than localhost)
 * each tab runs its own, which costs no more than an extra token exchange.
 */
async function withTokenLock(work: () => Promise<void>): Promise<void> {
  const locks = (navigator as Partial<Navigator>).locks
  if (locks) await locks.request(LOCK, work)
  else await work()
}

/** Returns the identity provider that this server is configured for. */
function providerOf(options: IdentityOptions | undefined): Provider {
  return options?.firebase ? hostedProvider(options.firebase) : localProvider
}
