export type UnknownRecord = { [name: string]: unknown }

export const isRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the texts in a value: itself, the elements of a list or their names, or what is between its commas. */
export function textsOf(value: unknown): string[] {
  if (Array.isArray(value))
    return value.flatMap((one) => textOf(isRecord(one) ? (one.name ?? one.title) : one))
  if (typeof value === 'string')
    return value.split(value.includes(',') ? ',' : /\s+(?=#)/).map((one) => one.trim())
  return textOf(value)
}

const textOf = (value: unknown): string[] =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []

/** Returns the first of these fields that has a text or a number. */
export function textIn(record: UnknownRecord, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = record[name]
    if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) return String(value)
  }
  return undefined
}

/** Returns the records in a field that has a list. */
export function recordsIn(record: UnknownRecord, name: string): UnknownRecord[] {
  const value = record[name]
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** Returns the texts in a field that has a list. */
export function namesIn(record: UnknownRecord, name: string): string[] {
  const value = record[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
