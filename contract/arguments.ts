import { z } from 'zod'
import type { Call } from './parts/call.ts'

type Part = 'params' | 'query' | 'body'
const PARTS: readonly Part[] = ['params', 'query', 'body']

/** An argument of a program for a parameter of the path, the query or the body of a call. */
export type CallArgument = { field: string; part: Part; schema: z.ZodType; isRequired: boolean }

/** Returns the arguments of a call, each with a unique name, without the hidden fields of the body. */
export function argumentsOf(call: Call, hides: readonly string[] = []): CallArgument[] {
  const named = new Map<string, CallArgument>()
  for (const part of PARTS)
    for (const [field, schema] of Object.entries(fieldsOf(call, part))) {
      if (hides.includes(field)) continue
      if (named.has(field)) throw new Error(`${call.path} has two arguments called ${field}`)
      named.set(field, { field, part, schema, isRequired: !schema.safeParse(undefined).success })
    }
  return [...named.values()]
}

function fieldsOf(call: Call, part: Part): Record<string, z.ZodType> {
  const schema = call[part]
  return schema instanceof z.ZodObject ? schema.shape : {}
}

/**
 * Returns the JSON schema of an argument. The output type describes it better than the input type, which for forms is any text.
 */
export function describeArgument({ schema }: CallArgument): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  return rest
}

/** Returns the request of a call with these arguments; unknown arguments are omitted. */
export function requestOf(call: Call, given: Record<string, unknown>, hides: readonly string[] = []) {
  const taken = argumentsOf(call, hides)
  const valuesOf = (part: Part) =>
    Object.fromEntries(
      taken
        .filter((one) => one.part === part && given[one.field] !== undefined)
        .map(({ field }) => [field, given[field]]),
    )
  const params = valuesOf('params')
  const query = Object.entries(valuesOf('query')).map(([field, value]): [string, string] => [
    field,
    textOf(value),
  ])
  return {
    method: call.method,
    url: call.path.replaceAll(/:(\w+)/g, (_, field: string) => segmentOf(params[field])),
    query: Object.fromEntries(query),
    ...(call.body && { payload: valuesOf('body') }),
  }
}

/** Returns a segment of a path. One of dots alone is replaced, because `..` would lead to another call, and so is an empty one; no id is either. */
const segmentOf = (value: unknown): string =>
  encodeURIComponent(textOf(value).replace(/^\.+$/, (dots) => '-'.repeat(dots.length)) || '-')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
