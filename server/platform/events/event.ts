import { z } from 'zod'
import { id } from '#contract/wire.ts'

const shape = z.union([
  z.strictObject({ person: id, project: id }),
  z.strictObject({ person: id }),
  z.strictObject({ project: id }),
  z.strictObject({ session: id }),
])

/**
 * What the servers tell one another. `project`: something in it changed, for all its members to read again. `person`:
 * their notifications changed. Both: this person's access in the project changed, or the project is no more.
 * `session`: this sign-in ended.
 */
export type AppEvent = z.infer<typeof shape>

/** As it travels. The same news is the same text, whatever order its fields were written in. */
export const textOf = (events: AppEvent): string => JSON.stringify(events, ['person', 'project', 'session'])

/** The news in a text that came; undefined where it is none of ours. */
export function newsIn(text: string): AppEvent | undefined {
  try {
    return shape.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
