import { useRouteLoaderData } from 'react-router'
import type { EntryOptions } from '#contract/entries.ts'
import type { IdentityOptions } from '#contract/identity.ts'

/** The operator's settings that the browser needs. */
export type ServerOptions = { identity: IdentityOptions; entries: EntryOptions }

/** Returns the options, which the root loader sends with the page; undefined if the loader failed. */
export function useServerOptions(): ServerOptions | undefined {
  return useRouteLoaderData('root')
}
