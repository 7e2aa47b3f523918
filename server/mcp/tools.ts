import { z } from 'zod'
import type { Call, Scope } from '#contract/call.ts'
import { type CallName, calls } from '#contract/calls.ts'

/** A call as programs of the Model Context Protocol see it. */
export type McpTool = {
  name: CallName
  scope: Scope | 'none'
  description: string
  annotations: { readOnlyHint: boolean; destructiveHint: boolean }
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] }
}

type Part = 'params' | 'query' | 'body'
const PARTS: readonly Part[] = ['params', 'query', 'body']

const table: [CallName, Call][] = Object.entries(calls) as [CallName, Call][]

/** Every call whose row allows it as a tool. */
export const tools: McpTool[] = table.flatMap(([name, call]) => (call.mcp ? [toolOf(name, call)] : []))

function toolOf(name: CallName, call: Call): McpTool {
  const hidden = call.mcp?.hides ?? []
  const properties: Record<string, object> = {}
  const required: string[] = []
  for (const part of PARTS)
    for (const [field, schema] of Object.entries(fieldsOf(call, part))) {
      if (hidden.includes(field)) continue
      if (field in properties) throw new Error(`${name} has two arguments called ${field}`)
      properties[field] = jsonSchemaOf(schema)
      if (!schema.safeParse(undefined).success) required.push(field)
    }
  return {
    name,
    scope: call.scope ?? 'none',
    description: call.summary,
    annotations: { readOnlyHint: call.method === 'GET', destructiveHint: call.method === 'DELETE' },
    inputSchema: { type: 'object', properties, required },
  }
}

/** The request that a tool stands for, of its arguments; what the call does not take is left out. */
export function requestOf(name: CallName, args: Record<string, unknown>) {
  const call: Call = calls[name]
  const hidden = call.mcp?.hides ?? []
  const given = (part: Part) =>
    Object.fromEntries(
      Object.keys(fieldsOf(call, part))
        .filter((field) => !hidden.includes(field) && args[field] !== undefined)
        .map((field) => [field, args[field]]),
    )
  const params = given('params')
  const query = Object.entries(given('query')).map(([field, value]): [string, string] => [
    field,
    textOf(value),
  ])
  return {
    method: call.method,
    url: call.path.replaceAll(/:(\w+)/g, (_, field: string) => segmentOf(params[field])),
    query: Object.fromEntries(query),
    ...(call.body && { payload: given('body') }),
  }
}

function fieldsOf(call: Call, part: Part): Record<string, z.ZodType> {
  const schema = call[part]
  return schema instanceof z.ZodObject ? schema.shape : {}
}

/** What is parsed describes an argument better than what may be sent, which for forms is any text. */
function jsonSchemaOf(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  return rest
}

/** A segment of a path; `..` would lead to another call, and no id has dots. */
const segmentOf = (value: unknown): string => encodeURIComponent(textOf(value).replaceAll('.', '-'))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
