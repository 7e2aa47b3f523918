import { z } from 'zod'

/** An action in a project. The server's permission table decides which roles may perform it. */
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
 * The scopes of an access token, within its owner's rights: `read`; `write` milestones, entries and files; `publish`, also
 * required for making content visible to others, and for every change of what visitors of a public project see; `manage`
 * projects and their collaborators, whose addresses no other scope shows.
 */
export const SCOPES = ['read', 'write', 'publish', 'manage'] as const
export type Scope = (typeof SCOPES)[number]

/**
 * Who may send a call. `anyone`: a token is ignored. `signed-in`: 401 without a valid token. `either`: works without a token, but
 * a token that is sent must be valid. `administrator`: as `signed-in`, and 404 for everybody else who is signed in. The server's
 * permission table, not this field, decides what a caller may do with a project. `scope`: the scope that an access token needs
 * for the call; `none`: access tokens may not make it, such as the calls of administrators. `needsProof`: the person must have
 * proved who they are within the last ten minutes (`contract/proofs.ts`), which no access token can.
 */
type Rights =
  | { who: 'signed-in' | 'either'; scope: Scope | 'none'; needsProof?: never }
  | { who: 'signed-in'; scope: 'none'; needsProof: true }
  | { who: 'administrator'; scope?: never; needsProof?: true }
  | { who: 'anyone'; scope?: never; needsProof?: never }

/** One call of the API: the row from which validation, handlers, the client and OpenAPI are derived. */
export type Call = Rights & {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** In Fastify's syntax: `/api/projects/:projectId`. */
  path: `/api/${string}`
  /** Whether this body may publish something, so that an access token also needs the scope `publish`. */
  publishes?: (body: never) => boolean
  /** Whether it changes what visitors of a public project see, for which an access token also needs the scope `publish`. */
  changesPublic?: true
  summary: string
  /** Present if the call is a tool of the Model Context Protocol; `hides` are fields of the body that the tool omits. */
  mcp?: { hides?: readonly string[] }
  /** Present if the call is a command of the command line, by its name; `hides` are fields of the body that the command omits. */
  cli?: { hides?: readonly string[] }
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The action that is required in the project or milestone of the path, before the body is read. */
  needs?: Action
  /** The maximum size of the body in bytes, if it is smaller than the default. */
  bodyBytes?: number
  /** The body is sent as multipart/form-data; JSON is accepted too. */
  multipart?: true
  /** The body is the bytes of a file of any type, which the handler reads as a stream. */
  bytes?: true
  /** The success statuses; `null` means no body. */
  responses: { readonly [status in 200 | 201 | 204]?: z.ZodType | null }
}

type Sent<S> = S extends z.ZodType ? z.input<S> : undefined
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Body<S> = S extends z.ZodType ? z.output<S> : void

/** The input of a call in the client: only the parts that the call has. The query is optional if all its parameters are. */
export type CallInput<C extends Call> = {
  [K in 'params' | 'body' as C[K] extends z.ZodType ? K : never]: Sent<C[K]>
} & (C['query'] extends z.ZodType ? QueryInput<Sent<C['query']>> : unknown)

type QueryInput<Q> = Partial<Q> extends Q ? { query?: Q } : { query: Q }

/** The validated input of a handler. */
export type CallParts<C extends Call> = {
  [K in 'params' | 'query' | 'body' as C[K] extends z.ZodType ? K : never]: Parsed<C[K]>
}

/** The body of a successful response; undefined for 204. */
export type CallResponse<C extends Call> = Body<C['responses'][keyof C['responses']]>

/** Preserves the literal types of a table of calls. */
export function defineCalls<const T extends Record<string, Call>>(calls: T): T {
  return calls
}

/** The calls that create something. */
export type CreatingName<T extends Record<string, Call>> = {
  [N in keyof T]: T[N]['responses'] extends { 201: unknown } ? N : never
}[keyof T]

/** Whether a call creates something, under an id that its body may contain. */
export const isCreating = (call: Call): boolean => 201 in call.responses

/** Whether a call changes something of the signed-in person, and so accepts the header `Idempotency-Key`. */
export const isChanging = ({ method, who }: Call): boolean => method !== 'GET' && who !== 'anyone'

/** The header of a repeated creating call: `true` if what it returns was created by this very call, `false` if by another. */
export const CHANGE_APPLIED = 'change-applied'

/** The caller's id of a change: a repetition under the same key changes nothing again. */
export const idempotencyKey = z
  .string()
  .regex(/^[\w.~+/=:-]{1,100}$/, {
    error: 'The Idempotency-Key header must have 1 to 100 letters, digits or characters of . _ ~ + / = : -',
  })
  .meta({
    description:
      'The id of the change, best a UUID in lower case. Sent again with the same key, the call changes nothing and returns the resource as it is; the key of a deletion is the id of the deletion.',
  })

/** The status that a call returns on success. */
export function successStatus(call: Call): 200 | 201 | 204 {
  return Number(Object.keys(call.responses)[0]) as 200 | 201 | 204
}
