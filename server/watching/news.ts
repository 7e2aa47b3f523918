import type { Transaction } from 'kysely'
import type { NewsKind } from '#contract/notifications.ts'
import { isolateBidi } from '#contract/parts/characters.ts'
import { plainHtml } from '#markdown/plain-text.ts'
import type { Schema } from '#server/database/rows.ts'
import { notifyEach } from '#server/notifications/notify.ts'
import type { Events } from '#server/platform/events/events.ts'
import { hasSign, mentionedIn } from './mentions.ts'
import { type DueMilestone, insertReaderNews, type Listener, listListeners, recordMentions } from './store.ts'

export { type Listener, listenersPart } from './store.ts'

/** The transaction of a change in a locked project, and the function that publishes its events once it commits. */
type ChangeContext = { trx: Transaction<Schema>; publish: Events['publish']; now: Date }

/** What happened: `actorId` is the person who did it, who is never told. */
type Happened = { projectId: string; actorId: string | null }

/** What of an entry may be news, and those who may hear of it, if its statement has read them. */
export type EntryNews = {
  isNew: boolean
  isTextNew: boolean
  /** The rendered text, if it is stored. */
  html: string | undefined
  listeners?: Listener[]
}

type SavedEntry = { id: string; milestone_id: string; title: string; content: string }

/**
 * Tells the other members and the followers of a published entry, in the transaction of its save: of a new one, those who hear all of the project;
 * of a mention, those whom the text did not mention before. Whoever is told of a mention is not told of the entry too.
 */
export async function tellOfEntry(
  context: ChangeContext,
  { projectId, actorId }: Happened,
  entry: SavedEntry,
  { isNew, isTextNew, html, listeners: known }: EntryNews,
): Promise<void> {
  const mayMention = isTextNew && hasSign(entry.content)
  if (!isNew && !mayMention) return
  const { trx } = context
  if (isNew) await insertReaderNews(trx, projectId, { entryId: entry.id })
  const listeners = known ?? (await listListeners(trx, projectId, actorId))
  const named = mayMention ? mentionedIn(html ?? plainHtml(entry.content), listeners) : []
  const mentioned = new Set(named.length > 0 ? await recordMentions(trx, entry.id, named) : [])
  const isTold = ({ id, level }: Listener) => mentioned.has(id) && level !== 'none'
  const who = isolateBidi(shownName(listeners[0]?.actorName))
  const what = `“${isolateBidi(entry.title)}”`
  const where = `“${isolateBidi(listeners[0]?.projectTitle ?? '')}”`
  const place = { milestoneId: entry.milestone_id, entryId: entry.id }
  await tell(context, projectId, listeners.filter(isTold), {
    kind: 'mention',
    subjectId: entry.id,
    title: 'You are mentioned',
    message: `${who} mentioned you in ${what} in ${where}`,
    data: place,
  })
  if (!isNew) return
  const others = listeners.filter((listener) => listener.level === 'all' && !isTold(listener))
  await tell(context, projectId, others, {
    kind: 'entry',
    subjectId: projectId,
    title: 'New in a project',
    message: `${who} published ${what} in ${where}`,
    data: place,
  })
}

/** Tells the other members who hear all of the project, and its followers, that a milestone is reached. */
export async function tellOfReached(
  context: ChangeContext,
  { projectId, actorId }: Happened,
  milestone: { id: string; title: string },
): Promise<void> {
  await insertReaderNews(context.trx, projectId, { milestoneId: milestone.id })
  const listeners = await listListeners(context.trx, projectId, actorId)
  const { actorName, projectTitle = '' } = listeners[0] ?? {}
  await tell(context, projectId, listeners.filter(hearsAll), {
    kind: 'milestone_reached',
    subjectId: milestone.id,
    title: 'A milestone is reached',
    message: `${isolateBidi(shownName(actorName))} reached “${isolateBidi(milestone.title)}” in “${isolateBidi(projectTitle)}”`,
    data: { milestoneId: milestone.id },
  })
}

/** Tells the members who hear all of the project that a milestone is due. */
export async function tellOfDue(context: ChangeContext, milestone: DueMilestone): Promise<void> {
  const { id, projectId, title } = milestone
  const listeners = await listListeners(context.trx, projectId, null)
  await tell(context, projectId, listeners.filter(hearsAll), {
    kind: 'milestone_due',
    subjectId: id,
    title: 'A milestone is due',
    message: `“${isolateBidi(title)}” in “${isolateBidi(listeners[0]?.projectTitle ?? '')}” is due`,
    data: { milestoneId: id },
  })
}

const hearsAll = ({ level }: Listener) => level === 'all'

const shownName = (name: string | null | undefined) => name || 'Somebody'

type Sentence = {
  kind: NewsKind
  subjectId: string
  title: string
  message: string
  data: { milestoneId: string; entryId?: string }
}

async function tell(
  { trx, publish, now }: ChangeContext,
  projectId: string,
  to: Listener[],
  { data, ...sentence }: Sentence,
): Promise<void> {
  if (to.length === 0) return
  const userIds = to.map(({ id }) => id)
  const projectTitle = to[0]?.projectTitle ?? ''
  await notifyEach(trx, userIds, { ...sentence, data: { ...data, projectId, projectTitle }, now })
  publish(...userIds.map((person) => ({ person })))
}
