import type { NewsKind } from '#contract/notifications.ts'
import { isolateBidi } from '#contract/parts/characters.ts'

type Stored = {
  kind: NewsKind | null
  count: number
  message: string
  data: { readonly [name: string]: string }
}

/** The message of news about what was taken back, or of a project that its reader has left. */
export const UNREADABLE = 'You can no longer read what this is about.'

/** What news say that stand for several events; null if it is what the newest says. */
const severalOf: { [kind in NewsKind]: ((count: number, project: string) => string) | null } = {
  entry: (count, project) => `${count} new entries in “${project}”`,
  mention: null,
  milestone_reached: null,
  milestone_due: null,
}

/** Returns the stored sentence about one event, or one about several. */
export function messageOf({ kind, count, message, data }: Stored): string {
  const several = kind !== null && count > 1 ? severalOf[kind] : null
  return several?.(count, isolateBidi(data.projectTitle ?? '')) ?? message
}
