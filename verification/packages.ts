import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const { resolve } = createRequire(new URL('packages/package.json', import.meta.url))

/** Returns the URL of a module of `verification/packages`, which only the commands that use it install. */
export const verificationModule = (name: string): string => pathToFileURL(resolve(name)).href
