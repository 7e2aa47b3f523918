import type { StoryEntry } from '#contract/story.ts'
import type { World, WorldPage } from '#contract/world.ts'
import { excerptOfSource } from '#markdown/source-excerpt.ts'
import { openMediaURL } from '#server/files/links.ts'
import { presentAuthor, shownName } from '#server/files/people.ts'
import { coverFields, type UrlOf } from '#server/files/present.ts'
import { progressOf } from '#server/projects/present.ts'
import type {
  EntrySummaryJson,
  EntrySummaryRecord,
  LatestJson,
  MilestoneJson,
  PublicPageRecord,
} from './page-store.ts'
import type { PublicProject } from './store.ts'

/** Presents a public project. Of the owner it contains a name, never an id or an email. */
export function presentPublicProject(row: PublicProject, urlOf: UrlOf = openMediaURL): World['project'] {
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    isPublic: row.visibility !== 'private',
    visibility: row.visibility,
    ...(row.cover && coverFields(row.cover, urlOf)),
    ...(row.tint !== null && { tint: row.tint }),
    createdAt: row.created_at.toISOString(),
    progress: progressOf(row.completed_milestone_count, row.milestone_count),
    lastEntryAt: row.last_entry_at?.toISOString() ?? null,
    user: presentOwner(row),
    emailsFollowers: row.emails_followers,
    takesReactions: row.takes_reactions,
    offersDownloads: row.offers_downloads,
  }
}

export function presentMilestoneSummary(row: MilestoneJson): WorldPage['milestones'][number] {
  return {
    _id: row.id,
    title: row.title,
    completed: row.completed,
    entryCount: row.entry_count,
    createdAt: isoOf(row.created_at),
    reachedAt: row.reached_at === null ? null : isoOf(row.reached_at),
    startsOn: row.starts_on,
    dueOn: row.due_on,
  }
}

/** Presents all milestones in short, with the numbers of those before and after the ones on the page. */
export function presentTimeline(page: PublicPageRecord): WorldPage['timeline'] {
  const { milestones, stops, chosen, earlier, later } = page
  const total = chosen?.total ?? 0
  const before = milestones[0]?.place ?? 0
  const after = total - before - milestones.length
  return {
    total,
    completed: page.completed_milestone_count,
    earlier: earlier === null ? null : { milestone: earlier, count: before },
    later: later === null ? null : { milestone: later, count: after },
    stops: stops.map(({ id, title, completed }) => ({ milestone: id, title, completed })),
  }
}

/** Times are texts where the row was read as JSON. */
const isoOf = (time: Date | string) => new Date(time).toISOString()

export function presentEntrySummary(
  row: EntrySummaryRecord | EntrySummaryJson,
  urlOf: UrlOf,
): NonNullable<WorldPage['shown']>['entries'][number] {
  return {
    _id: row.id,
    title: row.title,
    tags: row.tags,
    happenedAt: isoOf(row.happened_at),
    happenedOn: row.happened_on,
    happenedZone: row.happened_zone,
    author: presentAuthor(row.author_name, row.author_picture),
    ...(row.cover && { image: coverFields(row.cover, urlOf).image }),
    createdAt: isoOf(row.created_at),
    excerpt: row.excerpt ?? excerptOfSource(row.beginning ?? ''),
  }
}

/** Presents an entry of a story, whose content may be missing. */
export function presentStoryEntry(
  row: EntrySummaryRecord,
  html: string | undefined,
  urlOf: UrlOf,
): StoryEntry {
  return {
    _id: row.id,
    title: row.title,
    happenedOn: row.happened_on,
    happenedZone: row.happened_zone,
    author: presentAuthor(row.author_name, row.author_picture),
    ...(row.cover && coverFields(row.cover, urlOf)),
    excerpt: row.excerpt ?? excerptOfSource(row.beginning ?? ''),
    wordCount: row.word_count ?? 0,
    ...(html !== undefined && { html }),
  }
}

export function presentFollowing(
  row: NonNullable<PublicPageRecord['following']>,
  urlOf: UrlOf,
): NonNullable<WorldPage['following']> {
  const { id, title, entry_count, first } = row
  return { _id: id, title, entryCount: entry_count, first: presentEntrySummary(first, urlOf) }
}

export function presentLatest(row: LatestJson): NonNullable<WorldPage['latest']> {
  return {
    _id: row.id,
    title: row.title,
    happenedOn: row.happened_on,
    happenedZone: row.happened_zone,
  }
}

/** Who reads by a share link is not told of the owner's page. */
const presentOwner = ({ owner_name: name, owner_profile: profile, visibility }: PublicProject) => ({
  name: shownName(name),
  ...(profile !== null && visibility !== 'private' && { profile }),
})
