import type { Generated } from 'kysely'
import type { Nullable } from './columns.ts'

/** An entry that readers may read for the first time, or a milestone that is reached, at a revision of its project. */
export type ReaderNewsRow = {
  id: string
  project_id: string
  revision: string
  entry_id: Nullable<string>
  milestone_id: Nullable<string>
  created_at: Generated<Date>
}

/** A reader without an account who is emailed the news of a public project, or of what their share link shows, once they have confirmed it. */
export type FollowerRow = {
  id: string
  project_id: string
  email: string
  created_at: Generated<Date>
  confirmed_at: Nullable<Date>
  /** The revision of the project up to which news was given to an email. */
  told_through: Generated<string>
  link_id: Nullable<string>
  emailed_at: Nullable<Date>
  /** How many of the latest emails the mail server refused for good. */
  refusals: Generated<number>
}

/** An email to a follower with the news after one revision of the project, through another one. */
export type FollowerEmailRow = {
  id: string
  follower_id: string
  after: string
  through: string
  created_at: Generated<Date>
  sent_at: Nullable<Date>
}

/** What a project offers its readers, if that was chosen. */
export type ReaderSettingsRow = {
  project_id: string
  emails: Generated<boolean>
  reactions: Generated<boolean>
  downloads: Generated<boolean>
}

export type FollowerTables = {
  reader_news: ReaderNewsRow
  followers: FollowerRow
  follower_emails: FollowerEmailRow
  reader_settings: ReaderSettingsRow
}
