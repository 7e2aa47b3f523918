import { argumentsOf, type CallArgument } from '#contract/arguments.ts'
import type { Call } from '#contract/parts/call.ts'
import { isErasable } from './absent.ts'

type Read = {
  /** The arguments as the call takes them. */
  given: Record<string, unknown>
  /** The ids of the path that are missing. */
  missing: string[]
  /** Arguments that the tool does not take. */
  unknown: string[]
}

/**
 * Reads the arguments of a tool as models send them: ids with spaces around them, an empty text for what they do not mean, and
 * arguments that the tool does not take.
 */
export function readArguments(call: Call, args: Record<string, unknown>): Read {
  const taken = argumentsOf(call, call.mcp?.hides)
  const given: Record<string, unknown> = {}
  for (const { field, part, schema, isRequired } of taken) {
    const sent = part === 'params' && typeof args[field] === 'string' ? args[field].trim() : args[field]
    const value = asMeant(sent, schema)
    if (value !== '') given[field] = value
    else if (isErasable(schema)) given[field] = null
    else if (isRequired || schema.safeParse('').success) given[field] = value
  }
  return {
    given,
    missing: taken
      .filter(({ field, part }) => part === 'params' && (given[field] ?? '') === '')
      .map(({ field }) => field),
    unknown: Object.keys(args).filter((name) => taken.every(({ field }) => field !== name)),
  }
}

/**
 * Returns an argument in the type that the tool takes: many clients send every argument as text, and models send a number for a
 * title, or one tag without a list. What cannot be meant stays as it is, so that the call says what it needs.
 */
function asMeant(value: unknown, schema: CallArgument['schema']): unknown {
  if (value === undefined || value === '' || schema.safeParse(value).success) return value
  return otherForms(value).find((form) => form !== undefined && schema.safeParse(form).success) ?? value
}

function otherForms(value: unknown): unknown[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (typeof value !== 'string') return []
  const text = value.trim()
  return [text, parsed(text), parsed(text.toLowerCase()), [text]]
}

/** Returns the value of a text of JSON; undefined if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Says which arguments are missing and which the tool takes. */
export const missingSentence = (call: Call, missing: string[]): string =>
  `${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} missing. ${takesSentence(call)}`

/** Says which arguments had no effect: a misspelt one would silently be left out. */
export const ignoredSentence = (call: Call, unknown: string[]): string =>
  `Without effect, because there is no such argument: ${listed(unknown)}. ${takesSentence(call)}`

const takesSentence = (call: Call) =>
  `This tool takes ${listed(argumentsOf(call, call.mcp?.hides).map(({ field }) => field)) || 'no arguments'}.`

const LISTED_MAX = 20

const listed = (names: string[]) => names.slice(0, LISTED_MAX).join(', ')
