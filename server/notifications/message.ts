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

/** Returns the stored sentence about one event, or one about several. */
export const messageOf = ({ kind, count, message, data }: Stored): string =>
  kind === 'entry' && count > 1
    ? `${count} new entries in “${isolateBidi(data.projectTitle ?? '')}”`
    : message
