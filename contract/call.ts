import { z } from 'zod'

/** What can be done in a project. Who may do it is decided by the server's permission table. */
export type Action =
  | 'project:view'
  | 'project:edit'
  | 'project:delete'
  | 'content:edit'
  | 'activity:view'
  | 'collaborators:list'
  | 'collaborators:manage'
  | 'collaborators:leave'

/**
 * What an access token allows, beside what its owner may do: `read`; `write` milestones, entries and files; `publish`, which is
 * needed as well for what others will see that they did not; `manage` projects and their collaborators.
 */
export const SCOPES = ['read', 'write', 'publish', 'manage'] as const
export type Scope = (typeof SCOPES)[number]

/**
 * Who may send a call. `anyone`: a token is not looked at. `signed-in`: 401 without a valid one.
 * `either`: works without, but a token that is sent must be valid. What a caller may do with
 * a project is decided by the server's permission table, not here. `administrator`: as `signed-in`, and to everybody
 * else who is signed in the call does not exist. `scope`: what an access token needs to make the call; `none`: people make
 * it, and no program does, as with what administrators do.
 */
type Rights =
  | { who: 'signed-in' | 'either'; scope: Scope | 'none' }
  | { who: 'anyone' | 'administrator'; scope?: never }

/** One call of the API: the row from which validation, handlers, client and OpenAPI are made. */
export type Call = Rights & {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** In Fastify's syntax: `/api/projects/:projectId`. */
  path: `/api/${string}`
  /** Whether a call with this body may publish something, so that an access token needs the scope `publish` as well. */
  publishes?: (body: never) => boolean
  summary: string
  /** Whether models use it as a tool, by the Model Context Protocol; without these fields of the body. */
  mcp?: { hides?: readonly string[] }
  /** Whether the command line has it as a command, by the name of its row; without these fields of the body. */
  cli?: { hides?: readonly string[] }
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The right that is required in the project or milestone of the path, before the body is read. */
  needs?: Action
  /** How many bytes the body may have, where that is less than usual. */
  bodyBytes?: number
  /** The body travels as multipart/form-data (JSON is understood too). */
  multipart?: true
  /** The body is the bytes of a file of any type, which the handler reads as a stream. */
  bytes?: true
  /** The success statuses; `null` means no body. */
  responses: { readonly [status in 200 | 201 | 204]?: z.ZodType | null }
}

type Sent<S> = S extends z.ZodType ? z.input<S> : undefined
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Body<S> = S extends z.ZodType ? z.output<S> : void

/** What a client gives to make the call: only the parts that the call has; a query may be left out if all of it may. */
export type CallInput<C extends Call> = {
  [K in 'params' | 'body' as C[K] extends z.ZodType ? K : never]: Sent<C[K]>
} & (C['query'] extends z.ZodType ? QueryInput<Sent<C['query']>> : unknown)

type QueryInput<Q> = Partial<Q> extends Q ? { query?: Q } : { query: Q }

/** What a handler receives, validated. */
export type CallParts<C extends Call> = {
  [K in 'params' | 'query' | 'body' as C[K] extends z.ZodType ? K : never]: Parsed<C[K]>
}

/** What the call returns on success; nothing for 204. */
export type CallResponse<C extends Call> = Body<C['responses'][keyof C['responses']]>

/** Keeps the literal types of a table of calls. */
export function defineCalls<const T extends Record<string, Call>>(calls: T): T {
  return calls
}

/** The calls that create something. */
export type CreatingName<T extends Record<string, Call>> = {
  [N in keyof T]: T[N]['responses'] extends { 201: unknown } ? N : never
}[keyof T]

/** Whether a call creates something: it takes the header `Idempotency-Key`. */
export const isCreating = (call: Call): boolean => 201 in call.responses

/** A name of the caller's own for one request, under which it may be sent again: nothing is created twice. */
export const idempotencyKey = z
  .string()
  .regex(/^[\w.~+/=:-]{1,100}$/, {
    error: 'The Idempotency-Key header must have 1 to 100 letters, digits or characters of . _ ~ + / = : -',
  })
  .meta({
    description:
      'Names the request for a day. Sent again with the same key and body, it creates nothing and returns the first answer.',
  })

/** The status that a call returns on success. */
export function successStatus(call: Call): 200 | 201 | 204 {
  return Number(Object.keys(call.responses)[0]) as 200 | 201 | 204
}
