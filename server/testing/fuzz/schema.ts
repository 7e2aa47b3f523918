import * as fc from 'fast-check'
import { z } from 'zod'
import { garbage, naughtyText } from './values.ts'

type JsonSchema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** Generates values that match the JSON schema of a contract schema, whose refinements may still reject them. */
export function valuesOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  return valid(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
}

/** Generates the same values with one wrong field, or entirely different values. */
export function nearly(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const spoilt = fc.tuple(values, fc.nat(), garbage, fc.boolean()).map(([value, at, bad, adds]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad
    const keys = Object.keys(value)
    const key = adds || keys.length === 0 ? EXTRA[at % EXTRA.length] : keys[at % keys.length]
    return { ...value, [String(key)]: bad }
  })
  return fc.oneof({ weight: 4, arbitrary: spoilt }, { weight: 1, arbitrary: garbage })
}

/** Names with a special meaning for objects, databases or frameworks. */
const EXTRA = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'then',
  '_id',
  'id',
  'isAdmin',
  '',
  '\0',
  '$ne',
]

function valid(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid))
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([key, inner]) => [key, valid(inner)]),
        ),
        { requiredKeys: schema.required ?? [] },
      )
    case 'array':
      return fc.array(valid(schema.items ?? {}), { maxLength: 5 })
    case 'string':
      return text(schema)
    case 'integer':
    case 'number': {
      const min = schema.minimum ?? -5
      return fc.integer({ min, max: Math.min(schema.maximum ?? Infinity, Math.max(min, 0) + 1_000) })
    }
    case 'boolean':
      return fc.boolean()
    case undefined:
    default:
      return garbage
  }
}

function text({ format, minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.emailAddress()
  const plain = fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, minLength + 40) })
  return fc.oneof({ weight: 2, arbitrary: plain }, { weight: 1, arbitrary: naughtyText })
}
