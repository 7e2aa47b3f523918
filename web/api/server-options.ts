import { createContext, use } from 'react'
import type { EntryOptions } from '#contract/entries.ts'
import type { IdentityOptions } from '#contract/identity.ts'

/** The operator's settings that the browser needs. */
export type ServerOptions = { identity: IdentityOptions; entries: EntryOptions }

/** The options that every document brings. */
export const ServerOptionsContext = createContext<ServerOptions | undefined>(undefined)

/** Returns the options of the document. */
export const useServerOptions = (): ServerOptions | undefined => use(ServerOptionsContext)
