import { characters, isStorable } from '#contract/characters.ts'

/** The choice that a query names; another word is as if nothing were said. */
export function oneOf<T extends string | number>(
  choices: readonly T[],
  written: string | null,
  fallback: T,
): T {
  return choices.find((choice) => String(choice) === written) ?? fallback
}

/** Text that the server takes for a filter. */
export function within(max: number, written: string | null): string | null {
  return written !== null && isStorable(written) && characters(written) <= max ? written : null
}

/** The page that a query names, else the first. */
export function pageOf(written: string | null): number {
  return written !== null && /^[1-9]\d{0,5}$/.test(written) ? Number(written) : 1
}

/** The query with each value under its name, and without those that are as at first. */
export function withWords<Values extends object>(
  params: URLSearchParams,
  names: { readonly [key in keyof Values]: string },
  values: Values,
  initial: Values,
): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const key of Object.keys(names) as (keyof Values)[]) {
    const value = values[key]
    if (value === initial[key] || value === null) next.delete(names[key])
    else next.set(names[key], String(value))
  }
  return next
}
