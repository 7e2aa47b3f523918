/**
 * Returns a message's parameters without properties that are null, at every depth: models that have to name every argument
 * send null for those that they do not mean.
 */
export function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNulls) as T
  if (typeof value !== 'object' || value === null) return value
  const meant = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  return Object.fromEntries(meant.map(([name, one]) => [name, withoutNulls(one)])) as T
}

/** Returns the parameters of a call whose arguments a client has sent as a text of JSON, or as an empty list, as PHP writes no arguments. */
export function withParsedArguments(params: unknown): unknown {
  if (typeof params !== 'object' || params === null || !('arguments' in params)) return params
  if (Array.isArray(params.arguments) && params.arguments.length === 0) return { ...params, arguments: {} }
  if (typeof params.arguments !== 'string') return params
  try {
    return { ...params, arguments: JSON.parse(params.arguments.trim() || '{}') as unknown }
  } catch {
    return params // the protocol's schema refuses it
  }
}

/** Returns whether an argument can be emptied: null does it in the API, an empty text in a tool, where null counts as absent. */
export const isErasable = (schema: { safeParse(value: unknown): { success: boolean } }) =>
  schema.safeParse(null).success

/** Describes an erasable argument of a tool. */
export const describeErasable = (described: object) => ({
  anyOf: [described, { type: 'string', const: '' }],
  description: 'An empty text removes it. Null or no value leaves it as it is.',
})
