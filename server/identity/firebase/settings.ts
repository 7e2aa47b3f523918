import { z } from 'zod'
import type { FirebaseOptions } from '#contract/identity.ts'
import { CannotStart } from '#server/cannot-start.ts'

const HOST_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+(:\d+)?$/

/** The environment variables that choose Firebase. Their values become part of every page's content security policy. */
export const firebaseVariables = {
  IDENTITY_PROVIDER: z.enum(['local', 'firebase'], 'must be one of local, firebase').default('local'),
  FIREBASE_PROJECT_ID: z
    .string()
    .regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, 'must be the id of a project, like milepost-1a2b3')
    .optional(),
  FIREBASE_API_KEY: z.string().optional(),
  FIREBASE_AUTH_DOMAIN: z
    .string()
    .regex(HOST_NAME, 'must be the name of a host, like milepost-1a2b3.firebaseapp.com')
    .optional(),
  FIREBASE_APP_ID: z.string().optional(),
}

const variables = z.object(firebaseVariables)

/** Returns the Firebase project that people sign in to; undefined where this server is the provider. Throws CannotStart. */
export function firebaseOf(read: z.output<typeof variables>): FirebaseOptions | undefined {
  if (read.IDENTITY_PROVIDER !== 'firebase') return undefined
  const needed = (name: Exclude<keyof typeof firebaseVariables, 'IDENTITY_PROVIDER'>) => {
    const value = read[name]
    if (value !== undefined) return value
    throw new CannotStart(
      `The setting ${name} must be given with IDENTITY_PROVIDER=firebase; the Firebase console shows it under Project settings, Your apps.`,
    )
  }
  return {
    projectId: needed('FIREBASE_PROJECT_ID'),
    apiKey: needed('FIREBASE_API_KEY'),
    authDomain: needed('FIREBASE_AUTH_DOMAIN'),
    ...(read.FIREBASE_APP_ID !== undefined && { appId: read.FIREBASE_APP_ID }),
  }
}
