import type { FastifyInstance } from 'fastify'
import type { Transaction } from 'kysely'
import type { AppOptions } from './app-options.ts'
import type { Db, Schema } from './database/rows.ts'
import type { AppDeps } from './deps.ts'
import type { EmailDeps, EmailQueues } from './email-queues.ts'
import type { ExportedProject, ForgottenPerson } from './feature-subjects.ts'
import type { Add } from './files/archive/files.ts'
import type { HistorySettings } from './history/settings.ts'
import type { FeaturePages, PageMounting } from './pages/sources.ts'
import type { Authenticate, Caller, Serve } from './platform/api/calls.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Admit } from './platform/limits/overload.ts'
import type { RunSearch } from './platform/limits/search.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { ScheduledTask } from './platform/schedule.ts'
import type { Deliverer } from './webhooks/deliver.ts'

/**
 * What a room of the server registers. `features.ts` lists all of them in order; the application, its background work, its emails, the
 * download of all data, the deletion of accounts, backups and metrics loop over that list.
 */
export type Feature = {
  name: string
  /** Mounts its calls and other routes. */
  routes?: (mounting: Mounting) => void
  /** Its pages for people without an account: mounts those with routes of their own, and returns how the others are read. */
  pages?: (mounting: PageMounting) => FeaturePages
  /** The background work that every process repeats. */
  tasks?: (deps: TaskDeps) => ScheduledTask[]
  /** Starts durable jobs beside those of emails. Returns the function that stops them. */
  jobs?: (deps: JobDeps) => Promise<() => Promise<void>>
  /** Opens its queues of emails, each with the row of docs/operations/limits.md that says how many one mailbox gets; or why none does. */
  emailQueues?: {
    [Name in keyof EmailQueues]?: {
      open: (deps: EmailDeps) => Promise<EmailQueues[Name]>
      limited: string | { not: string }
    }
  }
  /** Its tables by name, each before those that refer to it. */
  tables?: { readonly [name: string]: TableDecisions }
  /** The functions of the schema `public` that its migrations create. */
  functions?: readonly string[]
  /** Those of them that a later migration dropped. */
  droppedFunctions?: readonly string[]
  /** Its part of the download of all data outside of projects, which programs do not get. */
  exportAccount?: (deps: AppDeps, caller: Caller, add: Add) => Promise<object>
  /** Its part of a project in the download of all data. */
  exportProject?: (deps: AppDeps, caller: Caller, project: ExportedProject) => Promise<object>
  /** Removes an account's name and emails from rows that remain when the account is deleted. */
  forget?: (trx: Transaction<Schema>, person: ForgottenPerson) => Promise<void>
  /** Returns the tokens of the invitations among these that a person may answer, by the invitation's id. Notifications link to them. */
  invitationTokens?: (deps: AppDeps, db: Db, userId: string, ids: string[]) => Promise<Map<string, string>>
  /** Adds its gauges to the metrics. */
  gauges?: (metrics: Metrics, deps: AppDeps) => void
}

/** What has to be decided for every table. `features.test.ts` compares it with the database. */
export type TableDecisions = {
  /** The field of the downloaded `milepost.json` that has its rows, such as `projects.members`; or why none has. */
  exported: string | { not: string }
  /**
   * What becomes of the rows of a deleted account. `cascade`: foreign keys delete them with the account or its projects.
   * `anonymize`: triggers or `forget` remove names and emails from those that remain. `expire`: they are short-lived, or a trigger
   * deletes them with the rows that they copy. `nobody`: rows refer to nobody.
   */
  forgotten: 'cascade' | 'anonymize' | 'expire' | 'nobody'
  /** `mark`: rows have the columns of the trash. `parent`: the views of what they belong to hide them. Absent: they are never in it. */
  trash?: 'mark' | 'parent'
  /** `refill`: an unlogged table, whose rows a backup omits. `dropped`: a later migration dropped it. Absent: a backup has the rows. */
  backup?: 'refill' | 'dropped'
}

/** What routes are mounted with. */
export type Mounting = {
  api: FastifyInstance
  serve: Serve
  deps: AppDeps
  options: AppOptions & { admit: Admit; search: RunSearch; authenticate: Authenticate }
  features: readonly Feature[]
}

export type TaskDeps = Pick<
  AppDeps,
  | 'db'
  | 'events'
  | 'files'
  | 'sendsMail'
  | 'emailQueues'
  | 'trashDays'
  | 'disk'
  | 'clock'
  | 'log'
  | 'renderer'
  | 'quotas'
  | 'inspector'
  | 'fileSettings'
  | 'links'
> &
  HistorySettings & { deliverer: Deliverer; features: readonly Feature[] }

export type JobDeps = Pick<AppDeps, 'db' | 'renderer' | 'log'> & { jobs: Jobs }
