import { useRouteLoaderData } from 'react-router'
import type { EntryOptions } from '#contract/entries.ts'
import type { IdentityOptions } from '#contract/identity.ts'

/** What the operator decided and a browser must know. */
export type ServerOptions = { identity: IdentityOptions; entries: EntryOptions }

/** The server's options; the page came with them. Undefined on a page that failed. */
export function useServerOptions(): ServerOptions | undefined {
  return useRouteLoaderData('root')
}
