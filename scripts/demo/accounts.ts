import { randomBytes } from 'node:crypto'
import { buildApp } from '#server/app.ts'
import { inProcessOptions } from '#server/app-options.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Caller } from '#server/platform/api/calls.ts'

export type DemoAccount = { name: string; email: string; password: string; caller: Caller }

/** Creates accounts like the sign-up screen, each with a new email and password. */
export async function openAccounts(deps: AppDeps, publicUrl: string) {
  const app = await buildApp(deps, { ...inProcessOptions, publicUrl })
  const headers = { origin: publicUrl, host: new URL(publicUrl).host }
  return {
    async signUp(name: string): Promise<DemoAccount> {
      const email = `demo-${randomBytes(3).toString('hex')}@milepost.example`
      const password = randomBytes(9).toString('base64url')
      const payload = { name, email, password }
      const signedUp = await app.inject({ method: 'POST', url: '/api/auth/sign-up/email', headers, payload })
      const cookies = Object.fromEntries(signedUp.cookies.map((cookie) => [cookie.name, cookie.value]))
      const provided = await app.inject({ url: '/api/auth/token', headers, cookies })
      const { user } = await deps.identity.exchange({ idToken: provided.json<{ token: string }>().token })
      // The services require no session.
      return { name, email, password, caller: { userId: user._id, sessionId: '' } }
    },
    close: () => app.close(),
  }
}
