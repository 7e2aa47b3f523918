import type { Generated } from 'kysely'
import type { WatchLevel } from '#contract/watching.ts'
import type { Created, Nullable } from './columns.ts'

/** An email with news, which notifications refer to. */
export type NewsEmailRow = {
  id: string
  user_id: string
  kind: 'daily' | 'mention'
  created_at: Created
  sent_at: Nullable<Date>
}

/** What a member hears of a project, and when they looked at it. */
export type ProjectWatchRow = {
  user_id: string
  project_id: string
  level: Generated<WatchLevel>
  /** When they last looked at it, and when their visit before began to end. */
  seen_at: Nullable<Date>
  new_since: Nullable<Date>
}

/** A member whom an entry mentions, and who was told so. */
export type EntryMentionRow = { entry_id: string; user_id: string }

/** A milestone of which members were told that it is due. */
export type MilestoneReminderRow = { milestone_id: string; due_on: string }

export type WatchingTables = {
  project_watches: ProjectWatchRow
  news_emails: NewsEmailRow
  entry_mentions: EntryMentionRow
  milestone_reminders: MilestoneReminderRow
}
