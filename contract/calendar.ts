import { z } from 'zod'
import { author, entry } from './entries.ts'
import { defineCalls } from './parts/call.ts'
import { day } from './parts/dates.ts'
import { DAY_MS } from './parts/durations.ts'
import { CALENDAR_DAYS_MAX } from './parts/list-options.ts'
import { pageNumber, pagination } from './parts/pagination.ts'
import { fields, id, ids } from './parts/wire.ts'

export const DAY_ENTRIES_PER_PAGE = 20

const count = z.int().min(0)

/** A day with entries, as their authors dated them. Drafts are not counted. */
const countedDay = z.object({ day, entries: count, words: count, pictures: count })
export type CountedDay = z.infer<typeof countedDay>

/** An entry of a day, with its place. */
const datedEntry = entry
  .pick({ _id: true, title: true, excerpt: true, happenedOn: true, happenedZone: true, image: true })
  .extend({
    author: author.nullable(),
    milestone: z.object({ _id: id, title: z.string() }),
    project: z.object({ _id: id, title: z.string() }),
  })
export type DatedEntry = z.infer<typeof datedEntry>

/** The longest time without entries, between two days with some. */
const pause = z.object({ days: count, from: day, to: day })

const numbers = z.object({
  days: count,
  entries: count,
  words: count,
  pictures: count,
  firstDay: day.nullable(),
  lastDay: day.nullable(),
  longestPause: pause.nullable(),
  /** Of one project: whether the dashboard shows me its entries on their anniversaries. */
  isRemembered: z.boolean().optional(),
})
export type Numbers = z.infer<typeof numbers>

/** One project; without it, all in which I take part. */
const of = { project: id.optional() }

export const calendarCalls = defineCalls({
  listDays: {
    method: 'GET',
    path: '/api/calendar',
    who: 'signed-in',
    scope: 'read',
    mcp: {},
    cli: {},
    summary: `The days with entries from one day to another, at most ${CALENDAR_DAYS_MAX}, in a project or in all of mine`,
    query: z
      .object({ from: day, to: day, ...of })
      .refine(({ from, to }) => from <= to, { path: ['to'], message: 'to must not be before from' })
      .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < CALENDAR_DAYS_MAX * DAY_MS, {
        path: ['to'],
        message: `A calendar has at most ${CALENDAR_DAYS_MAX} days`,
      }),
    responses: { 200: z.object({ days: z.array(countedDay) }) },
  },
  listDay: {
    method: 'GET',
    path: '/api/calendar/day',
    who: 'signed-in',
    scope: 'read',
    mcp: {},
    cli: {},
    summary: 'The published entries of a day, in a project or in all of mine',
    query: z.object({ day, page: pageNumber.default(1), ...of }),
    responses: { 200: z.object({ entries: z.array(datedEntry), pagination }) },
  },
  readNumbers: {
    method: 'GET',
    path: '/api/calendar/numbers',
    who: 'signed-in',
    scope: 'read',
    mcp: {},
    cli: {},
    summary:
      'The numbers of days, entries, words and pictures, and the longest pause, of a project or of all of mine',
    query: z.object(of),
    responses: { 200: numbers },
  },
  listOnThisDay: {
    method: 'GET',
    path: '/api/on-this-day',
    who: 'signed-in',
    scope: 'read',
    mcp: {},
    cli: {},
    summary:
      'Entries that happened on this day in earlier years, the newest first; those of 29 February also on 28 February of years that have no 29th',
    query: z.object({ date: day }),
    responses: { 200: z.object({ entries: z.array(datedEntry) }) },
  },
  updateOnThisDay: {
    method: 'PUT',
    path: '/api/projects/:projectId/on-this-day',
    who: 'signed-in',
    scope: 'none',
    needs: 'activity:view',
    summary: 'Choose whether my dashboard shows entries of this project on their anniversaries',
    params: ids('projectId'),
    body: fields({ isRemembered: z.boolean({ error: 'isRemembered must be true or false' }) }),
    responses: { 204: null },
  },
})
