import { AppError } from './errors.ts'

/** Does work for somebody once all that was asked for before is done. */
export type Line = <T>(person: string, work: () => Promise<T>) => Promise<T>

/**
 * A line in front of work that is done one by one. Refuses with `unavailable` once `longest` are in it, and with
 * `too_many_requests` whoever has `each` in it already, so that nobody fills it alone.
 */
export function createLine({ longest, each }: { longest: number; each: number }): Line {
  const inLine = new Map<string, number>()
  let length = 0
  let last: Promise<unknown> = Promise.resolve()

  const count = (person: string, change: 1 | -1) => {
    length += change
    const now = (inLine.get(person) ?? 0) + change
    if (now === 0) inLine.delete(person)
    else inLine.set(person, now)
  }

  return async (person, work) => {
    if ((inLine.get(person) ?? 0) >= each)
      throw refused('too_many_requests', 'Your earlier ones are still in work.')
    if (length >= longest) throw refused('unavailable', 'The server is busy.')
    count(person, 1)
    const done = last.then(work)
    last = done.catch(() => undefined)
    try {
      return await done
    } finally {
      count(person, -1)
    }
  }
}

const refused = (code: 'too_many_requests' | 'unavailable', reason: string) =>
  new AppError(code, `${reason} Please try again in a moment.`, { retryAfter: 5 })
