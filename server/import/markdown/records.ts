export const isRecord = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the texts in a value: itself, the elements of a list, or what is between its commas. */
export function textsOf(value: unknown): string[] {
  if (Array.isArray(value))
    return value.flatMap((one) => (isRecord(one) ? textsOf(one.name ?? one.title) : textOf(one)))
  if (typeof value === 'string')
    return value.split(value.includes(',') ? ',' : /\s+(?=#)/).map((one) => one.trim())
  return textOf(value)
}

const textOf = (value: unknown): string[] =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []
